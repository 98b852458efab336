import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeRows } from '#/renderer/lib/live/merge'

const row = (id: string, seconds: number, text = '') => ({
  id,
  created_at: `2026-11-21T12:00:${String(seconds).padStart(2, '0')}+00:00`,
  text,
})

describe('merging rows', () => {
  test('each is there once, and what was told later wins', () => {
    const merged = mergeRows([row('a', 1), row('b', 2)], [row('b', 2, 'taken back'), row('c', 0)])
    expect(merged).toEqual([row('c', 0), row('a', 1), row('b', 2, 'taken back')])
  })

  test('rows of the same time stand by id, fractions of a second as they are written', () => {
    const times = ['12:00:00+00:00', '12:00:00.1+00:00', '12:00:00.12+00:00', '12:00:00.123456+00:00']
    const rows = times.map((time, index) => ({ id: String(index), created_at: `2026-11-21T${time}` }))
    expect(mergeRows([...rows].reverse(), [])).toEqual(rows)
    expect(mergeRows([row('b', 1)], [row('a', 1)]).map(({ id }) => id)).toEqual(['a', 'b'])
  })

  test('MSG-08 in whatever order, and however often they are told, the same list comes of it', () => {
    const rows = fc.uniqueArray(
      fc.record({ id: fc.stringMatching(/^[a-f0-9]{4}$/), at: fc.integer({ min: 0, max: 59 }) }),
      { selector: ({ id }) => id, maxLength: 12 },
    )
    fc.assert(
      fc.property(rows, fc.infiniteStream(fc.nat()), (given, picks) => {
        const all = given.map(({ id, at }) => row(id, at))
        const expected = mergeRows([], all)
        let merged: typeof all = []
        for (let told = 0; told < 2 * all.length; told += 1) {
          const next = all[picks.next().value % all.length]
          if (next !== undefined) merged = mergeRows(merged, [next])
        }
        merged = mergeRows(merged, all)
        expect(merged).toEqual(expected)
        expect(new Set(merged.map(({ id }) => id)).size).toBe(merged.length)
      }),
    )
  })
})
