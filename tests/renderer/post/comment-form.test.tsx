import type { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { commentKind, useSendCommentMutation } from '#/renderer/features/post/comments/mutations'
import { PendingComments } from '#/renderer/features/post/components/PendingComments'
import { commentDraftOf } from '#/renderer/features/post/drafts'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { connection } from '#/renderer/lib/live'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { texts } from '#/renderer/lib/texts'
import { callHook, pageText, press, settle, show } from '#tests/renderer/dom'
import { runOutbox } from '#tests/renderer/lib/outbox/running-outbox'

/** Each id is stored once; `answer` fails the next requests. */
const server = vi.hoisted(() => ({
  stored: new Map<string, string>(),
  parents: [] as (string | null)[],
  answer: async (): Promise<void> => undefined,
}))

vi.mock(
  '#/renderer/lib/outbox/store',
  async () => (await import('#tests/renderer/lib/outbox/memory-store')).storeModule,
)
vi.mock('#/renderer/features/auth', () => ({
  useMe: () => ({ id: 'me', profile: { username: 'mara', avatar_url: null, avatar_path: null } }),
}))
vi.mock('#/renderer/lib/server/supabase', () => ({
  unwrap: (request: () => Promise<unknown>) => request(),
  supabase: () => ({
    from: () => ({
      upsert: ({ id, content, parent_id }: { id: string; content: string; parent_id: string | null }) => {
        const send = async () => {
          await server.answer()
          if (server.stored.has(id)) return null
          server.stored.set(id, content)
          server.parents.push(parent_id)
          return { created_at: '2026-03-01T12:00:00Z' }
        }
        return { select: () => ({ maybeSingle: () => send }) }
      },
    }),
  }),
}))

const LIST = ['comments', 'p']
const { outbox, post, tryAgain } = texts

let client: QueryClient

const draft = () => commentDraftOf('me', 'p')
/** The pending comments on the page. */
function openPending(onEdit = () => undefined) {
  const { container } = show(<PendingComments postId="p" onEdit={onEdit} />)
  return () => pageText(container)
}
const listed = () =>
  client
    .getQueryData<{ pages: { comments: { content: string }[] }[] }>(LIST)
    ?.pages.flatMap(({ comments }) => comments.map(({ content }) => content))
const count = () => client.getQueryData<{ comment_count: number }>(['post', 'p'])?.comment_count

async function comment(text: string): Promise<string> {
  draft().setText(text)
  return callHook(() => useSendCommentMutation('p'), client).mutateAsync(draft().take())
}

beforeEach(() => {
  client = createQueryClient()
  client.setQueryData(LIST, { pages: [{ comments: [] }], pageParams: [null] })
  client.setQueryData(['post', 'p'], { id: 'p', comment_count: 0 })
  connection.setState({ state: 'online', retryAt: null })
  server.stored.clear()
  server.parents.length = 0
  server.answer = async () => undefined
  vi.mocked(logFailure).mockClear()
  runOutbox(client, [commentKind])
})

test('FEED-06 a sent comment is listed and counted, and leaves its field', async () => {
  expect(await comment(' What a morning ')).toBe('sent')
  expect(listed()).toEqual(['What a morning'])
  expect(count()).toBe(1)
  expect(draft().take().text).toBe('')
  expect(openPending()()).not.toContain('What a morning')
})

test('FEED-19 comments wait while the connection is lost, and are sent once and in order when it returns', async () => {
  const pending = openPending()
  connection.setState({ state: 'lost', retryAt: null })
  expect(await comment('first')).toBe('waiting')
  expect(await comment('second')).toBe('waiting')
  expect(draft().take().text).toBe('')
  expect(listed()).toEqual([])
  await settle()
  expect(pending()).toMatch(
    new RegExp(`${post.pendingComments}.*first.*${outbox.waiting}.*second.*${outbox.waiting}`),
  )
  connection.setState({ state: 'online', retryAt: null })
  await vi.waitFor(() => expect(listed()).toEqual(['first', 'second']))
  expect(count()).toBe(2)
  expect([...server.stored.values()]).toEqual(['first', 'second'])
  await vi.waitFor(() => expect(pending()).not.toContain('second'))
})

test('FEED-19 a comment whose response was lost is stored once, and the post is refetched', async () => {
  const refetched = vi.spyOn(client, 'invalidateQueries')
  connection.setState({ state: 'lost', retryAt: null })
  draft().setText('twice')
  const { id, text } = draft().take()
  server.stored.set(id, text)
  await callHook(() => useSendCommentMutation('p'), client).mutateAsync({
    id,
    text,
    wasSent: true,
    replyTo: null,
  })
  connection.setState({ state: 'online', retryAt: null })
  await vi.waitFor(() => expect(refetched).toHaveBeenCalledWith({ queryKey: LIST }))
  expect([...server.stored.values()]).toEqual(['twice'])
  expect(count()).toBe(0)
})

test('FEED-19 a comment refused after it waited is sent again, edited or discarded', async () => {
  const onEdit = vi.fn()
  const pending = openPending(onEdit)
  connection.setState({ state: 'lost', retryAt: null })
  await comment('first')
  const refusal = new AppError('forbidden', 'This member is gone.', '')
  server.answer = () => Promise.reject(refusal)
  connection.setState({ state: 'online', retryAt: null })
  await vi.waitFor(() => expect(pending()).toContain('This member is gone.'))
  expect(pending()).toContain(outbox.notSent)
  expect(logFailure).toHaveBeenCalledExactlyOnceWith('send comment', refusal)

  await press(tryAgain)
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalledTimes(2))
  draft().setText('typed since')
  await vi.waitFor(() => expect(pending()).toContain(outbox.notSent))
  await press(outbox.edit)
  await vi.waitFor(() => expect(onEdit).toHaveBeenCalledOnce())
  expect(draft().take().text).toBe('first typed since')
  expect(pending()).not.toContain('first')
  expect(server.stored.size).toBe(0)
})

