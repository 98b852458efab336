import { REST_LIMITS } from '#/backend/http/served'
import { refuse } from './scanner'

/** The allowed contents of a body. */
export interface BodyShape {
  /** Columns or arguments. */
  names: readonly string[]
  /** Columns with pictures and videos. */
  media: readonly string[]
  /** Arguments that are lists of objects. */
  lists: readonly string[]
  /** The longest list of rows; null if it is a single object. */
  rowsMax: number | null
}

/** Enough for the largest insert with all columns. */
const VALUES_MAX = REST_LIMITS.rows * 20

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN = [0x5b, 0x7b]
const CLOSE = [0x5d, 0x7d]

/**
 * Checks that a body is an object, or a list of objects for an insert, with allowed names and without nested values except in the
 * lists of a function. Checks the nesting before parsing, because parsed brackets take many times their size in memory.
 */
export function checkBody(body: Buffer, shape: BodyShape): void {
  checkNesting(body, shape.lists.length > 0 ? 3 : 2)
  const parsed = parse(body)
  const { rowsMax } = shape
  const rows: unknown[] = rowsMax !== null && Array.isArray(parsed) ? parsed : [parsed]
  if (rowsMax !== null && rows.length > rowsMax)
    refuse(`A request inserts at most ${rowsMax} rows here`, 'PGRST102')
  for (const row of rows) checkRow(row, shape)
}

function checkRow(row: unknown, { names, media, lists }: BodyShape): void {
  for (const [name, value] of entriesOf(row)) {
    if (!names.includes(name)) refuse('A column or argument that is not served is written', 'PGRST204')
    if (lists.includes(name) && Array.isArray(value)) checkList(value)
    else if (media.includes(name)) checkScalar(value)
    else checkValue(value, name === SEARCHED ? REST_LIMITS.query : REST_LIMITS.bodyValue)
  }
}

/** The function that takes the list ignores names that it does not know. */
function checkList(list: unknown[]): void {
  if (list.length > REST_LIMITS.rows) refuse(`A list has at most ${REST_LIMITS.rows} objects`, 'PGRST102')
  for (const item of list) for (const [, value] of entriesOf(item)) checkValue(value, REST_LIMITS.listValue)
}

function entriesOf(row: unknown): [string, unknown][] {
  if (typeof row === 'object' && row !== null && !Array.isArray(row)) return Object.entries(row)
  return refuse('The body of a request is a JSON object', 'PGRST102')
}

/** The argument of functions with a text that is searched for; no column has this name. */
const SEARCHED = 'query'

const MARKS = new RegExp(`(?<!\\p{M})\\p{M}{${REST_LIMITS.marks + 1}}`, 'u')

function checkScalar(value: unknown): void {
  if (typeof value === 'object' && value !== null) {
    refuse('A value of the body is an object or a list', 'PGRST102')
  }
}

function checkValue(value: unknown, most: number): void {
  checkScalar(value)
  if (typeof value !== 'string') return
  // The database quotes invalid values in errors, so large ones would take many times their size in memory.
  if (value.length > most) refuse(`A value of the body has at most ${most} characters here`, 'PGRST102')
  if (MARKS.test(value)) refuse(`A text has at most ${REST_LIMITS.marks} marks in a row`, 'PGRST102')
}

function checkNesting(body: Buffer, deepest: number): void {
  let depth = 0
  let values = 1
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0
    if (byte === QUOTE) at = endOfString(body, at)
    else if (byte === COMMA) values += 1
    else if (OPEN.includes(byte)) depth += 1
    else if (CLOSE.includes(byte)) depth -= 1
    if (depth > deepest) refuse('The body of a request is nested too deeply', 'PGRST102')
    if (values > VALUES_MAX) refuse(`The body of a request has at most ${VALUES_MAX} values`, 'PGRST102')
  }
}

/** The offset of the quote that ends the string that starts at `start`. */
function endOfString(body: Buffer, start: number): number {
  let end = start
  do {
    end = body.indexOf(QUOTE, end + 1)
    if (end === -1) return body.length
  } while (isEscaped(body, end))
  return end
}

function isEscaped(body: Buffer, at: number): boolean {
  let before = at
  while (body[before - 1] === BACKSLASH) before -= 1
  return (at - before) % 2 === 1
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return refuse('The body of a request is not JSON', 'PGRST102')
  }
}
