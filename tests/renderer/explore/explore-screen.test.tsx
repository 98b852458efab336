import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GRID_PAGE } from '#/shared/limits'
import { app, openApp } from '#tests/renderer/app/open-app'
import { pageText, press, resize, settle } from '#tests/renderer/dom'
import {
  author,
  type FakeServer,
  fakeServer,
  ME,
  postBy,
  refusal,
  signIn,
  suggestion,
} from '#tests/renderer/fake-server'

let server: FakeServer

afterEach(() => {
  vi.restoreAllMocks()
})

beforeEach(() => {
  server = fakeServer()
  server.on('GET posts', () => [postBy('ben', 'p1')])
  for (const name of ['explore_posts', 'people_to_follow', 'popular_hashtags'])
    server.on(`GET ${name}`, () => [])
  for (const name of ['posts', 'profiles', 'topics']) server.on(`POST search_${name}`, () => [])
  server.on('GET hashtag_follows', () => [])
  signIn()
})

/** A member as a search finds them. */
const found = (username: string) => ({ id: username, ...author(username) })

const topic = (kind: 'hashtag' | 'place', label: string) => ({ kind, topic: label, label })

const cell = (id: string) => ({ ...postBy('ben', id), post_id: id })

/** A grid has its width, which the document does not know. */
const giveWidth = () =>
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 900, 600))

const hrefs = (region: HTMLElement) =>
  within(region)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))

const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
const listed = async () => {
  await screen.findAllByRole('option')
  return options()
}

const main = () => within(screen.getByRole('main'))
const box = () => screen.getByRole('combobox', { name: 'Search' })
const fails = () => Promise.reject(new TypeError('Failed to fetch'))
const offline = () => main().queryByText('This appears when the connection is back.')

const READS = ['GET explore_posts', 'POST search_posts']

test.each(READS)(
  'FEED-22 FEED-16 FEED-12 %s says at once that there is no connection, and loads by itself later',
  async (read) => {
    server.on(read, fails)
    openApp(read === 'GET explore_posts' ? '/?explore' : '/?q=tide')
    await screen.findByRole('main')
    await waitFor(() => expect(offline()).not.toBeNull())
    // One that could not be loaded is not empty.
    expect(main().queryByText('Nothing here yet')).toBeNull()
    expect(main().queryByText('No posts found')).toBeNull()
    server.on(read, () => [])
    await waitFor(() => expect(offline()).toBeNull())
  },
)

test('FEED-12 NAV-03 a search without a connection says so at once, and not beside what the previous one found', async () => {
  server.on('POST search_profiles', () => [suggestion('ines')])
  openApp('/')
  fireEvent.change(box(), { target: { value: 'in' } })
  await screen.findByRole('option', { name: /ines/ })
  server.on('POST search_profiles', fails)
  fireEvent.change(box(), { target: { value: 'ines' } })
  await screen.findByText('Search works again when the connection is back.')
  expect(screen.queryByRole('option')).toBeNull()
  expect(server.sent('POST search_profiles')).toHaveLength(2)
})

test('FEED-22 FEED-12 NAV-03 a grid and a search that the server refuses say so', async () => {
  const refuses = () => refusal(500, 'XX000', 'The disk is full')
  for (const name of ['GET explore_posts', 'POST search_profiles']) server.on(name, refuses)
  openApp('/?explore')
  fireEvent.change(box(), { target: { value: 'ines' } })
  await screen.findByText('Search does not work at the moment.')
  await main().findByText('This could not be loaded.')
  expect(offline()).toBeNull()
  server.on('GET explore_posts', () => [])
  await press('Try again', screen.getByRole('main'))
  await waitFor(() => expect(main().queryByText('This could not be loaded.')).toBeNull())
})

test('NAV-03 a typed search stays on its page', async () => {
  openApp('/?explore')
  await userEvent.type(box(), 'ines')
  await act(async () => app.go('/'))
  expect((box() as HTMLInputElement).value).toBe('')
})

