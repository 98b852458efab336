import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { dataUrl, noisePng } from '#tests/e2e/support/png'
import { app, openApp } from '#tests/renderer/app/open-app'
import { pageText, press, settle } from '#tests/renderer/dom'
import {
  author,
  type FakeServer,
  fakeServer,
  ME,
  memberRow,
  PROFILE,
  postBy,
  refusal,
  signIn,
} from '#tests/renderer/fake-server'

const PICTURE = dataUrl(noisePng(8, 1))

/** A post as a grid gets it. */
const cellOf = (username: string, id: string, row: object = {}) => ({
  ...postBy(username, id),
  post_id: id,
  ...row,
})

let server: FakeServer
let members: ReturnType<typeof memberRow>[]
let followed: string[]

const main = () => within(screen.getByRole('main'))
const tabs = async () => (await screen.findAllByRole('tab')).map(({ textContent }) => textContent)
const tab = (name: string) => screen.getByRole('tab', { name })
const heading = (name: string) => screen.findByRole('heading', { name })
const cells = () => within(screen.getByRole('tabpanel')).getAllByRole('listitem')
const items = async () =>
  (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent?.trim())

/** A grid has its width, which the document does not know. */
const giveWidth = () =>
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 900, 600))

afterEach(() => {
  vi.restoreAllMocks()
})

beforeEach(() => {
  vi.mocked(logFailure).mockClear()
  server = fakeServer()
  followed = []
  members = [
    memberRow('mara', { id: ME }),
    memberRow('ines', {
      full_name: 'Ines Duarte',
      bio: 'Mountains first.\nFilm when it rains.',
      website: 'https://example.com/ines',
      post_count: 2,
      follower_count: 1,
    }),
  ]
  server.on('GET profiles', ({ query }) => {
    const username = query.get('username')?.replace(/^eq\./, '')
    return members.filter((member) => member.username === username)
  })
  for (const name of ['posts', 'saved_posts', 'post_tags', 'follow_requests', 'stories', 'mutes'])
    server.on(`GET ${name}`, () => [])
  for (const name of ['muted_members', 'blocked_members']) server.on(`GET ${name}`, () => [])
  server.on('GET follows', () => followed.map((following_id) => ({ following_id })))
  server.on('POST renamed_to', () => null)
  signIn()
})

test.each(['a?b', 'x'.repeat(8_000), '../settings'])(
  'a former name that is none leads nowhere',
  async (name) => {
    server.on('POST renamed_to', () => name)
    openApp('/profile/nobody')
    await heading('User not found')
    expect(app.location.pathname).toBe('/profile/nobody')
  },
)

test('PROF-01 PROF-05 PROF-06 PROF-07 PROF-08 PROF-09 the own profile shows a spinner, then tabs, each with its empty state, of which the address has the chosen one', async () => {
  openApp('/profile/mara')
  await screen.findByRole('status', { name: 'Loading' })
  await heading('mara')
  expect(await tabs()).toEqual(['POSTS', 'SAVED', 'TAGGED'])
  expect(tab('POSTS').getAttribute('aria-selected')).toBe('true')
  await heading('No Posts Yet')
  expect(pageText()).toContain("When you share photos, they'll appear on your profile.")
  expect(screen.getByRole('link', { name: 'Create your first post' }).getAttribute('href')).toBe('/create')
  expect(pageText()).not.toContain('This feature is coming soon!')
  await userEvent.click(tab('SAVED'))
  await heading('No Saved Posts')
  for (const words of ['Save posts to see them here.', 'This feature is coming soon!'])
    expect(pageText()).toContain(words)
  await userEvent.click(tab('TAGGED'))
  await heading('No Tagged Posts')
  for (const words of ["Posts you're tagged in will appear here.", 'This feature is coming soon!'])
    expect(pageText()).toContain(words)
  expect(app.location.search).toBe('?tab=tagged')
  openApp('/profile/mara?tab=tagged')
  await heading('mara')
  expect(tab('TAGGED').getAttribute('aria-selected')).toBe('true')
  await userEvent.click(tab('POSTS'))
  expect(app.location).toMatchObject({ pathname: '/profile/mara', search: '' })
})

test('PROF-05 PROF-09 another member has no saved posts', async () => {
  openApp('/profile/ines?tab=saved')
  await heading('ines')
  expect(await tabs()).toEqual(['POSTS', 'TAGGED'])
  expect(tab('POSTS').getAttribute('aria-selected')).toBe('true')
  await heading('No Posts Yet')
  expect(pageText()).not.toContain("When you share photos, they'll appear on your profile.")
})

test('PROF-01 an unknown username shows the page for unknown members', async () => {
  openApp('/profile/nobody.at.all')
  await heading('User not found')
  expect(pageText()).toContain("This user doesn't exist or has been deleted.")
})

