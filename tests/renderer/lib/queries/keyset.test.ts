import { describe, expect, test } from 'vitest'
import { type Cursor, nextCursor, nextPage } from '#/renderer/lib/queries/keyset'

const rows = [
  { id: 'b', created_at: '2026-05-02T10:00:00Z' },
  { id: 'a', created_at: '2026-05-01T10:00:00Z' },
]
const cursorOf = ({ id, created_at }: (typeof rows)[number]) => ({ createdAt: created_at, id })

describe('the cursor of the next page', () => {
  test('is the last row of a full page', () => {
    expect(nextCursor(rows, 2, cursorOf)).toEqual({ createdAt: '2026-05-01T10:00:00Z', id: 'a' })
  })

  test('is undefined after a page that is not full', () => {
    expect(nextCursor(rows, 3, cursorOf)).toBeUndefined()
    expect(nextCursor([], 3, cursorOf)).toBeUndefined()
  })
})

describe('the next page', () => {
  const first = { createdAt: '2026-05-02T10:00:00Z', id: 'b' }
  const second = { createdAt: '2026-05-01T10:00:00Z', id: 'a' }
  const pageAfter = (next: Cursor | undefined, params: Cursor[]) => nextPage({ next }, [], null, params)

  test('starts at the cursor of the last one', () => {
    expect(pageAfter(first, [null])).toEqual(first)
    expect(pageAfter({ ...first, id: 'a' }, [null, first])).toEqual({ ...first, id: 'a' })
    expect(pageAfter(undefined, [null])).toBeUndefined()
  })

  test('does not exist if the server sends a place again', () => {
    expect(pageAfter(second, [null, first, second])).toBeUndefined()
    expect(pageAfter(first, [null, first, second])).toBeUndefined()
  })
})
