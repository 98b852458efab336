import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isPostId,
  listAround,
  listOf,
  neighbours,
  openPostId,
  withPost,
} from '#/renderer/features/post/address'

const ID = '5f0f3c1e-6a52-4f0e-9d5a-0c8f5a1b2c3d'

describe('PROF-10 the address of an open post', () => {
  test('opens a post over the page and keeps the other parameters', () => {
    expect(openPostId('')).toBeNull()
    expect(withPost('', ID)).toBe(`?post=${ID}`)
    expect(withPost('?tab=saved', ID)).toBe(`?tab=saved&post=${ID}`)
    expect(openPostId(`?tab=saved&post=${ID}`)).toBe(ID)
    expect(withPost('?post=other', ID)).toBe(`?post=${ID}`)
  })

  test('accepts only ids', () => {
    expect(isPostId(ID)).toBe(true)
    fc.assert(fc.property(fc.uuid(), (id) => isPostId(id)))
    for (const text of ['', 'undefined', `${ID},${ID}`, ` ${ID}`, '1', `${ID})`]) {
      expect(isPostId(text), text).toBe(false)
    }
  })
})

describe('PROF-10 the list from which a post was opened', () => {
  test('leads to the previous and the next post, and ends', () => {
    expect(neighbours(['a', 'b', 'c'], 'b')).toEqual({ previous: 'a', next: 'c' })
    expect(neighbours(['a', 'b', 'c'], 'a')).toEqual({ previous: null, next: 'b' })
    expect(neighbours(['a', 'b', 'c'], 'c')).toEqual({ previous: 'b', next: null })
    expect(neighbours(['a', 'b', 'c'], 'x')).toEqual({ previous: null, next: null })
    expect(neighbours([], 'x')).toEqual({ previous: null, next: null })
  })

  test('is cut to the posts around the open one', () => {
    const lists = fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 600 })
    fc.assert(
      fc.property(lists, fc.nat(), (numbers, at) => {
        const ids = numbers.map(String)
        const id = ids[at % ids.length] ?? ''
        const { posts } = listAround(ids, id)
        expect(posts.length).toBeLessThanOrEqual(201)
        expect(neighbours(posts, id)).toEqual(neighbours(ids, id))
      }),
    )
  })

  test('is read from a history entry only if it is a list of ids', () => {
    expect(listOf({ posts: ['a'] })).toEqual(['a'])
    for (const state of [null, undefined, 'posts', {}, { posts: 'a' }, { posts: [1] }]) {
      expect(listOf(state)).toBeNull()
    }
  })
})
