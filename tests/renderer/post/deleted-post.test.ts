import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { postKeys } from '#/renderer/features/post/keys'
import { useDeletePostMutation } from '#/renderer/features/post/mutations/posts'
import { callHook } from '#tests/renderer/dom'

const removed = vi.hoisted(() => vi.fn(async (_paths: string[]) => undefined))

vi.mock('#/renderer/lib/media-store/requests', async (load) => ({
  ...(await load<object>()),
  removeObjects: removed,
}))
vi.mock('#/renderer/lib/server/supabase', () => ({
  unwrap: (request: unknown) => request,
  supabase: () => ({ rpc: async () => null }),
}))

test('MEDIA-04 a post is deleted with all its objects: the sizes of each photo and cover, and each video', async () => {
  const client = new QueryClient()
  const stills = (name: string) => ({
    full_path: `${name}.full`,
    middle_path: null,
    feed_path: `${name}.feed`,
    grid_path: `${name}.grid`,
  })
  const media = [
    { ...stills('photo'), media_path: null },
    { ...stills('cover'), media_path: 'video.mp4' },
  ]
  client.setQueryData(postKeys.post('p'), { id: 'p', media })
  callHook(() => useDeletePostMutation(), client).mutate('p')
  await vi.waitFor(() => expect(removed).toHaveBeenCalledOnce())
  expect(removed.mock.calls[0]?.[0]).toEqual([
    'photo.grid',
    'photo.feed',
    'photo.full',
    'cover.grid',
    'cover.feed',
    'cover.full',
    'video.mp4',
  ])
})