test('PROF-03 the own profile has Edit Profile and Options', async () => {
  openApp('/profile/mara')
  await heading('mara')
  expect(main().getByRole('link', { name: 'Edit Profile' }).getAttribute('href')).toBe('/edit-profile')
  for (const name of ['Follow', 'Message']) expect(main().queryByRole('button', { name })).toBeNull()
  await press('Options', screen.getByRole('main'))
  expect(await items()).toEqual(['Settings', 'Sign Out'])
  await userEvent.click(screen.getByRole('menuitem', { name: 'Settings' }))
  expect(app.location.pathname).toBe('/settings')
})

test('PROF-02 the own profile of a private account has a lock', async () => {
  members = [memberRow('mara', { id: ME, is_private: true })]
  openApp('/profile/mara')
  expect(await screen.findByRole('img', { name: 'Private Account' })).toBeDefined()
})

test('PROF-02 PROF-03 another member’s profile shows their details, and buttons to follow and message them', async () => {
  openApp('/profile/INES')
  await heading('ines')
  const header = within(screen.getByRole('main').querySelector('header') as HTMLElement)
  expect(header.getByText('I')).toBeDefined()
  expect(header.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '2 posts',
    '1 follower',
    '0 following',
  ])
  expect(header.getByText('Ines Duarte')).toBeDefined()
  expect(header.getByText(/^Mountains first\./).textContent).toBe('Mountains first.\nFilm when it rains.')
  const website = header.getByRole('link', { name: 'example.com/ines' })
  expect(website.getAttribute('href')).toBe('https://example.com/ines')
  expect(website.getAttribute('target')).toBe('_blank')
  expect(website.getAttribute('rel')).toBe('noopener noreferrer')
  expect(header.queryByRole('link', { name: 'Edit Profile' })).toBeNull()
  expect(header.getByRole('button', { name: 'Follow' })).toBeDefined()
  await press('Options', screen.getByRole('main'))
  expect(await items()).toEqual(['Mute', 'Block', 'Report'])
  await userEvent.keyboard('{Escape}')

  let id: unknown
  server.on('GET conversations', () => [])
  server.on('POST conversations', ({ body }) => {
    id = (body as { id: string }).id
    return [{ id }]
  })
  server.on('PATCH conversation_views', () => null)
  await press('Message', screen.getByRole('main'))
  await vi.waitFor(() => expect(app.location.pathname).toBe('/messages'))
  expect(server.sent('POST conversations')).toEqual([{ id, participant_1: ME, participant_2: 'ines' }])
  expect(app.location.search).toBe(`?c=${id}`)
})

test('PROF-02 a picture replaces the letter', async () => {
  members = [memberRow('ines', { avatar_url: PICTURE })]
  openApp('/profile/ines')
  await heading('ines')
  const header = screen.getByRole('main').querySelector('header') as HTMLElement
  await vi.waitFor(() => expect(header.querySelector('img')?.getAttribute('src')).toBe(PICTURE))
  expect(within(header).queryByText('I')).toBeNull()
})

test('PROF-01 PROF-02 a slow profile shows the name and picture that are known', async () => {
  server.on('GET posts', () => [
    postBy('ines', 'p1', { author: { ...author('ines'), full_name: 'Ines D.' } }),
  ])
  server.on('GET profiles', () => new Promise(() => undefined))
  openApp('/')
  const card = await screen.findByRole('article')
  act(() => within(card).getAllByRole('link', { name: 'ines' })[0]?.click())
  await screen.findByRole('heading', { level: 1, name: 'ines' })
  expect(main().getByText('Ines D.')).toBeDefined()
  expect(main().getByRole('status')).toBeDefined()
})

test('PROF-06 PROF-07 PROF-08 PROF-10 the grids show pictures or the start of texts, without posts that are now hidden, and open their posts', async () => {
  server.on('GET posts', ({ query }) => {
    if (query.get('select')?.startsWith('image_url')) return [{ image_url: null }]
    return [
      cellOf('mara', 'p3', { thumbnail_url: PICTURE }),
      cellOf('mara', 'p2', { content: 'Short' }),
      cellOf('mara', 'p1', { content: '🎞'.repeat(51) }),
    ]
  })
  const saved = (id: string) => ({
    created_at: '2026-03-01T12:00:00Z',
    post_id: id,
    post: cellOf('ines', id, { content: id }),
  })
  server.on('GET saved_posts', () => [saved('s2'), { ...saved('gone'), post: null }, saved('s1')])
  server.on('GET post_tags', () => [
    { ...saved('t1'), post: cellOf('ines', 't1', { content: 'With @mara' }) },
  ])
  giveWidth()
  openApp('/profile/mara')
  await screen.findByRole('tabpanel')
  await vi.waitFor(() => expect(cells()).toHaveLength(3))
  expect(within(cells()[0] as HTMLElement).getByRole('img')).toBeDefined()
  await vi.waitFor(() =>
    expect(
      cells()
        .slice(1)
        .map(({ textContent }) => textContent),
    ).toEqual(['Short...', `${'🎞'.repeat(50)}...`]),
  )
  expect(
    within(cells()[1] as HTMLElement)
      .getByRole('link')
      .getAttribute('href'),
  ).toBe('/profile/mara?post=p2')
  await userEvent.click(tab('SAVED'))
  await vi.waitFor(() => expect(cells().map(({ textContent }) => textContent)).toEqual(['s2...', 's1...']))
  await userEvent.click(tab('TAGGED'))
  await vi.waitFor(() => expect(cells().map(({ textContent }) => textContent)).toEqual(['With @mara...']))
})

