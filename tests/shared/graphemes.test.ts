import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginning } from '#/shared/graphemes'

test.each([
  ['👨‍👩‍👧‍👦', 'family'],
  ['🇩🇪', 'flag'],
  ['👍🏽', 'skin tone'],
  ['❤️', 'variation'],
  ['e\u0301', 'accent'],
  ['नि', 'vowel sign'],
  ['\u1100\u1161\u11a8', 'syllable'],
])('PROF-06 %s is cut neither at its beginning nor inside (%s)', (character) => {
  const length = [...character].length
  for (let room = 0; room <= length; room += 1)
    expect(beginning('x'.repeat(10 - room) + character, 10)).toBe(
      'x'.repeat(10 - room) + (room >= length ? character : ''),
    )
})

test('PROF-06 the beginning has at most the given code points, and all that fit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 20 }), (text, limit) => {
      const start = beginning(text, limit)
      expect(text.startsWith(start)).toBe(true)
      expect([...start].length).toBeLessThanOrEqual(limit)
      const [next] = new Intl.Segmenter().segment(text.slice(start.length))
      if (next !== undefined) expect([...start, ...next.segment].length).toBeGreaterThan(limit)
    }),
  )
})
