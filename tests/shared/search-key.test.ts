import { describe, expect, test, vi } from 'vitest'
import { composeText } from '#/shared/composed-text'
import { findMatch, foldCase, searchKey } from '#/shared/search-key'
import { OTHER_TO_SEARCH, SAME_TO_SEARCH } from '#tests/search-cases'

describe('ACC-04 the key of a search', () => {
  test.each(SAME_TO_SEARCH)('is the same for %s: %j and %j', (_, one, other) => {
    expect(searchKey(one)).toBe(searchKey(other))
    expect(searchKey(searchKey(one))).toBe(searchKey(one))
  })

  test.each(OTHER_TO_SEARCH)('differs for %s: %j and %j', (_, one, other) => {
    expect(searchKey(one)).not.toContain(searchKey(other))
    expect(searchKey(other)).not.toContain(searchKey(one))
  })

  test('is empty for marks and invisible characters alone', () => {
    expect(searchKey('\u0301\u200d')).toBe('')
  })

  test('finds Korean letters that are written one by one', () => {
    expect(searchKey('ㅋㅠㅠ')).toContain(searchKey('ㅠㅠ'))
  })
})

test('ACC-04 the key of marks in the most expensive order is made', () => {
  const marks = 200_000
  // Sorting them takes marks² / 4 steps.
  const text = `a${'\u0301'.repeat(marks / 2)}${'\uff9e'.repeat(marks / 2)}`
  expect(searchKey(text)).toBe(`a${'\u3099'.repeat(marks / 2)}`)
})

test('ACC-04 the lower case of a letter is one letter, in every word', () => {
  expect(foldCase('İ I ı ΟΔΟΣ Ǆ ẞ')).toBe('i i ı οδοσ ǆ ß')
  for (let code = 1; code <= 0x10ffff; code += 1) {
    const letter = String.fromCodePoint(code)
    if ([...foldCase(letter)].length !== 1) expect.fail(code.toString(16))
  }
})

describe('ACC-04 the part of a text that a query finds', () => {
  const found = (text: string, query: string) => {
    const match = findMatch(text, query)
    return match === null ? null : text.slice(match.start, match.end)
  }

  test.each([
    ...SAME_TO_SEARCH.map(([, one, other]) => [one, other]),
    ...SAME_TO_SEARCH.map(([, one, other]) => [other, one]),
  ])('in %j is all of it for %j, also after letters whose lower case is longer', (text, query) => {
    expect(found(text, query)).toBe(text)
    expect(found(`İİ ŉ ${text} .`, query)).toBe(text)
  })

  test.each([
    ['İİİ Istanbul', 'istanbul', 'Istanbul'],
    ['Cafe\u0301s', 'cafe', 'Cafe\u0301'],
    ['Straße', 's', 'S'],
    ['Die Straße', 'strass', 'Straß'],
    ['👨‍👩‍👧 family', '👩', '👨‍👩‍👧'],
    ['an oﬃce', 'fic', 'ﬃc'],
    ['한국어', '국', '국'],
    ['मुंबई से', 'बई', 'बई'],
    ['Wait…', '..', '…'],
    ['nothing', 'x', null],
    ['anything', '\u0301', null],
    ['', 'a', null],
  ])('in %j for %j is %j', (text, query, expected) => {
    expect(found(text, query)).toBe(expected)
  })

  test.each(['x', '한', '👨‍👩‍👧', 'o\u0308', '\u200d'])(
    'is found wherever it is in a long text of %j',
    (filler) => {
      for (let before = 0; before < 600; before += 1) {
        const text = `${filler.repeat(before)} Cafe\u0301s ${filler.repeat(600)}`
        if (found(text, 'cafe') !== 'Cafe\u0301') expect.fail(String(before))
      }
    },
  )

  test.each(['x', '한', 'ﷺ'])(
    'cuts only some of a long text of %j into characters, which takes 60 ms',
    (filler) => {
      const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment')
      const text = `${filler.repeat(3_990)}Cafes`
      expect(found(text, 'cafe')).toBe('Cafe')
      expect(found(text, 'nobody')).toBe(null)
      const units = segment.mock.calls.map(([cut]) => cut.length)
      expect(units.reduce((sum, length) => sum + length, 0)).toBeLessThan(1_000)
      segment.mockRestore()
    },
  )
})

describe('ACC-04 a text as it is stored', () => {
  test.each([
    ['Zoe\u0308', 'Zoë'],
    ['한국'.normalize('NFD'), '한국'],
    ['a\u0302\u0323', '\u1ead'],
    // Names are written with these variants, which NFC would replace.
    ['\ufa19\ufa10e\u0301\u{2f81a}', '\ufa19\ufa10é\u{2f81a}'],
    ['\u0301', '\u0301'],
    ['Ｔｏｋｙｏ', 'Ｔｏｋｙｏ'],
    ['', ''],
  ])('of %j is %j', (typed, stored) => {
    expect(composeText(typed)).toBe(stored)
  })
})
