import { describe, expect, test, vi } from 'vitest'
import { snippetOf } from '#/renderer/features/messages/model/snippet'
import { type FoundMessage, isSearchable, readPage } from '#/renderer/features/messages/queries/search'
import type { Cursor } from '#/renderer/lib/queries/keyset'
import { MESSAGE_SEARCH } from '#/shared/limits'

const row = (n: number, values: Partial<FoundMessage> = {}): FoundMessage => ({
  id: String(n),
  conversation_id: 'c',
  sender_id: 'other',
  content: 'river',
  created_at: `2026-01-01T00:00:${n}`,
  is_match: true,
  is_last_read: false,
  ...values,
})
const LIMIT = { is_match: false, is_last_read: true, content: '' }

describe('MSG-14 a page of found messages', () => {
  /** Answers with these rows, one list per read. */
  async function page(...answers: FoundMessage[][]) {
    const cursors: Cursor[] = []
    const found = await readPage(async (after) => {
      cursors.push(after)
      return answers.shift() ?? []
    }, null)
    return { ...found, cursors }
  }

  test('ends when all matches are read', async () => {
    expect(await page([row(9), row(8)])).toMatchObject({ matches: [row(9), row(8)], next: undefined })
    expect(await page([])).toMatchObject({ matches: [], next: undefined })
  })

  test('reads on from the last message that was read, until it has enough', async () => {
    const { matches, cursors, next } = await page(
      [row(9), row(7, LIMIT)],
      [row(5, { is_last_read: true })],
      [row(3)],
    )
    expect(matches.map(({ id }) => id)).toEqual(['9', '5', '3'])
    expect(cursors.map((cursor) => cursor?.id)).toEqual([undefined, '7', '5'])
    expect(next).toBeUndefined()
    const full = Array.from({ length: MESSAGE_SEARCH.page }, (_, n) => row(n))
    expect(await page(full, [row(1)])).toMatchObject({ matches: full, next: { id: full.at(-1)?.id } })
  })

  test('ends after ten reads without enough matches, and says where to read on', async () => {
    const { cursors, next } = await page(...Array.from({ length: 30 }, (_, n) => [row(n, LIMIT)]))
    expect(cursors).toHaveLength(10)
    expect(next).toMatchObject({ id: '9' })
  })
})

describe('MSG-14 a query', () => {
  test.each([
    ['e\u0301', false],
    ['🌊', false],
    ['東京', true],
    ['ab', true],
  ])('%j is long enough: %s', (query, expected) => {
    expect(isSearchable(query)).toBe(expected)
  })
})

test.each([
  ['We meet at the river', 'RIVER', ['We meet at the ', 'river', '']],
  ['İİİ and the İstanbul night', 'istanbul', ['İİİ and the ', 'İstanbul', ' night']],
  ['At the Cafe\u0301 now', 'café', ['At the ', 'Cafe\u0301', ' now']],
  ['Groß war die Straße', 'STRASSE', ['Groß war die ', 'Straße', '']],
  ['Two\n\nlines of a river bank', 'of a', ['Two lines ', 'of a', ' river bank']],
  [`${'far '.repeat(20)}river`, 'river', [`…${'far '.repeat(6)}`, 'river', '']],
  ['Bring the tripod and all of the filters to the river', 'river', ['…of the filters to the ', 'river', '']],
  [`${'x'.repeat(40)}river`, 'river', [`…${'x'.repeat(24)}`, 'river', '']],
  ['Edited since', 'river', ['Edited since', '', '']],
])('MSG-14 the line of a found message is about the match: %#', (content, query, parts) => {
  expect(Object.values(snippetOf(content, query))).toEqual(parts)
})

test('MSG-14 a snippet has the beginning of what comes after the match, and of a text in which it is no longer found', () => {
  const long = '\u{10330}'.repeat(3_900)
  expect(snippetOf(`needle${long}`, 'needle')).toEqual({
    before: '',
    match: 'needle',
    after: `${'\u{10330}'.repeat(300)}…`,
  })
  expect(snippetOf(long, 'needle').before).toBe(`${'\u{10330}'.repeat(300)}…`)
})

test('PROF-06 the snippet of a found message begins with a whole character', () => {
  const { before } = snippetOf(`${'x'.repeat(10)}${'👨‍👩‍👧'.repeat(30)}needle`, 'needle')
  expect(before).toBe(`…${'👨‍👩‍👧'.repeat(24)}`)
})

test('MSG-14 a long message is not cut into characters as a whole for its line, which takes 80 ms', () => {
  const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment')
  const { before, match } = snippetOf(`${'한'.repeat(3_990)}needle`, 'needle')
  expect([before, match]).toEqual([`…${'한'.repeat(24)}`, 'needle'])
  const units = segment.mock.calls.map(([cut]) => cut.length)
  expect(units.reduce((sum, length) => sum + length, 0)).toBeLessThan(2_000)
  segment.mockRestore()
})
