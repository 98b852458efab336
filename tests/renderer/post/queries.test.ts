import { QueryClient } from '@tanstack/react-query'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { postKeys } from '#/renderer/features/post/keys'
import {
  type Post,
  reactionKey,
  reactionSync,
  seedPosts,
  withLike,
  withSave,
} from '#/renderer/features/post/queries'
import { signPaths } from '#/renderer/lib/media-store/requests'
import { storedToggles } from '#/renderer/lib/queries/stored-toggles'

vi.mock('#/renderer/lib/media-store/requests', () => ({ signPaths: vi.fn(async () => new Map()) }))

const ME = 'me'

const POST: Post = {
  id: 'post',
  user_id: 'author',
  content: 'First light',
  location: null,
  alt_text: null,
  thumbnail_url: null,
  image_width: null,
  image_height: null,
  like_count: 3,
  comment_count: 0,
  created_at: '2026-11-21T12:00:00Z',
  edited_at: null,
  media: [],
  author: { username: 'author', full_name: 'Author', avatar_url: null, avatar_path: null },
  my_like: [],
  my_save: [],
}

describe('FEED-04 a like on the cached post', () => {
  test('adds one to the count, and removing it subtracts one', () => {
    const liked = withLike(POST, ME, true)
    expect(liked).toEqual({ ...POST, my_like: [{ user_id: ME }], like_count: 4 })
    expect(withLike(liked, ME, false)).toEqual(POST)
  })

  test('changes nothing when the post is already in that state', () => {
    const liked = withLike(POST, ME, true)
    expect(withLike(liked, ME, true)).toBe(liked)
    expect(withLike(POST, ME, false)).toBe(POST)
  })

  test('never makes the count negative', () => {
    const stale = { ...POST, like_count: 0, my_like: [{ user_id: ME }] }
    expect(withLike(stale, ME, false).like_count).toBe(0)
  })

  test('after any presses differs by the last one only', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1 }), (presses) => {
        const end = presses.reduce((post, isLiked) => withLike(post, ME, isLiked), POST)
        expect(end.like_count - POST.like_count).toBe(presses.at(-1) ? 1 : 0)
      }),
    )
  })
})

test('FEED-05 a bookmark is added or removed without changing a count', () => {
  const saved = withSave(POST, ME, true)
  expect(saved).toEqual({ ...POST, my_save: [{ user_id: ME }] })
  expect(withSave(saved, ME, true)).toEqual(saved)
  expect(withSave(saved, ME, false)).toEqual(POST)
})

test('FEED-04 a list that was requested before the member removed a like does not show it again', async () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => undefined,
    removeItem: () => undefined,
  })
  const isReady = vi.spyOn(storedToggles, 'isReady').mockReturnValue(true)
  onTestFinished(() => {
    isReady.mockRestore()
    vi.unstubAllGlobals()
  })
  const client = new QueryClient()
  const press = (from: boolean) =>
    reactionSync.set(reactionKey(ME, 'like', POST.id), from, !from, {
      send: async () => undefined,
      onFailed: (_confirmed, cause) => {
        throw cause
      },
    })
  const startedAt = performance.now()
  await press(false)
  await press(true)
  const shown = () => client.getQueryData(postKeys.post(POST.id))
  seedPosts(client, [withLike(POST, ME, true)], ME, startedAt)
  expect(shown()).toEqual(POST)
  // On another device.
  seedPosts(client, [withLike(POST, ME, true)], ME, performance.now() + 1)
  expect(shown()).toEqual(withLike(POST, ME, true))
})

test('MEDIA-02 FEED-14 the links of a page of videos and their covers are signed in one request', async () => {
  const video = (name: string) => ({
    kind: 'video',
    full_path: `${name}.webp`,
    middle_path: null,
    feed_path: `${name}-feed.webp`,
    grid_path: `${name}-grid.webp`,
    media_path: `${name}.mp4`,
    width: 1920,
    height: 1080,
    thumbhash: '',
    alt_text: null,
    camera: null,
    duration_ms: 7_000,
    has_sound: true,
    has_captions: false,
  })
  const posts = ['a', 'b'].map((id) => ({ ...POST, id, media: [video(id), video(`${id}-later`)] }))
  seedPosts(new QueryClient(), posts, ME, performance.now())
  const filesOf = (id: string) => [`${id}-grid.webp`, `${id}-feed.webp`, `${id}.webp`, `${id}.mp4`]
  await vi.waitFor(() => expect(signPaths).toHaveBeenCalled())
  expect(vi.mocked(signPaths).mock.calls).toEqual([[[...filesOf('a'), ...filesOf('b')]]])
})
