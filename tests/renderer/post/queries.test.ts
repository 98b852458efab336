import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Post, withLike, withSave } from '#/renderer/features/post/queries'

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
  photos: [],
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
