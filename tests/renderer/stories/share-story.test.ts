import type { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { editState, storyState } from '#/renderer/features/stories/address'
import { useEditedStory, useShareStoryMutation } from '#/renderer/features/stories/components/MakeStoryDialog'
import { storyKeys } from '#/renderer/features/stories/keys'
import { storyKind } from '#/renderer/features/stories/mutations'
import {
  dispatchDraft,
  emptyDraft,
  isEmptyDraft,
  openStoryDraft,
  useStoryDraftStore,
} from '#/renderer/features/stories/story-draft-store'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { connection } from '#/renderer/lib/live'
import type { PreparedMedia } from '#/renderer/lib/media'
import { pendingRows } from '#/renderer/lib/outbox/pending'
import { uploadParts } from '#/renderer/lib/outbox/upload-parts'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { callHook, showHook } from '#tests/renderer/dom'
import { runOutbox } from '#tests/renderer/lib/outbox/running-outbox'

vi.mock('#/renderer/features/stories/story-files-store', () => ({
  readStory: () => null,
  keepStory: () => undefined,
  keepFiles: () => undefined,
}))

const server = vi.hoisted(() => ({
  /** The stored stories by id. */
  stories: new Map<string, { id: string }>(),
  /** Writes in order. */
  writes: [] as string[],
  /** How the next inserts end: 'lost' stores the story and loses the response. */
  insert: 'stored' as 'stored' | 'lost' | 'refused',
}))

const page = vi.hoisted(() => ({ state: null as unknown, navigated: [] as unknown[] }))

vi.mock('react-router-dom', async (load) => ({
  ...(await load<object>()),
  useLocation: () => ({ search: '?story=new', state: page.state }),
  useNavigate:
    () =>
    async (...to: unknown[]) =>
      void page.navigated.push(to),
}))
vi.mock(
  '#/renderer/lib/outbox/store',
  async () => (await import('#tests/renderer/lib/outbox/memory-store')).storeModule,
)
vi.mock('#/renderer/lib/outbox/upload-parts', () => ({ uploadParts: vi.fn() }))
vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'me' }) }))
vi.mock('#/renderer/features/messages', () => ({}))
vi.mock('#/renderer/features/desktop', () => ({ desktop: {} }))
vi.mock('#/renderer/lib/server/supabase', () => {
  return {
    unwrap: (request: Promise<unknown>) => request,
    supabase: () => ({
      auth: { getSession: async () => ({ data: { session: { user: { id: 'me' } } } }) },
      rpc: async (name: string, { ids }: { ids: readonly string[] }) => {
        expect(name).toBe('delete_stories')
        server.writes.push(`delete ${ids.join()}`)
        for (const id of ids) server.stories.delete(id)
      },
      from: () => ({
        select: () => ({ in: async () => [] }),
        upsert: (row: { id: string }, { ignoreDuplicates }: { ignoreDuplicates: boolean }) => ({
          select: async () => {
            server.writes.push(`insert ${row.id}`)
            if (server.insert === 'refused') throw new AppError('refused', 'No', '400')
            const isNew = !ignoreDuplicates || !server.stories.has(row.id)
            if (isNew) server.stories.set(row.id, row)
            if (server.insert === 'lost') throw new AppError('offline', '', '')
            return isNew ? [row] : []
          },
        }),
      }),
    }),
  }
})

const PICTURE: PreparedMedia = {
  kind: 'image',
  full: new Blob(['full'], { type: 'image/webp' }),
  feed: new Blob(['feed'], { type: 'image/webp' }),
  grid: new Blob(['grid'], { type: 'image/webp' }),
  thumbhash: 'aGFzaA==',
  width: 810,
  height: 1440,
}

let client: QueryClient

const draft = () => useStoryDraftStore.getState().draft
const settle = () => new Promise((resolve) => setTimeout(resolve, 5))
const states = () => pendingRows.getState().map(({ id, state }) => [id, state])

/** Fills the form and presses 'Share'; resolves once it has ended. */
async function share(caption: string): Promise<string> {
  dispatchDraft({ type: 'media', change: { type: 'ready', media: PICTURE } })
  dispatchDraft({ type: 'typed', caption })
  return shareAgain()
}

async function shareAgain(): Promise<string> {
  const { id } = draft()
  callHook(useShareStoryMutation, client).mutate(draft())
  await settle()
  return id
}

beforeEach(() => {
  server.stories.clear()
  server.writes = []
  server.insert = 'stored'
  page.state = null
  page.navigated = []
  vi.mocked(uploadParts)
    .mockReset()
    .mockImplementation(async (parts) =>
      Object.fromEntries(Object.keys(parts).map((name) => [name, `me/${name}.webp`])),
    )
  connection.setState({ state: 'online', retryAt: null })
  vi.mocked(logFailure).mockClear()
  client = createQueryClient()
  useStoryDraftStore.setState({ owner: '', draft: emptyDraft() })
  openStoryDraft('me')
  runOutbox(client, [storyKind])
})

