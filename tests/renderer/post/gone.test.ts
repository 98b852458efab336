import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { explainIfGone } from '#/renderer/features/post/gone'
import { postKeys } from '#/renderer/features/post/keys'
import { showLikesOfOtherDevices } from '#/renderer/features/post/mutations/reactions'
import { type Post, reactionKey, reactionSync } from '#/renderer/features/post/queries'
import { AppError, type ErrorCode } from '#/renderer/lib/core/errors'
import { closeToast, useToast } from '#/renderer/lib/core/toasts'
import { emitIdsChange } from '#/renderer/lib/live/row-changes-store'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { texts } from '#/renderer/lib/texts'
import { stubLocalStorage } from '../local-storage'

let client: QueryClient
let stored: Post | null
const read = vi.fn(async () => stored)

beforeEach(() => {
  stubLocalStorage()
  closeToast()
  read.mockClear()
  client = createQueryClient()
  stored = { id: 'p', like_count: 1, my_like: [{ user_id: 'me' }], my_save: [] } as unknown as Post
  client.setQueryData(postKeys.post('p'), stored)
  const observer = new QueryObserver(client, {
    queryKey: postKeys.post('p'),
    queryFn: read,
    staleTime: 60_000,
  })
  onTestFinished(observer.subscribe(() => undefined))
})

const shown = () => client.getQueryData<Post | null>(postKeys.post('p'))

test('FEED-04 a like removed on another device follows, and changes of this device cause no read', async () => {
  onTestFinished(showLikesOfOtherDevices(client, 'me'))
  emitIdsChange('likes', { type: 'INSERT', ids: ['p', 'not loaded'] })
  expect(read).not.toHaveBeenCalled()

  stored = { id: 'p', like_count: 0, my_like: [], my_save: [] } as unknown as Post
  emitIdsChange('likes', { type: 'DELETE', ids: ['p'] })
  await vi.waitFor(() => expect(shown()).toEqual(stored))
  expect(read).toHaveBeenCalledOnce()

  // A press of this device is newer.
  let answer = (): void => undefined
  const pressed = reactionSync.set(reactionKey('me', 'like', 'p'), false, true, {
    send: () => new Promise<void>((resolve) => (answer = resolve)),
    onFailed: () => undefined,
  })
  emitIdsChange('likes', { type: 'INSERT', ids: ['p'] })
  expect(read).toHaveBeenCalledOnce()
  // Work that never ends would keep later tests of the worker from quitting.
  answer()
  await pressed
})

test.each<ErrorCode>(['forbidden', 'not-found'])(
  'FEED-15 a comment or like that is refused (%s) because its post is deleted says so, and the post shows it',
  async (code) => {
    stored = null
    explainIfGone(client, 'p', new AppError(code, '', ''))
    await vi.waitFor(() => expect(useToast.getState().toast?.text).toBe(texts.post.gone))
    expect(shown()).toBeNull()
  },
)

test('FEED-15 a refusal for another reason says nothing about the post', async () => {
  explainIfGone(client, 'p', new AppError('forbidden', '', ''))
  await vi.waitFor(() => expect(read).toHaveBeenCalledOnce())
  stored = null
  explainIfGone(client, 'p', new AppError('server', '', ''))
  explainIfGone(client, 'p', new Error('odd'))
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(read).toHaveBeenCalledOnce()
  expect(useToast.getState().toast).toBeNull()
})
