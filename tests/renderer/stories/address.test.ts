import { describe, expect, test } from 'vitest'
import {
  editState,
  openStoryId,
  readStoryState,
  storyState,
  withRun,
  withStory,
} from '#/renderer/features/stories/address'

const ID = '5f0f3c1e-6a52-4f0e-9d5a-0c8f5a1b2c3d'

test('withStory keeps the other search parameters', () => {
  expect(openStoryId('')).toBeNull()
  expect(withStory('?c=1', ID)).toBe(`?c=1&story=${ID}`)
  expect(openStoryId(`?c=1&story=${ID}`)).toBe(ID)
  expect(withStory('?story=other', ID)).toBe(`?story=${ID}`)
})

describe('the history state of a story', () => {
  test('contains the members nearby in the strip', () => {
    expect(readStoryState(storyState(['a', 'b', 'c'], 'b'))).toEqual({
      members: ['a', 'b', 'c'],
      run: null,
      edit: null,
    })
    expect(readStoryState(storyState())).toEqual({ members: [], run: null, edit: null })
    const many = Array.from({ length: 1_000 }, (_, index) => `m${index}`)
    const { members } = readStoryState(storyState(many, 'm500'))
    expect(members).toHaveLength(101)
    expect(members?.[50]).toBe('m500')
  })

  test('keeps its members and gets the run of the viewer', () => {
    expect(readStoryState(withRun(storyState(['a'], 'a'), 'r1'))).toEqual({
      members: ['a'],
      run: 'r1',
      edit: null,
    })
    expect(readStoryState(withRun(null, 'r1'))).toEqual({ members: null, run: 'r1', edit: null })
    expect(withRun(storyState(), 'r1')).toMatchObject({ over: 'story' })
  })

  test('names the pending story that the form edits', () => {
    expect(readStoryState(editState('s'))).toEqual({ members: [], run: null, edit: 's' })
  })

  test('is empty for any other state', () => {
    const nothing = { members: null, run: null, edit: null }
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
