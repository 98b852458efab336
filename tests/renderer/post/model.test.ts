import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canPost, photoFrame, wordColumns } from '#/renderer/features/post/model'
import { TEXT_LIMITS } from '#/shared/limits'

const WORDS = { content: 'Six rolls', location: 'Porto', altText: 'A ridge in haze' }

describe('CREATE-02 PROF-13 the texts of a post', () => {
  test('are stored trimmed, blank ones as null', () => {
    expect(wordColumns({ content: ' Six\nrolls ', location: ' ', altText: ' A ridge ' }, true)).toEqual({
      content: 'Six\nrolls',
      location: null,
      alt_text: 'A ridge',
    })
  })

  test('PROF-14 contain an alt text only with a picture', () => {
    expect(wordColumns(WORDS, true).alt_text).toBe('A ridge in haze')
    expect(wordColumns(WORDS, false).alt_text).toBeNull()
  })

  test('cannot be shared without a text or a picture', () => {
    expect(canPost({ content: ' \n ', location: 'Porto', altText: '' }, false)).toBe(false)
    expect(canPost({ content: ' \n ', location: '', altText: '' }, true)).toBe(true)
    expect(canPost(WORDS, false)).toBe(true)
  })

  test('may be as long as their limits, in characters as members count them', () => {
    const limits = { content: TEXT_LIMITS.post, location: TEXT_LIMITS.location, altText: TEXT_LIMITS.altText }
    for (const [field, limit] of Object.entries(limits)) {
      expect(canPost({ ...WORDS, [field]: ` ${'📷'.repeat(limit)} ` }, true), field).toBe(true)
      expect(canPost({ ...WORDS, [field]: '📷'.repeat(limit + 1) }, true), field).toBe(false)
    }
  })
})

test('FEED-03 a picture keeps its proportions, within limits', () => {
  expect(photoFrame(1440, 960)).toEqual({ ratio: 1.5, isTall: false })
  expect(photoFrame(960, 1440).isTall).toBe(true)
  expect(photoFrame(5000, 100)).toEqual({ ratio: 2.4, isTall: false })
  expect(photoFrame(100, 5000)).toEqual({ ratio: 0.5, isTall: true })
})

test('FEED-03 a picture of unknown size has a square frame', () => {
  expect(photoFrame(null, null)).toEqual({ ratio: 1, isTall: false })
  expect(photoFrame(1440, null)).toEqual({ ratio: 1, isTall: false })
})

test('FEED-03 every frame is within the limits', () => {
  const side = fc.integer({ min: 1, max: 60_000 })
  fc.assert(
    fc.property(side, side, (width, height) => {
      const { ratio } = photoFrame(width, height)
      expect(ratio).toBeGreaterThanOrEqual(0.5)
      expect(ratio).toBeLessThanOrEqual(2.4)
    }),
  )
})
