import { hasMoreValues } from '#/shared/json-values'
import { refuseIf } from './not-served-error'
import { type Callable, exposedRows, FUNCTIONS, LARGE_MEDIA, REST_LIMITS, TABLES } from './rest-schema'

export type RestBody = Uint8Array<ArrayBuffer> | null

/**
 * Checks what lite must not parse, and corrects what it would misread; checkQuery checks the rest. Throws a `NotServedError`.
 * @returns the request for lite
 */
export type ReadRestCall = (request: Request, url: URL, body: RestBody) => Request

const PREFIX = '/rest/v1/'
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']
const ONE_OBJECT = 'application/vnd.pgrst.object+json'
const JSON_TYPE = /\*\/\*|application\/(\*|json)/i

export const readRestCall: ReadRestCall = (request, url, body) => {
  const { method } = request
  const name = url.pathname.slice(PREFIX.length)
  exposedRows(name)
  const called = name.startsWith('rpc/') ? FUNCTIONS.get(name.slice('rpc/'.length)) : undefined
  const methods = called === undefined ? METHODS : ['GET', 'POST']
  refuseIf(!methods.includes(method), 'This method is not served here', 'PGRST117', 405)
  const { length } = url.pathname + url.search
  refuseIf(length > REST_LIMITS.url, `An address has at most ${REST_LIMITS.url} characters`, 'PGRST100', 414)
  if (called !== undefined && method === 'GET') return readRestCall(...asPost(request, url, called))
  const innerBody = method === 'POST' || method === 'PATCH' ? body : null
  const headers = liteHeaders(request.headers, innerBody !== null)
  const hasMany = innerBody !== null && hasMoreValues(innerBody, REST_LIMITS.values)
  refuseIf(hasMany, 'The body of a request has too many values', 'PGRST102')
  const inner = new URL(url)
  inner.search = liteParameters([...url.searchParams]).toString()
  return new Request(inner, { method, headers, ...(innerBody !== null && { body: innerBody }) })
}

/** A call by GET as a POST: by GET, lite takes the parameters of embedded rows for arguments. */
function asPost(request: Request, url: URL, { args, reads }: Callable): Parameters<ReadRestCall> {
  refuseIf(!reads, 'This function cannot be called in a read-only transaction', '25006', 405)
  const rest = new URL(url)
  const given = args.flatMap((name) => url.searchParams.getAll(name).map((value) => [name, value]))
  for (const [name = ''] of given) rest.searchParams.delete(name)
  const named = Object.fromEntries(given)
  refuseIf(Object.keys(named).length < given.length, 'An argument is given twice')
  const headers = new Headers(request.headers)
  headers.set('content-type', 'application/json')
  return [new Request(rest, { method: 'POST', headers }), rest, Buffer.from(JSON.stringify(named))]
}

/** The largest body of a request, in bytes. */
export function restBodyMax(method: string, pathname: string): number {
  const { columns = [] } = TABLES.get(pathname.slice(PREFIX.length)) ?? {}
  const hasMedia = method === 'POST' && LARGE_MEDIA.some((column) => columns.includes(column))
  return hasMedia ? REST_LIMITS.inlineBody : REST_LIMITS.body
}

type Parameter = [name: string, value: string]

const NAME = /^([a-z]\w*\.)?[a-z]\w*$/

/** The values of parameters other than filters, by the end of their names. */
const VALUES = new Map([
  // Lite ignores a `select` that starts with other characters.
  ['select', /^(?![:!(])(\w|\*(?=[,)]|$)|:(?!:)|[,!()])*$/],
  ['order', /^[\w.]+(,[\w.]+){0,2}$/],
  ['limit', /^\d{1,6}$/],
  ['offset', /^\d{1,6}$/],
  ['on_conflict', /^[\w,]*$/],
  ['columns', /^[\w,"]*$/],
  ['or', /^\(/],
  ['and', /^\(/],
])

/** Every column with texts; no table has another kind of column with the same name. */
const TEXTS = new Set([...TABLES.values(), ...FUNCTIONS.values()].flatMap(({ texts }) => texts))

const lastOf = (name: string) => name.slice(name.indexOf('.') + 1)

function liteParameters(given: Parameter[]): URLSearchParams {
  const isLogic = ([name]: Parameter) => name === 'or' || name === 'and'
  const [trees, others] = [given.filter(isLogic), given.filter((parameter) => !isLogic(parameter))]
  const slots = new Set(others.map(slotOf))
  refuseIf(slots.size < others.length, 'A parameter is given twice')
  const nested = given.filter(([name]) => VALUES.has(lastOf(name))).map(([, value]) => value)
  refuseIf(nested.join().split('(').length > REST_LIMITS.parentheses, 'The request is nested too deeply')
  // Lite joins several trees with `or`.
  const joined: Parameter = ['and', `(${trees.map((tree) => tree.join('')).join()})`]
  return new URLSearchParams([...others.map(withExactText), ...(trees.length > 1 ? [joined] : trees)])
}

/** Checks a parameter. Returns a text that another one may not have, because lite would ignore the first of both. */
function slotOf([name, value]: Parameter): string {
  refuseIf(!NAME.test(name) || name === 'apikey', 'A parameter has another name than a column')
  const last = lastOf(name)
  const allowed = VALUES.get(last)
  const [filter, not = '', operator = ''] = /^(not\.)?([a-z]+)\./.exec(value) ?? []
  const isServed = allowed === undefined ? filter !== undefined : allowed.test(value)
  refuseIf(!isServed, `A value of '${last}' is not served`)
  // Lite uses names as keys of plain objects.
  const words = [...name.split('.'), operator, ...(last === 'select' ? (value.match(/\w+/g) ?? []) : [])]
  const inherited = words.find((word) => word in {})
  refuseIf(inherited !== undefined, 'A name is not served')
  if (allowed !== undefined) return name
  return `${name} ${not}${not !== '' && !['in', 'is'].includes(operator) ? '' : operator}`
}

/** Lite reads `null`, `1.50` or `{}` as something else than a text, unless they are in quotes, which it removes. */
function withExactText([name, value]: Parameter): Parameter {
  return [name, TEXTS.has(lastOf(name)) ? value.replace(/^((?:not\.)?n?eq\.)(.*)$/s, '$1"$2"') : value]
}

function liteHeaders(given: Headers, hasBody: boolean): Headers {
  for (const name of ['accept-profile', 'content-profile'])
    refuseIf((given.get(name) ?? 'public') !== 'public', 'The only schema is public', 'PGRST106', 406)
  refuseIf(given.has('range'), "Rows are limited by 'limit' and 'offset' only")
  const isJson = /^application\/json(; *charset=utf-8)?$/i.test(given.get('content-type') ?? '')
  refuseIf(hasBody && !isJson, 'The body of a request is application/json', 'PGRST102', 415)
  // CSV and query plans are not served.
  const accept = given.get('accept') ?? '*/*'
  const isOne = accept.includes(ONE_OBJECT)
  refuseIf(!isOne && !JSON_TYPE.test(accept), 'None of these media types are available', 'PGRST107', 406)
  const headers = new Headers({ accept: isOne ? ONE_OBJECT : 'application/json' })
  for (const name of ['apikey', 'authorization', 'prefer', ...(hasBody ? ['content-type'] : [])]) {
    const value = given.get(name)
    if (value !== null) headers.set(name, value)
  }
  return headers
}
