import { describe, expect, test } from 'vitest'
import {
  choosePlaying,
  isKept,
  NOTHING,
  type Playing,
  type Sight,
  shareOf,
} from '#/renderer/features/post/video/playing'

const sight = (share: number, distance = 0, playsByItself = true): Sight => ({
  share,
  distance,
  playsByItself,
})
const sights = (of: Record<string, Sight>) => new Map(Object.entries(of))
const playing = (current: string, changes: Partial<Playing> = {}): Playing => ({
  ...NOTHING,
  current,
  ...changes,
})

describe('FEED-14 which video plays', () => {
  test('of those with 60 % in view, the nearest to the middle', () => {
    const seen = sights({ far: sight(1, 300), near: sight(0.6, 200), nearer: sight(0.59, 10) })
    expect(choosePlaying(NOTHING, seen)).toEqual(playing('near'))
    expect(choosePlaying(NOTHING, sights({ low: sight(0.59) }))).toEqual(NOTHING)
  })

  test('the current one until it falls below 60 %, also paused', () => {
    const now = playing('first', { isPaused: true })
    const seen = { second: sight(1, 0) }
    expect(choosePlaying(now, sights({ ...seen, first: sight(0.6, 500) }))).toBe(now)
    expect(choosePlaying(now, sights({ ...seen, first: sight(0.55, 100) }))).toEqual(playing('second'))
  })

  test('one that the member has started until it is scrolled away', () => {
    const now = playing('first', { isStarted: true })
    expect(isKept(now, sights({ first: sight(0.2), second: sight(1) }))).toBe(true)
    expect(isKept(now, sights({ first: sight(0.1), second: sight(1) }))).toBe(false)
    expect(isKept(now, sights({}))).toBe(false)
  })

  test('none that waits for a click', () => {
    const seen = sights({ ended: sight(1, 0, false), next: sight(0.8, 200) })
    expect(choosePlaying(NOTHING, seen)).toEqual(playing('next'))
  })

  test('a video that is taller than the window counts by the window that it fills', () => {
    const view = { width: 1_000, height: 500 }
    const tall = { width: 400, height: 900 }
    expect(shareOf({ width: 400, height: 500 }, tall, view)).toBe(1)
    expect(shareOf({ width: 400, height: 250 }, tall, view)).toBe(0.5)
    expect(shareOf({ width: 0, height: 0 }, { width: 0, height: 0 }, view)).toBe(0)
  })
})
