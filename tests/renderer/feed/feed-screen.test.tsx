import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { FEED_PAGE } from '#/shared/limits'
import { app, openApp } from '#tests/renderer/app/open-app'
import { pageText, press, settle } from '#tests/renderer/dom'
import {
  type FakeServer,
  fakeServer,
  memberRow,
  postBy,
  refusal,
  signIn,
  suggestion,
} from '#tests/renderer/fake-server'

let server: FakeServer

beforeEach(() => {
  vi.mocked(logFailure).mockClear()
  server = fakeServer()
  signIn()
})

const [MINE, THEIRS, FOREIGN] = [postBy('mara', 'p1'), postBy('ben', 'p2'), postBy('eva', 'p3')]

const card = (id: string) => document.querySelector<HTMLElement>(`article[data-post="${id}"]`)
const shown = () =>
  [...document.querySelectorAll<HTMLElement>('article[data-post]')].map(({ dataset }) => dataset.post)
const tab = (name: string) => screen.getByRole('tab', { name })

test('FEED-10 a fetch error is only logged, and the next visit refetches the feed', async () => {
  server.on('GET posts', () => refusal(500, 'XX000', 'The disk is full'))
  openApp('/')
  await screen.findByRole('heading', { name: 'No posts yet' })
  expect(logFailure).toHaveBeenCalledWith('read feed', expect.objectContaining({ code: 'server' }))
  expect(screen.queryByRole('alert')).toBeNull()
  server.on('GET posts', () => [MINE])
  await act(async () => app.go('/messages'))
  await screen.findByRole('heading', { name: 'Your Messages' })
  await act(async () => app.go('/'))
  await vi.waitFor(() => expect(shown()).toEqual(['p1']))
})

/** Answers with a feed without an end, whose authors are given by page. Returns how many pages of it were read. */
function serveEndlessFeed(authorOf: (page: number) => string): () => number {
  let pages = 0
  const posts = new Map<string, object>()
  server.on('GET posts', ({ query }) => {
    const asked = query.get('id')?.match(/\d+-\d+/g)
    if (asked != null) return asked.flatMap((id) => posts.get(id) ?? [])
    if (query.get('limit') !== String(FEED_PAGE)) return []
    pages += 1
    return Array.from({ length: FEED_PAGE }, (_, place) => {
      const id = `${pages}-${place}`
      const created_at = new Date(Date.UTC(2026, 1, 1) - pages * 1_000 - place).toISOString()
      const post = postBy(authorOf(pages), id, { created_at })
      posts.set(id, post)
      return post
    })
  })
  return () => pages
}

const mute = (muted_id: string) =>
  server.on('GET mutes', () => [{ muted_id, created_at: '2026-03-01T12:00:00Z' }])

test('SAFE-02 a feed of muted members only waits after ten pages, and reads ten more each time its reader wants more', async () => {
  const pages = serveEndlessFeed(() => 'ben')
  mute('ben')
  openApp('/')
  await screen.findByRole('button', { name: 'Show more' })
  const first = pages()
  expect(first).toBeLessThanOrEqual(12)
  expect(shown()).toEqual([])
  await settle()
  expect(pages()).toBe(first)
  await press('Show more')
  await vi.waitFor(() => expect(pages()).toBe(first + 10))
  await screen.findByRole('button', { name: 'Show more' })
  await settle()
  expect(pages()).toBe(first + 10)
})

test('SAFE-02 a feed waits after ten pages of muted members below its posts too, counted from the last page with others', async () => {
  const pages = serveEndlessFeed((page) => (page === 1 || page === 15 ? 'eva' : 'ben'))
  mute('ben')
  openApp('/')
  await screen.findByRole('button', { name: 'Show more' })
  await settle()
  expect(shown()).toContain('1-1')
  expect(pages()).toBe(11)
  await press('Show more')
  await vi.waitFor(() => expect(pages()).toBe(25))
  await screen.findByRole('button', { name: 'Show more' })
  await settle()
  expect(pages()).toBe(25)
})

/** Opens the menu of a post, and returns its items. */
async function openMenu(id: string): Promise<HTMLElement[]> {
  await userEvent.click(within(card(id) as HTMLElement).getByRole('button', { name: 'Post options' }))
  return screen.findAllByRole('menuitem')
}

const choose = async (item: string) => userEvent.click(screen.getByRole('menuitem', { name: item }))

test('FEED-11 an author deletes their post after a confirmation, and others cannot', async () => {
  server.on('GET posts', () => [MINE, THEIRS])
  server.on('POST delete_posts', () => null)
  openApp('/')
  await vi.waitFor(() => expect(shown()).toEqual(['p1', 'p2']))
  const names = (await openMenu('p2')).map(({ textContent }) => textContent)
  expect(names).toContain('Report post')
  expect(names.filter((name) => /Delete|Edit/.test(name ?? ''))).toEqual([])
  await userEvent.keyboard('{Escape}')

  await openMenu('p1')
  await choose('Delete post')
  await press('Cancel', await screen.findByRole('alertdialog'))
  expect(shown()).toEqual(['p1', 'p2'])
  expect(server.sent('POST delete_posts')).toEqual([])
  await openMenu('p1')
  await choose('Delete post')
  await press('Delete', await screen.findByRole('alertdialog'))
  await vi.waitFor(() => expect(shown()).toEqual(['p2']))
  await vi.waitFor(() => expect(document.activeElement).toBe(card('p2')))
  expect(server.sent('POST delete_posts')).toEqual([{ ids: ['p1'] }])
})