describe('STORY-01 while the connection is there', () => {
  test('the story is stored with its media and caption, the strip is refetched and the form is cleared', async () => {
    client.setQueryData(storyKeys.strip, { pages: [], pageParams: [] })
    const id = await share('  Low tide ')
    expect([...server.stories.values()]).toEqual([
      {
        id,
        user_id: 'me',
        media_path: 'me/media.webp',
        media_type: 'image',
        content: 'Low tide',
        poster_path: 'me/poster.webp',
        thumbhash: 'aGFzaA==',
        media_width: 810,
        media_height: 1440,
        duration_ms: null,
      },
    ])
    expect(client.getQueryState(storyKeys.strip)?.isInvalidated).toBe(true)
    expect(isEmptyDraft(draft())).toBe(true)
    expect(states()).toEqual([])
  })

  test('MEDIA-01 MEDIA-03 its video and poster are uploaded first', async () => {
    const media: PreparedMedia = {
      kind: 'video',
      video: new Blob(['12345'], { type: 'video/mp4' }),
      poster: new Blob(['p'], { type: 'image/webp' }),
      thumbhash: 'aGFzaA==',
      width: 9,
      height: 16,
      durationMs: 7_000,
    }
    vi.mocked(uploadParts).mockImplementationOnce(async (parts) => {
      expect([server.writes, parts]).toEqual([[], { poster: media.poster, media: media.video }])
      return { poster: 'me/p.webp', media: 'me/v.mp4' }
    })
    dispatchDraft({ type: 'media', change: { type: 'ready', media } })
    await shareAgain()
    await vi.waitFor(() => expect(server.stories.size).toBe(1))
    const [story] = [...server.stories.values()]
    expect(story).toMatchObject({ media_path: 'me/v.mp4', poster_path: 'me/p.webp', thumbhash: 'aGFzaA==' })
    expect(story).not.toHaveProperty('media_url')
    expect(story).not.toHaveProperty('thumbnail_url')
  })

  test('the form keeps everything when the server refuses the story', async () => {
    server.insert = 'refused'
    const id = await share('Low tide')
    expect(draft()).toMatchObject({ id, caption: 'Low tide', chosen: { media: PICTURE }, sending: null })
    expect(states()).toEqual([])
    expect(vi.mocked(logFailure).mock.calls).toEqual([['share story', expect.any(AppError)]])
    server.insert = 'stored'
    await shareAgain()
    expect([...server.stories.keys()]).toEqual([id])
  })

  test('the form keeps everything when the response is lost, and a changed story replaces the stored one', async () => {
    server.insert = 'lost'
    const first = await share('Low tide')
    expect(draft().caption).toBe('Low tide')
    expect(states()).toEqual([])
    server.insert = 'stored'
    dispatchDraft({ type: 'typed', caption: 'High tide' })
    const second = await shareAgain()
    expect(server.writes).toEqual([`insert ${first}`, `delete ${first}`, `insert ${second}`])
    expect([...server.stories.values()]).toMatchObject([{ id: second, content: 'High tide' }])
  })
})

describe('STORY-10 while the connection is lost', () => {
  beforeEach(() => {
    connection.setState({ state: 'lost', retryAt: null })
  })

  test('the story waits, the form is cleared, and it is sent once when the connection returns', async () => {
    const id = await share('Low tide')
    expect(states()).toEqual([[id, 'waiting']])
    expect(isEmptyDraft(draft())).toBe(true)
    expect(server.writes).toEqual([])
    connection.setState({ state: 'online', retryAt: null })
    await settle()
    expect(server.writes).toEqual([`insert ${id}`])
    expect(states()).toEqual([])
  })

  test('a story that the server refuses after that can be edited and shared again', async () => {
    const id = await share('Low tide')
    server.insert = 'refused'
    connection.setState({ state: 'online', retryAt: null })
    await settle()
    expect(states()).toEqual([[id, 'refused']])
    server.insert = 'stored'
    const isBlocked = openEdited(id)
    await settle()
    page.state = null
    expect(isBlocked()).toBe(false)
    expect(page.navigated).toEqual([[{ search: '?story=new' }, { replace: true, state: storyState() }]])
    expect(states()).toEqual([])
    expect(draft()).toMatchObject({ id, caption: 'Low tide', chosen: { state: 'ready', media: PICTURE } })
    dispatchDraft({ type: 'typed', caption: 'High tide' })
    const next = await shareAgain()
    expect(server.writes.slice(1)).toEqual([`delete ${id}`, `insert ${next}`])
  })

  test('a pending story stays in the outbox while another one is in the form', async () => {
    const id = await share('Low tide')
    dispatchDraft({ type: 'typed', caption: 'Another' })
    const isBlocked = openEdited(id)
    await settle()
    expect(isBlocked()).toBe(true)
    expect(states()).toEqual([[id, 'waiting']])
    expect(draft().caption).toBe('Another')
  })
})

/** Opens the form by 'Edit' of a pending story. Returns whether the form is blocked by another draft. */
function openEdited(id: string): () => boolean {
  page.state = editState(id)
  const { rerender, result } = showHook(useEditedStory, { client })
  return () => {
    rerender()
    return result.current
  }
}