test('FEED-15 a reply joins its thread, and both are counted', async () => {
  const thread = { id: 't', post_id: 'p', parent_id: null, content: 'Where?', reply_count: 1, created_at: '' }
  client.setQueryData(LIST, { pages: [{ comments: [thread] }], pageParams: [null] })
  client.setQueryData(['comments', 'p', 't'], { pages: [{ comments: [] }], pageParams: [null] })
  draft().setReplyTo({ threadId: 't', username: 'ada' }, '@ada ')
  expect(await comment('@ada at the weir')).toBe('sent')
  expect(server.parents).toEqual(['t'])
  expect(listed()).toEqual(['Where?'])
  const replies = client.getQueryData<{ pages: { comments: { content: string }[] }[] }>([
    'comments',
    'p',
    't',
  ])
  expect(replies?.pages[0]?.comments.map(({ content }) => content)).toEqual(['@ada at the weir'])
  const [first] = client.getQueryData<{ pages: { comments: { reply_count: number }[] }[] }>(LIST)?.pages ?? []
  expect(first?.comments[0]?.reply_count).toBe(2)
  expect(count()).toBe(1)
  expect(draft().take()).toMatchObject({ text: '', replyTo: null })
})

test('FEED-15 a pending reply shows the member it answers, and stays a reply when it is edited', async () => {
  const onEdit = vi.fn()
  const pending = openPending(onEdit)
  connection.setState({ state: 'lost', retryAt: null })
  draft().setReplyTo({ threadId: 't', username: 'ada' })
  expect(await comment('at the weir')).toBe('waiting')
  await settle()
  expect(pending()).toContain(post.replyingTo('ada'))
  server.answer = () => Promise.reject(new AppError('not-found', 'This comment was deleted.', ''))
  connection.setState({ state: 'online', retryAt: null })
  await vi.waitFor(() => expect(pending()).toContain('This comment was deleted.'))
  await press(outbox.edit)
  await vi.waitFor(() => expect(onEdit).toHaveBeenCalledOnce())
  expect(draft().take()).toMatchObject({ text: 'at the weir', replyTo: { threadId: 't', username: 'ada' } })
})
