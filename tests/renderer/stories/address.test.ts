import { describe, expect, test } from 'vitest'
import {
  openStoryId,
  readStoryState,
  storyState,
  withRun,
  withStory,
} from '#/renderer/features/stories/address'

const ID = '5f0f3c1e-6a52-4f0e-9d5a-0c8f5a1b2c3d'

test('a story opens over the page, and the other parameters stay', () => {
  expect(openStoryId('')).toBeNull()
  expect(withStory('?c=1', ID)).toBe(`?c=1&story=${ID}`)
  expect(openStoryId(`?c=1&story=${ID}`)).toBe(ID)
  expect(withStory('?story=other', ID)).toBe(`?story=${ID}`)
})

describe('the history entry of a story', () => {
  test('knows the members to go on to, as many as are near', () => {
    expect(readStoryState(storyState(['a', 'b', 'c'], 'b'))).toEqual({ members: ['a', 'b', 'c'], run: null })
    expect(readStoryState(storyState())).toEqual({ members: [], run: null })
    const many = Array.from({ length: 1_000 }, (_, index) => `m${index}`)
    const { members } = readStoryState(storyState(many, 'm500'))
    expect(members).toHaveLength(101)
    expect(members?.[50]).toBe('m500')
  })

  test('stays that of one viewer while that goes from story to story', () => {
    expect(readStoryState(withRun(storyState(['a'], 'a'), 'r1'))).toEqual({ members: ['a'], run: 'r1' })
    expect(readStoryState(withRun(null, 'r1'))).toEqual({ members: null, run: 'r1' })
    expect(withRun(storyState(), 'r1')).toMatchObject({ over: 'story' })
  })

  test('of something else says nothing', () => {
    const nothing = { members: null, run: null }
    for (const state of [
      null,
      undefined,
      'x',
      {},
      { posts: ['a'] },
      { story: 1 },
      { story: { members: [1], run: 2 } },
    ])
      expect(readStoryState(state)).toEqual(nothing)
  })
})
