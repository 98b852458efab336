import { QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { postKeys } from '#/renderer/features/post/keys'
import { showReactionsOfOtherWindows } from '#/renderer/features/post/mutations/reactions'
import { type Post, reactionKey } from '#/renderer/features/post/queries'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { stubLocalStorage } from '../local-storage'

const { disk, tellOthers } = stubLocalStorage()

test('FEED-04 FEED-05 shows likes and saves of other windows, and refetches the post once they are settled', async () => {
  const client = createQueryClient()
  const stored = { id: 'p', like_count: 3, my_like: [], my_save: [] } as unknown as Post
  const read = vi.fn(async () => stored)
  client.setQueryData(postKeys.post('p'), stored)
  const observer = new QueryObserver(client, {
    queryKey: postKeys.post('p'),
    queryFn: read,
    staleTime: 60_000,
  })
  onTestFinished(observer.subscribe(() => undefined))
  vi.stubGlobal('removeEventListener', () => undefined)
  showReactionsOfOtherWindows(client, 'me')

  const change = (key: string, toggle: { from: boolean; to: boolean } | null) => {
    if (toggle === null) disk.delete(key)
    else disk.set(key, JSON.stringify(toggle))
    tellOthers({ key })
  }
  const shown = () => observer.getCurrentResult().data
  change(reactionKey('me', 'save', 'p'), { from: false, to: true })
  change(reactionKey('me', 'like', 'p'), { from: false, to: true })
  expect(shown()).toMatchObject({ my_save: [{ user_id: 'me' }], my_like: [{ user_id: 'me' }], like_count: 4 })
  change(reactionKey('other', 'like', 'p'), { from: true, to: false })
  change('something else', null)
  expect(shown()).toMatchObject({ like_count: 4 })
  expect(read).not.toHaveBeenCalled()

  // The server refused both.
  change(reactionKey('me', 'save', 'p'), null)
  await vi.waitFor(() => expect(shown()).toEqual(stored))
})