test('FEED-13 Following shows the posts of followed members and the own ones, works by keyboard, and the choice is remembered', async () => {
  server.on('GET posts', () => [FOREIGN, THEIRS, MINE])
  server.on('GET following_posts', () => [THEIRS, MINE])
  openApp('/')
  await vi.waitFor(() => expect(shown()).toEqual(['p3', 'p2', 'p1']))
  expect(tab('Everyone').getAttribute('aria-selected')).toBe('true')
  expect(
    within(screen.getByRole('tablist', { name: 'Feeds' }))
      .getAllByRole('tab')
      .map(({ textContent }) => textContent),
  ).toEqual(['Following', 'Everyone'])
  act(() => tab('Everyone').focus())
  await userEvent.keyboard('{ArrowLeft}')
  expect(document.activeElement).toBe(tab('Following'))
  expect(tab('Following').getAttribute('aria-selected')).toBe('true')
  expect(screen.getByRole('tabpanel', { name: 'Following' })).toBeDefined()
  await vi.waitFor(() => expect(shown()).toEqual(['p2', 'p1']))

  openApp('/')
  expect(tab('Following').getAttribute('aria-selected')).toBe('true')
  await vi.waitFor(() => expect(shown()).toEqual(['p2', 'p1']))
})

test('FEED-13 a member who is no longer followed leaves Following at once; posts of one who has just been followed wait behind the pill', async () => {
  const followed = new Set(['ben'])
  server.on('GET posts', () => [FOREIGN, THEIRS, MINE])
  server.on('GET following_posts', () =>
    [FOREIGN, THEIRS, MINE].filter(
      ({ author: { username } }) => username === 'mara' || followed.has(username),
    ),
  )
  server.on('GET follows', () => [...followed].map((following_id) => ({ following_id })))
  server.on('GET profiles', ({ query }) => [memberRow(query.get('username')?.slice('eq.'.length) ?? '')])
  for (const table of ['mutes', 'stories', 'follow_requests']) server.on(`GET ${table}`, () => [])
  server.on('POST end_follow', () => {
    followed.clear()
    return null
  })
  server.on('POST follows', ({ body }) => {
    followed.add((body as { following_id: string }).following_id)
    return null
  })
  const openAuthor = async (id: string, name: string) =>
    userEvent.click(within(card(id) as HTMLElement).getAllByRole('link', { name })[0] as HTMLElement)
  openApp('/')
  await vi.waitFor(() => expect(shown()).toEqual(['p3', 'p2', 'p1']))
  await userEvent.click(tab('Following'))
  await vi.waitFor(() => expect(shown()).toEqual(['p2', 'p1']))
  await openAuthor('p2', 'ben')
  await userEvent.click(await screen.findByRole('button', { name: 'Unfollow' }))
  await screen.findByRole('button', { name: 'Follow' })
  await userEvent.click(screen.getByRole('link', { name: 'Home' }))
  await vi.waitFor(() => expect(shown()).toEqual(['p1']))

  await userEvent.click(tab('Everyone'))
  await vi.waitFor(() => expect(shown()).toEqual(['p3', 'p2', 'p1']))
  await openAuthor('p3', 'eva')
  await userEvent.click(await screen.findByRole('button', { name: 'Follow' }))
  await screen.findByRole('button', { name: 'Unfollow' })
  await userEvent.click(screen.getByRole('link', { name: 'Home' }))
  await userEvent.click(tab('Following'))
  await userEvent.click(await screen.findByRole('button', { name: 'New posts' }))
  await vi.waitFor(() => expect(shown()).toEqual(['p3', 'p1']))
})

test('FEED-13 without followed members, Following says so and offers everyone’s posts', async () => {
  server.on('GET posts', () => [THEIRS])
  server.on('GET following_posts', () => [])
  server.on('GET people_to_follow', () => [suggestion('ben')])
  openApp('/')
  await screen.findByRole('tab', { name: 'Following' })
  await userEvent.click(tab('Following'))
  await screen.findByRole('heading', { name: 'Nothing from people you follow' })
  expect(pageText()).toContain('Follow people to see their posts here.')
  await screen.findByRole('button', { name: 'Follow ben' })
  await press('Show everyone’s posts')
  await vi.waitFor(() => expect(shown()).toEqual(['p2']))
  await settle()
  expect(document.activeElement).toBe(tab('Everyone'))
})

test('the feed works by keyboard: j, k, l, s, c, and Escape out of a comment', async () => {
  server.on('GET posts', () => [THEIRS, MINE])
  server.on('GET comments', () => [])
  openApp('/')
  await vi.waitFor(() => expect(shown()).toEqual(['p2', 'p1']))
  const focused = () => (document.activeElement as HTMLElement).dataset.post
  const pressed = (name: string) =>
    within(card('p1') as HTMLElement)
      .getByRole('button', { name })
      .getAttribute('aria-pressed')
  const comment = () => within(card('p1') as HTMLElement).getByRole<HTMLTextAreaElement>('textbox')
  await userEvent.keyboard('j')
  expect(focused()).toBe('p2')
  await userEvent.keyboard('j')
  expect(focused()).toBe('p1')
  await userEvent.keyboard('l')
  expect(pressed('Like')).toBe('true')
  await userEvent.keyboard('s')
  expect(pressed('Save')).toBe('true')
  await userEvent.keyboard('c')
  await vi.waitFor(() => expect(document.activeElement).toBe(comment()))
  await userEvent.keyboard('j')
  expect(comment().value).toBe('j')
  await userEvent.keyboard('{Escape}')
  expect(focused()).toBe('p1')
  expect(comment().value).toBe('j')
  await userEvent.keyboard('k')
  expect(focused()).toBe('p2')
})
