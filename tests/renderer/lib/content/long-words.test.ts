import { expect, test } from 'vitest'
import { piecesOfWords } from '#/renderer/lib/content/long-words'

const FAMILY = '👩‍👩‍👧'

test.each([
  ['words', 'Evening light over the harbour. '.repeat(100)],
  ['an address', `Look: https://example.com/${'a'.repeat(70)}`],
  ['nothing', ''],
])('MSG-03 a text of %s is in one piece', (_what, text) => {
  expect(piecesOfWords(text)).toEqual([text])
})

test.each([
  ['W', 'W'.repeat(4_000)],
  ['joined letters', 'ع'.repeat(4_000)],
  ['words of hundreds of letters', `${'AV'.repeat(400)} `.repeat(5)],
  ['an address', `Look: https://example.com/${'AV'.repeat(1_900)}, and more`],
  ['letters with marks', 'a\u0310'.repeat(2_000)],
  ['joined emojis', FAMILY.repeat(500)],
  ['letters between which a space draws nothing', `${'W'.repeat(49)}\ufeff`.repeat(80)],
  ['letters of two code units', '𝐖'.repeat(2_000)],
])('MSG-03 a word of thousands of letters is in pieces: %s', (_what, text) => {
  const pieces = piecesOfWords(text)
  expect(pieces.join('')).toBe(text)
  const words = pieces.flatMap((piece) => piece.split(' '))
  expect(Math.max(...words.map((word) => word.length))).toBeLessThanOrEqual(50 + FAMILY.length)
  // A character that is made of several is in one piece.
  const characters = (part: string) => [...new Intl.Segmenter().segment(part)].length
  expect(pieces.reduce((sum, piece) => sum + characters(piece), 0)).toBe(characters(text))
})

test('MSG-03 a character of thousands of marks is in one piece', () => {
  const text = `a${'\u0310'.repeat(8_000)}`
  expect(piecesOfWords(text)).toEqual([text])
})