test('FEED-16 a hashtag has its posts, their number, and can be followed', async () => {
  let followed: object[] = []
  server.on('GET hashtag_follows', () => followed)
  server.on('GET post_topics', () =>
    ['p2', 'p1'].map((id) => ({ created_at: '2026-03-01T12:00:00Z', post_id: id, post: cell(id) })),
  )
  server.on('POST count_topic_posts', () => 2)
  server.on('POST hashtag_follows', ({ body }) => {
    followed = [body as object]
    return null
  })
  giveWidth()
  openApp('/?tag=fog')
  await screen.findByRole('heading', { level: 1, name: /#fog/ })
  expect(document.title).toBe('#fog · Vignette')
  await screen.findByText('2 posts')
  await vi.waitFor(() => expect(main().getAllByRole('listitem')).toHaveLength(2))
  expect(hrefs(screen.getByRole('main'))).toEqual(['/?tag=fog&post=p2', '/?tag=fog&post=p1'])
  await press('Follow #fog')
  await screen.findByRole('button', { name: 'Unfollow #fog' })
  await vi.waitFor(() => expect(followed).toEqual([{ follower_id: ME, tag: 'fog' }]))
  openApp('/?tag=fog')
  await screen.findByRole('button', { name: 'Unfollow #fog' })
  server.on('DELETE hashtag_follows', () => null)
  await press('Unfollow #fog')
  await screen.findByRole('button', { name: 'Follow #fog' })
  await vi.waitFor(() => expect(server.sent('DELETE hashtag_follows')).toHaveLength(1))
})

test.each([
  ['?tag=fog', 'Posts with this hashtag appear here.'],
  ['?place=Fano', 'Posts from this place appear here.'],
])('FEED-16 /%s without posts says so', async (address, words) => {
  server.on('GET post_topics', () => [])
  server.on('POST count_topic_posts', () => 0)
  openApp(`/${address}`)
  await screen.findByRole('heading', { name: 'Nothing here yet' })
  expect(pageText()).toContain(words)
  await screen.findByText('0 posts')
})

test('FEED-16 Explore shows followed and popular hashtags, people and photos, all at once', async () => {
  let people: (rows: unknown) => void = () => undefined
  server.on('GET hashtag_follows', () => [{ tag: 'fog' }])
  server.on('GET popular_hashtags', () => [{ topic: 'dunes', label: 'Dunes' }])
  server.on('GET people_to_follow', () => new Promise((resolve) => (people = resolve)))
  server.on('GET explore_posts', () => [cell('p1')])
  giveWidth()
  openApp('/?explore')
  const photos = await screen.findByRole('region', { name: 'Recent photos and videos' })
  await vi.waitFor(() => expect(hrefs(photos)).toEqual(['/?explore=&post=p1']))
  expect(photos.closest('.invisible')).not.toBeNull()
  await act(async () => people([suggestion('ines')]))
  await vi.waitFor(() => expect(photos.closest('.invisible')).toBeNull())
  expect(hrefs(screen.getByRole('region', { name: 'Followed hashtags' }))).toEqual(['/?tag=fog'])
  expect(hrefs(screen.getByRole('region', { name: 'Popular hashtags' }))).toEqual(['/?tag=Dunes'])
  expect(screen.getByRole('region', { name: 'People to follow' }).textContent).toContain('ines')
})

test('SAFE-02 the grid of a hashtag waits after ten pages of muted members', async () => {
  let pages = 0
  server.on('GET mutes', () => [{ muted_id: 'ben', created_at: '2026-03-01T12:00:00Z' }])
  server.on('GET post_topics', async () => {
    pages += 1
    // The page draws that it reads, as with a network.
    await settle()
    return Array.from({ length: GRID_PAGE }, (_, place) => {
      const created_at = new Date(Date.UTC(2026, 1, 1) - pages * 1_000 - place).toISOString()
      const post_id = `${pages}-${place}`
      return { created_at, post_id, post: postBy('ben', post_id) }
    })
  })
  server.on('POST count_topic_posts', () => 1_000)
  giveWidth()
  openApp('/?tag=fog')
  await screen.findByRole('button', { name: 'Show more' })
  const first = pages
  expect(first).toBeLessThanOrEqual(12)
  await settle()
  expect(pages).toBe(first)
  await press('Show more')
  await vi.waitFor(() => expect(pages).toBe(first + 10))
})

test('FEED-16 a narrow window has the feeds and Explore above the page', async () => {
  resize(900)
  openApp('/?explore')
  const feeds = await screen.findByRole('navigation', { name: 'Feeds' })
  expect(within(feeds).getByRole('link', { name: 'Explore' }).getAttribute('aria-current')).toBe('page')
  server.on('GET following_posts', () => [])
  await act(async () => within(feeds).getByRole('link', { name: 'Following' }).click())
  expect(screen.getByRole('tab', { name: 'Following' }).getAttribute('aria-selected')).toBe('true')
  await act(async () => main().getByRole('link', { name: 'Explore' }).click())
  expect(app.location.search).toBe('?explore')
})

test('NAV-03 FEED-16 the search suggests members, hashtags and places, which a press or the arrow keys choose', async () => {
  server.on('POST search_profiles', () => [found('ines'), found('inge')])
  server.on('POST search_topics', () => [topic('hashtag', 'inlet'), topic('place', 'Inverness')])
  server.on('GET post_topics', () => [])
  openApp('/')
  await userEvent.type(box(), 'in')
  expect(box().getAttribute('aria-expanded')).toBe('true')
  await vi.waitFor(() =>
    expect(options()).toEqual(['Iinesines', 'Iingeinge', 'inlet', 'Inverness', 'All results']),
  )
  expect(within(screen.getByRole('group', { name: 'Places' })).getByRole('option').textContent).toBe(
    'Inverness',
  )
  await userEvent.click(screen.getByRole('option', { name: 'Inverness' }))
  expect(app.location.search).toBe('?place=Inverness')
  expect((box() as HTMLInputElement).value).toBe('')

  await userEvent.type(box(), 'in')
  await vi.waitFor(() => expect(options()).toHaveLength(5))
  expect(screen.queryByRole('option', { selected: true })).toBeNull()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  const second = screen.getByRole('option', { selected: true })
  expect(second.textContent).toBe('Iingeinge')
  expect(box().getAttribute('aria-activedescendant')).toBe(second.id)
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await vi.waitFor(() => expect(app.location.search).toBe('?tag=inlet'))

  await userEvent.type(box(), 'in')
  await listed()
  await userEvent.keyboard('{Escape}')
  expect(document.querySelector<HTMLElement>('[role=listbox]')?.hidden).toBe(true)
  expect(box().getAttribute('aria-expanded')).toBe('false')
  expect((box() as HTMLInputElement).value).toBe('in')
  await userEvent.clear(box())
  await userEvent.type(box(), '   ')
  expect(screen.queryByRole('option')).toBeNull()
})

test('NAV-03 a search without results says so', async () => {
  openApp('/')
  await userEvent.type(box(), 'nobody like this')
  await screen.findByText('No people, hashtags or places')
})

test('FEED-22 NAV-03 Enter shows people, hashtags, places and posts, also before the suggestions arrive, and the text leaves with the page', async () => {
  server.on('POST search_profiles', ({ body }) =>
    (body as { query: string }).query === 'tide' ? [found('ines')] : [],
  )
  server.on('POST search_topics', ({ body }) =>
    (body as { query: string }).query === 'tide'
      ? [topic('hashtag', 'tide'), topic('place', 'Upper Tide')]
      : [],
  )
  server.on('POST search_posts', ({ body }) =>
    (body as { query: string }).query === 'tide' ? [cell('p1')] : [],
  )
  giveWidth()
  openApp('/')
  await userEvent.type(box(), 'tide{Enter}')
  expect(app.location.search).toBe('?q=tide')
  expect(document.title).toBe('tide · Vignette')
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toMatch(/^Results for “.?tide.?”$/)
  const region = (name: string) => screen.findByRole('region', { name })
  expect(hrefs(await region('People'))).toEqual(['/profile/ines'])
  expect(hrefs(await region('Hashtags'))).toEqual(['/?tag=tide'])
  expect(hrefs(await region('Places'))).toEqual(['/?place=Upper+Tide'])
  const posts = await region('Posts')
  await vi.waitFor(() => expect(hrefs(posts)).toEqual(['/?q=tide&post=p1']))
  await act(async () => within(posts).getByRole('link').click())
  await screen.findByRole('dialog')
  await userEvent.keyboard('{Escape}')
  expect((box() as HTMLInputElement).value).toBe('tide')

  await userEvent.clear(box())
  await userEvent.type(box(), 'none')
  await userEvent.click(await screen.findByRole('option', { name: 'All results' }))
  expect(app.location.search).toBe('?q=none')
  await screen.findByText('No posts found')
  await act(async () => app.go(-1))
  expect((box() as HTMLInputElement).value).toBe('tide')
  await act(async () => app.go('/'))
  await settle()
  expect((box() as HTMLInputElement).value).toBe('')
})
