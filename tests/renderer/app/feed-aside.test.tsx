import { act, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { emitRowChange } from '#/renderer/lib/live/row-changes-store'
import type { Tables } from '#/shared/database.types'
import { app, openApp } from '#tests/renderer/app/open-app'
import { press, resize, settle } from '#tests/renderer/dom'
import {
  author,
  type FakeServer,
  fakeServer,
  ME,
  postBy,
  signIn,
  suggestion,
} from '#tests/renderer/fake-server'

const ASIDE = { name: 'People, hashtags and messages' }
const CONVERSATION = 'c0000000-0000-4000-8000-00000000000c'

const aside = () => screen.findByRole('complementary', ASIDE)
const inAside = async () => within(await aside())
const asked = (name: string) => server.calls.some((call) => call.name === name)

let server: FakeServer

/** A conversation of the member with ben, whose latest message is not read. */
const unread = (content: string) => ({
  id: CONVERSATION,
  participant_1: ME,
  participant_2: 'ben',
  epoch: 0,
  participant_1_wrote: true,
  participant_2_wrote: true,
  ...{ kind: 'pair', name: null, picture_path: null },
  last_message_at: '2026-03-01T12:00:00Z',
  mine: [
    {
      ...{ folder: 'inbox', unread: true, writes: true, mark_at: null, mark_id: null },
      ...{ pinned_at: null, delivered_at: null, cleared_at: null, reads_after: '-infinity' },
    },
  ],
  one: { id: ME, ...author('mara') },
  two: { id: 'ben', ...author('ben') },
  latest: [
    {
      ...{ id: content, sender_id: 'ben', content, created_at: '2026-03-01T12:00:00Z', deleted_at: null },
      ...{ media_id: null, answers_story: false, shared_kind: null },
    },
  ],
})

beforeEach(() => {
  server = fakeServer()
  server.on('GET posts', () => [postBy('ben', 'p1')])
  for (const table of ['hashtag_follows', 'follows', 'follow_requests']) server.on(`GET ${table}`, () => [])
  server.on('GET people_to_follow', () => [])
  server.on('GET unread_conversations', () => 0)
  signIn()
})

test('FEED-21 below 1600 px there is no aside, and nothing is loaded for it', async () => {
  resize(1599)
  openApp('/')
  await screen.findByRole('article')
  await settle()
  expect(screen.queryByRole('complementary', ASIDE)).toBeNull()
  for (const name of ['GET people_to_follow', 'GET hashtag_follows', 'GET my_conversations'])
    expect(asked(name), name).toBe(false)
})

test('FEED-21 an aside without people, hashtags and unread messages has the own account, and no conversations are loaded', async () => {
  resize(1600)
  openApp('/')
  const own = await (await inAside()).findByRole('link')
  expect(own.getAttribute('href')).toBe('/profile/mara')
  await vi.waitFor(() => expect(asked('GET people_to_follow')).toBe(true))
  await settle()
  expect((await inAside()).queryByRole('region')).toBeNull()
  expect(asked('GET my_conversations')).toBe(false)
})

test('FEED-21 the aside has people to follow, followed hashtags and unread messages, and adds those that arrive', async () => {
  let latest = 'Bring a tripod'
  server.on('GET hashtag_follows', () => [{ tag: 'fog' }])
  server.on('GET people_to_follow', () => ['ana', 'ben', 'cleo', 'dora'].map(suggestion))
  server.on('GET unread_conversations', () => 1)
  server.on('GET my_conversations', () => [unread(latest)])
  server.on('POST follows', () => null)
  resize(1600)
  openApp('/')
  const tags = await (await inAside()).findByRole('region', { name: 'Followed hashtags' })
  expect(within(tags).getByRole('link', { name: '#fog' }).getAttribute('href')).toBe('/?tag=fog')
  await screen.findByRole('link', { name: /Bring a tripod/ })

  latest = 'And a torch'
  const row = { id: 'm2', conversation_id: CONVERSATION } as Tables<'messages'>
  act(() => emitRowChange('messages', { kind: 'insert', row }))
  const messages = await (await inAside()).findByRole('region', { name: 'Unread messages' })
  await within(messages).findByRole('link', { name: /And a torch/ })

  const people = (await inAside()).getByRole('region', { name: 'People to follow' })
  expect(within(people).getAllByRole('listitem')).toHaveLength(3)
  await press('Follow ana', people)
  await within(people).findByRole('button', { name: 'Unfollow ana' })
  act(() => within(messages).getByRole('link').click())
  expect(app.location).toMatchObject({ pathname: '/messages', search: `?c=${CONVERSATION}` })
  expect(screen.queryByRole('complementary', ASIDE)).toBeNull()
})

const WRONG = [{ username: { a: 1 } }, { full_name: null }, { followed_by: 7 }, { id: [] }]

test.each(WRONG)(
  'FEED-21 people to follow with %o leave the feed and the other sections beside it',
  async (wrong) => {
    server.on('GET hashtag_follows', () => [{ tag: 'fog' }])
    server.on('GET people_to_follow', () => [{ ...suggestion('ben'), ...wrong }])
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    resize(1600)
    openApp('/')
    // The read is tried again before it counts as failed.
    await act(async () => void (await vi.advanceTimersByTimeAsync(10_000)))
    expect(within(screen.getByRole('complementary', ASIDE)).getByRole('link', { name: '#fog' })).toBeDefined()
    expect(screen.getByText('p1 by ben')).toBeDefined()
    expect(screen.queryByRole('region', { name: 'People to follow' })).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
  },
)
