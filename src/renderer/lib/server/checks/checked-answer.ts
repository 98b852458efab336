import { AppError } from '#/renderer/lib/core/errors'
import { isCount, isObject } from './checked-values'
import { type Form, hasForm, isOfColumn, JSON_LISTS, LISTS, LISTS_MOST, RESULTS } from './row-forms'
import { type Field, MEDIA_COLUMNS } from './stored-pictures'
import { textMost } from './text-lengths'

/** Requested columns by the names that they have in the answer. */
type Columns = Map<string, { column: string; embedded: Columns | null }>

/** What a request to a table or function is answered with. */
export type Expected =
  /** `source`: the table, or the function that returns the rows. */
  | { kind: 'rows' | 'row' | 'row or none'; source: string; columns: Columns }
  | { kind: 'value'; form: Form }
  | { kind: 'nothing' }

/** The columns of a `select`, such as `id,author:profiles!posts_user_id_fkey(username)`. */
export function columnsOf(select: string): Columns {
  const all: Columns = new Map()
  const open = [all]
  for (const [token, name = '', of = name, list] of select.matchAll(/(\w+)(?::(\w+))?(?:!\w+)?(\()?|\)/g)) {
    if (token === ')') open.pop()
    else {
      const embedded: Columns | null = list === undefined ? null : new Map()
      open.at(-1)?.set(name, { column: of, embedded })
      if (embedded !== null) open.push(embedded)
    }
  }
  return all
}

/** Parsed once: a page of notifications has a list in each of its rows. */
const JSON_LIST_COLUMNS: ReadonlyMap<string, Columns> = new Map(
  [...JSON_LISTS].map(([name, list]) => [name, columnsOf(list)]),
)

/** The parts of a request of supabase-js that say what it asks for; its types call them protected. */
interface Request {
  url: URL
  headers: Headers
  isMaybeSingle: boolean
}

function isRequest(value: object): value is Request {
  return 'url' in value && value.url instanceof URL && 'headers' in value && value.headers instanceof Headers
}

/** The name of the table or function. */
function sourceOf({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf('/') + 1)
}

function resultOf({ pathname }: URL): (typeof RESULTS)[keyof typeof RESULTS] {
  const name = pathname.split('/rpc/')[1] ?? ''
  return name in RESULTS ? RESULTS[name as keyof typeof RESULTS] : 'nothing'
}

/** What a request of supabase-js to a table or function asks for; null if it is none. */
export function expectedOf(request: object): Expected | null {
  if (!isRequest(request)) return null
  const result = resultOf(request.url)
  const select = request.url.searchParams.get('select') ?? (typeof result === 'string' ? null : result.join())
  if (select === null)
    return result === 'nothing' ? { kind: 'nothing' } : { kind: 'value', form: result as Form }
  const isOne = request.headers.get('Accept')?.startsWith('application/vnd.pgrst.object') === true
  return {
    kind: isOne ? 'row' : request.isMaybeSingle ? 'row or none' : 'rows',
    source: sourceOf(request.url),
    columns: columnsOf(select),
  }
}

/** Rows that a list has at most: a hosted project's `max_rows`, and the limit of the embedded server. */
export const ROWS_MOST = 1_000

/** Throws what a server that fails throws, for which every screen has a place. */
function refuse(what: string): never {
  throw new AppError('server', '', `a wrong form of ${what}`)
}

/** Marks in a row that the embedded server accepts. Laying out 4,000 on one letter takes a tenth of a second, and a hosted server accepts them. */
const MARKS_MOST = 250
/** What is cut, behind them. Looked for only where marks begin: looking from each mark of a smaller pile took 10 ms of a message. */
export const PILE = new RegExp(`(?<!\\p{M})(\\p{M}{${MARKS_MOST}})\\p{M}+`, 'gu')

/** Marks that turn the direction of what follows. Each turn is laid out for itself: fifty messages of 4,000 took a second. */
const DIRECTION = /[\u061c\u200e\u200f]/g

/** Looking for links in a million characters takes minutes, and laying out a feed with names of 8,000 letters takes seconds. */
function cut(value: unknown, most: number): unknown {
  if (typeof value !== 'string') return value
  const text = value.slice(0, most)
  if (text.length <= MARKS_MOST) return text
  let directions = 0
  return text.replace(PILE, '$1').replace(DIRECTION, (mark) => {
    directions += 1
    return directions > MARKS_MOST ? '' : mark
  })
}

function checkedValue(
  row: Record<string, unknown>,
  source: string,
  columns: Columns,
  name: string,
  column: string,
): unknown {
  const value = row[name]
  if (name.endsWith('_count')) return value === null || isCount(value) ? value : 0
  // Of the rows with a `content`, only stories and groups of notifications may have none.
  const mayBeEmpty = name !== 'content' || columns.has('media_type') || columns.has('group_key')
  if ((value === null && !mayBeEmpty) || !isOfColumn(value, name, column)) refuse(name)
  if (MEDIA_COLUMNS.has(name)) return value
  const most = textMost(source, column)
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, text]) => [key, cut(text, most)]))
    : cut(value, most)
}

/** Rows that have what was asked for, and nothing else; `media` receives their pictures and videos. */
function checkedRow(
  row: unknown,
  source: string,
  columns: Columns,
  media: Field[],
  what: string,
): Record<string, unknown> {
  if (!isObject(row)) refuse(what)
  const checked: Record<string, unknown> = {}
  for (const [name, { column, embedded }] of columns) {
    if (!Object.hasOwn(row, name)) refuse(name)
    const value = row[name]
    const list = JSON_LIST_COLUMNS.get(name)
    if (list !== undefined)
      checked[name] = value === null ? null : checkedList(value, column, list, media, name)
    else if (embedded === null) checked[name] = checkedValue(row, source, columns, name, column)
    else if (LISTS.has(name)) checked[name] = checkedList(value, column, embedded, media, name)
    // The author of a visible row is visible.
    else if (value === null && name !== 'author') checked[name] = null
    else checked[name] = checkedRow(value, column, embedded, media, name)
    if (MEDIA_COLUMNS.has(name)) media.push({ row: checked, column: name })
  }
  return checked
}

function checkedList(list: unknown, source: string, columns: Columns, media: Field[], what: string) {
  if (!Array.isArray(list)) refuse(what)
  return list
    .slice(0, LISTS_MOST.get(what) ?? ROWS_MOST)
    .map((row) => checkedRow(row, source, columns, media, what))
}

interface Checked {
  answer: unknown
  /** Where it has pictures and videos, which are not checked yet. */
  media: Field[]
}

/**
 * An answer with the form and the columns that were asked for: a server may answer anything, and a screen that draws an object or the
 * length of null fails as a whole. What was not asked for is left out. A count that is none becomes zero, and the ends of too long
 * texts and lists are cut off: the database accepts no longer ones. Throws an `AppError` if the form is another one.
 */
export function checkedAnswer(answer: unknown, expected: Expected): Checked {
  const media: Field[] = []
  if (expected.kind === 'nothing') return { answer: null, media }
  if (expected.kind === 'value')
    return hasForm(answer, expected.form)
      ? { answer: cut(answer, textMost('', '')), media }
      : refuse('the result')
  const { kind, source, columns } = expected
  if (kind === 'rows') return { answer: checkedList(answer, source, columns, media, 'the rows'), media }
  const isNone = answer === null && kind === 'row or none'
  return { answer: isNone ? null : checkedRow(answer, source, columns, media, 'the row'), media }
}