test('PROF-04 a follow changes the counts at once, survives a restart, and is rolled back if the server refuses it', async () => {
  const follow = () => main().queryByRole('button', { name: 'Follow' })
  const unfollow = () => main().queryByRole('button', { name: 'Unfollow' })
  openApp('/profile/ines')
  await heading('ines')
  await settle()
  let answer: (response: unknown) => void = () => undefined
  server.on('POST follows', () => new Promise((resolve) => (answer = resolve)))
  await press('Follow', screen.getByRole('main'))
  expect(unfollow()).not.toBeNull()
  expect(main().getByRole('link', { name: '2 followers' })).toBeDefined()
  expect(server.sent('POST follows')).toEqual([{ follower_id: ME, following_id: 'ines' }])
  followed = ['ines']
  members[1] = { ...memberRow('ines'), follower_count: 2 }
  await act(async () => answer(null))

  openApp('/profile/ines')
  await heading('ines')
  await vi.waitFor(() => expect(unfollow()).not.toBeNull())
  server.on('POST end_follow', () => null)
  followed = []
  await press('Unfollow', screen.getByRole('main'))
  expect(follow()).not.toBeNull()
  await vi.waitFor(() => expect(server.sent('POST end_follow')).toHaveLength(1))

  server.on('POST follows', () => new Promise((resolve) => (answer = resolve)))
  await press('Follow', screen.getByRole('main'))
  expect(unfollow()).not.toBeNull()
  await vi.waitFor(() => expect(server.sent('POST follows')).toHaveLength(2))
  await act(async () => answer(refusal(500, 'XX000', 'The disk is full')))
  await vi.waitFor(() => expect(follow()).not.toBeNull())
  expect(vi.mocked(logFailure).mock.calls.map(([what]) => what)).toContain('follow')
})

test('PROF-12 followers and following open as lists with follow buttons, and the member removes a follower', async () => {
  const person = (name: string) => ({
    created_at: '2026-03-01T12:00:00Z',
    person_id: name,
    person: { id: name, ...author(name), is_private: false },
  })
  let followers = [person('cleo'), person('ben')]
  followed = ['cleo']
  members[0] = memberRow('mara', { id: ME, follower_count: 2, following_count: 1 })
  server.on('GET follows', ({ query }) => {
    if (query.get('select')?.includes('person_id:follower_id')) return followers
    if (query.get('select')?.includes('person_id:following_id')) return followed.map(person)
    return followed.map((following_id) => ({ following_id }))
  })
  server.on('POST follows', () => null)
  openApp('/profile/mara')
  await heading('mara')
  act(() => screen.getByRole('link', { name: '2 followers' }).click())
  const dialog = await screen.findByRole('dialog', { name: 'Followers' })
  const rows = () => within(dialog).getAllByRole('listitem')
  await vi.waitFor(() => expect(rows()).toHaveLength(2))
  expect(
    within(rows()[0] as HTMLElement)
      .getByRole('link')
      .getAttribute('href'),
  ).toBe('/profile/cleo')
  await within(dialog).findByRole('button', { name: 'Unfollow cleo' })
  await press('Follow ben', dialog)
  await vi.waitFor(() =>
    expect(server.sent('POST follows')).toEqual([{ follower_id: ME, following_id: 'ben' }]),
  )

  const remove = async () => {
    await press('Remove cleo', dialog)
    await press('Remove', await screen.findByRole('alertdialog'))
    await settle()
  }
  server.on('POST end_follow', () => refusal(500, 'XX000', 'no'))
  await remove()
  expect(vi.mocked(logFailure).mock.calls.map(([what]) => what)).toContain('remove follower')
  expect(rows()).toHaveLength(2)
  server.on('POST end_follow', () => {
    followers = [person('ben')]
    return null
  })
  await remove()
  await vi.waitFor(() => expect(rows()).toHaveLength(1))
  expect(server.sent('POST end_follow').at(-1)).toEqual({ follower: 'cleo', following: ME })
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(app.location.search).toBe('')
  act(() => screen.getByRole('link', { name: /following$/ }).click())
  const following = await screen.findByRole('dialog', { name: 'Following' })
  const cleo = await within(following).findByRole('link', { name: /cleo/ })
  act(() => cleo.click())
  expect(app.location.pathname).toBe('/profile/cleo')
})

test('PROF-12 the member’s own row in a list has no buttons', async () => {
  server.on('GET follows', ({ query }) =>
    query.get('select')?.includes('person_id')
      ? [{ created_at: '2026-03-01T12:00:00Z', person_id: ME, person: { ...PROFILE, is_private: false } }]
      : [],
  )
  openApp('/profile/ines?people=followers')
  const dialog = await screen.findByRole('dialog', { name: 'Followers' })
  const row = await within(dialog).findByRole('listitem')
  expect(within(row).queryByRole('button')).toBeNull()
})
