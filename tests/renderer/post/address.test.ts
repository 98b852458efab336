import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isPostId,
  LAST_PHOTO,
  listAround,
  listOf,
  openPostId,
  photosAround,
  stepFrom,
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
    const list = ['a', 'b', 'c']
    const beside = (id: string, posts = list) =>
      (['previous', 'next'] as const).map((direction) => stepFrom(posts, { id, photo: 0 }, 1, direction)?.id)
    expect(beside('b')).toEqual(['a', 'c'])
    expect(beside('a')).toEqual([undefined, 'b'])
    expect(beside('c')).toEqual(['b', undefined])
    expect(beside('x')).toEqual([undefined, undefined])
    expect(beside('x', [])).toEqual([undefined, undefined])
  })

  test('FEED-20 leads through the photos of a post first, forwards to the first photo of the next, backwards to the last of the one before', () => {
    const list = ['a', 'b', 'c']
    expect(stepFrom(list, { id: 'b', photo: 0 }, 3, 'next')).toEqual({ id: 'b', photo: 1 })
    expect(stepFrom(list, { id: 'b', photo: 2 }, 3, 'next')).toEqual({ id: 'c', photo: 0 })
    expect(stepFrom(list, { id: 'b', photo: 1 }, 3, 'previous')).toEqual({ id: 'b', photo: 0 })
    expect(stepFrom(list, { id: 'b', photo: 0 }, 3, 'previous')).toEqual({ id: 'a', photo: LAST_PHOTO })
    expect(stepFrom(list, { id: 'a', photo: LAST_PHOTO }, 2, 'previous')).toEqual({ id: 'a', photo: 0 })
    expect(stepFrom(list, { id: 'a', photo: LAST_PHOTO }, 2, 'next')).toEqual({ id: 'b', photo: 0 })
    // A post opened by its address has only its photos.
    expect(stepFrom([], { id: 'b', photo: 0 }, 3, 'next')).toEqual({ id: 'b', photo: 1 })
    expect(stepFrom([], { id: 'b', photo: 2 }, 3, 'next')).toBeNull()
  })

  test('FEED-20 the next two photos and the one before are decoded ahead, across posts', () => {
    const counts: Record<string, number> = { a: 2, b: 1, c: 4 }
    const around = (id: string, photo: number) =>
      photosAround(['a', 'b', 'c'], { id, photo }, (each) => counts[each] ?? 1)
    expect(around('a', 0)).toEqual([
      { id: 'a', photo: 1 },
      { id: 'b', photo: 0 },
    ])
    expect(around('b', 0)).toEqual([
      { id: 'c', photo: 0 },
      { id: 'c', photo: 1 },
      { id: 'a', photo: LAST_PHOTO },
    ])
    expect(around('c', 3)).toEqual([{ id: 'c', photo: 2 }])
  })

  test('is cut to the posts around the open one', () => {
    const lists = fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 600 })
    fc.assert(
      fc.property(lists, fc.nat(), (numbers, at) => {
        const ids = numbers.map(String)
        const id = ids[at % ids.length] ?? ''
        const { posts } = listAround(ids, id)
        expect(posts.length).toBeLessThanOrEqual(201)
        for (const direction of ['previous', 'next'] as const)
          expect(stepFrom(posts, { id, photo: 0 }, 1, direction)).toEqual(
            stepFrom(ids, { id, photo: 0 }, 1, direction),
          )
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
