import { AppError } from '#/renderer/lib/core/errors'
import { isUuid } from '#/renderer/lib/core/uuid'
import { TEXT_LIMITS } from '#/shared/limits'

// By hand: a schema library would add 7 KB to the first load.

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isIdList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((id) => typeof id === 'string' && isUuid(id))
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/** A count that the server sent. Throws an `AppError` if it is anything else. */
export function toCount(value: unknown): number {
  if (!isCount(value)) throw new AppError('server', '', 'not a count')
  return value
}

export interface Field {
  row: Record<string, unknown>
  column: string
  value: unknown
}

/** The columns of fetched rows and of the rows embedded in them, in no particular order. */
export function* fieldsIn(rows: unknown): Generator<Field> {
  // Not recursive: a server may nest lists deeper than the stack.
  const open = [rows]
  while (open.length > 0) {
    const next = open.pop()
    if (Array.isArray(next)) for (const item of next) open.push(item)
    else if (isObject(next))
      for (const [column, value] of Object.entries(next)) {
        yield { row: next, column, value }
        if (typeof value === 'object') open.push(value)
      }
  }
}

/** Columns with a count: `like_count`, and `count` of embedded rows. */
const COUNT = /^(\w+_)?count$/

/** Characters of the longest text, of which each may be two code units. */
const TEXT_MOST = 2 * Math.max(...Object.values(TEXT_LIMITS))

/** Columns with pictures and videos as data URLs. `withSafePictures` checks them. */
const MEDIA: ReadonlySet<string> = new Set(['avatar_url', 'thumbnail_url', 'image_url', 'media_url'])

/** Rows that a list has at most: a hosted project's `max_rows`, and the limit of the embedded server. */
export const ROWS_MOST = 1_000

/**
 * Makes fetched rows cheap to draw: a value that is not a count becomes zero in a count column, and the ends of too long texts and lists are cut
 * off. The database accepts no longer texts, and no request asks for longer lists; either would take minutes to draw. Mutates and
 * returns the rows.
 */
export function withinLimits<T>(rows: T): T {
  // Before the walk through all rows.
  if (Array.isArray(rows)) rows.splice(ROWS_MOST)
  for (const { row, column, value } of fieldsIn(rows)) {
    if (Array.isArray(value)) value.splice(ROWS_MOST)
    if (COUNT.test(column) && value !== null && !isCount(value)) row[column] = 0
    else if (typeof value === 'string' && value.length > TEXT_MOST && !MEDIA.has(column))
      row[column] = value.slice(0, TEXT_MOST)
  }
  return rows
}
