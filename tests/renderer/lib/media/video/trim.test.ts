import { describe, expect, test } from 'vitest'
import { initialEdit, moveHandle, secondsLeft, type TrimHandle } from '#/renderer/lib/media/video/trim'
import { POST_VIDEO, STORY_VIDEO } from '#/shared/limits'

describe('STORY-08 the part of a video', () => {
  test.each([
    [200, { from: 0, to: 60, cover: 0.5, isMuted: false }],
    [8, { from: 0, to: 8, cover: 0.5, isMuted: false }],
    [0.4, { from: 0, to: 0.4, cover: 0.2, isMuted: false }],
  ])('of %s seconds is at first %o', (seconds, edit) => {
    expect(initialEdit(seconds, STORY_VIDEO)).toEqual(edit)
  })

  test.each<[string, TrimHandle, at: number, from: number, to: number, cover: number]>([
    ['the start', 'from', 30, 30, 80, 40],
    ['the start beyond the cover', 'from', 50, 50, 80, 50],
    ['the start so far that the end follows', 'from', 5, 5, 65, 40],
    ['the start to the first second', 'from', -3, 0, 60, 40],
    ['the start beyond the end', 'from', 90, 79, 80, 79],
    ['the end', 'to', 70, 20, 70, 40],
    ['the end so far that the start follows', 'to', 95, 35, 95, 40],
    ['the end beyond the last second', 'to', 500, 40, 100, 40],
    ['the end before the start', 'to', 3, 20, 21, 21],
    ['the cover', 'cover', 60, 20, 80, 60],
    ['the cover out of the part', 'cover', 99, 20, 80, 80],
  ])('of 20 to 80 of 100 seconds: moves %s', (_, handle, at, from, to, cover) => {
    const moved = moveHandle({ from: 20, to: 80, cover: 40, isMuted: true }, { handle, at }, 100, STORY_VIDEO)
    expect(moved).toEqual({ from, to, cover, isMuted: true })
  })

  test('of a video of half a second is the whole of it', () => {
    const edit = initialEdit(0.5, STORY_VIDEO)
    expect(moveHandle(edit, { handle: 'from', at: 0.4 }, 0.5, STORY_VIDEO)).toMatchObject({
      from: 0,
      to: 0.5,
    })
  })
})

test('the part of a video of a post has up to ten minutes', () => {
  const edit = initialEdit(900, POST_VIDEO)
  expect(edit).toEqual({ from: 0, to: 600, cover: 0.5, isMuted: false })
  expect(moveHandle(edit, { handle: 'to', at: 700 }, 900, POST_VIDEO)).toMatchObject({ from: 100, to: 700 })
  const fewer = { ...POST_VIDEO, seconds: 174 }
  expect(moveHandle(edit, { handle: 'from', at: 10 }, 900, fewer)).toMatchObject({ from: 10, to: 184 })
})

test.each([
  [0.01, 10_000, null],
  [0.5, 1_000, null],
  [0.25, 10_000, 30],
  [0.999, 60_000, 1],
])('STORY-08 after %s of the work in %s ms it has %s seconds left', (fraction, ms, left) => {
  expect(secondsLeft(fraction, ms)).toBe(left)
})
