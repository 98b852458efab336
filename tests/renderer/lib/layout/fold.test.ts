import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { exceedsLines, FOLD_SIZES, foldedText } from '#/renderer/lib/layout/fold'

test.each([
  ['', false],
  ['short', false],
  ['a\nb', false],
  ['a\nb\nc', true],
  ['\n\n', true],
  ['x'.repeat(20), false],
  ['x'.repeat(21), true],
  // A wide character takes the room of two letters, a mark none.
  ['漢'.repeat(10), false],
  ['漢'.repeat(11), true],
  ['🎞'.repeat(10), false],
  ['e\u0301'.repeat(20), false],
  // A vowel sign that stands beside its letter.
  ['\u0915\u093e'.repeat(10), false],
  ['\u0915\u093e'.repeat(11), true],
  ['x\t'.repeat(2), false],
  ['x\t'.repeat(3), true],
])('%j has more than two lines of ten: %s', (text, isLonger) => {
  expect(exceedsLines(text, 10, 2)).toBe(isLonger)
})

test('MSG-03 PROF-02 FEED-02 whatever is not folded has few lines and few letters', () => {
  const text = fc
    .array(fc.constantFrom('\n', 'word ', 'x'.repeat(90), '漢字', ' '))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.constantFrom(...Object.values(FOLD_SIZES)), (written, { columns, over, shown }) => {
      expect(Number(shown.replace('line-clamp-', ''))).toBeLessThan(over)
      if (exceedsLines(written, columns, over)) return
      expect(written.split('\n').length).toBeLessThanOrEqual(over)
      expect(written.length).toBeLessThanOrEqual(columns * over + over)
    }),
  )
})

test.each([
  ['words', 'Evening light over the harbour, “quoted” — and more. '.repeat(80)],
  ['another script', 'Вечерний свет над гаванью, и ещё картинка. '.repeat(90)],
  ['a word of thousands of letters', 'W'.repeat(4_000)],
  ['characters of East Asia without a space', '港の夕暮れ'.repeat(800)],
  ['words in two scripts', '港の夕暮れ at the harbour 夜 100 '.repeat(120)],
])(
  'MSG-03 a folded text of %s is drawn whole, so that a search of the page finds all of it',
  (_what, text) => {
    expect(foldedText(text)).toBe(text)
  },
)

test('MSG-03 a folded text that changes the font at each character is cut between two characters', () => {
  // A browser took four seconds for fifty of them.
  const text = 'aж\u{10330}\u0e01'.repeat(900)
  const shown = foldedText(text)
  expect([...shown]).toHaveLength(602)
  expect(text.startsWith(shown.slice(0, -1))).toBe(true)
  expect(shown.at(-1)).toBe('…')
  expect(foldedText(shown.slice(0, -1))).toBe(shown.slice(0, -1))
})

test.each([
  ['punctuation of many scripts', '\u05be\u061b\u0964\u1362'],
  ['marks that turn the direction', 'a\u200f\u200e'],
])('MSG-03 a folded text of %s is cut too', (_what, part) => {
  expect([...foldedText(part.repeat(1_000))].length).toBeLessThan(1_000)
})
