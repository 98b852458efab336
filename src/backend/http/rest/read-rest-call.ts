import {
  REST_LIMITS,
  type RestMethod,
  SERVED_FUNCTIONS,
  SERVED_TABLES,
  type ServedRows,
  type ServedTable,
} from '#/backend/http/served'
import { parseQuery, type Target } from './parse-query'
import { checkBody } from './rest-body'
import { restHeaders } from './rest-headers'
import { NotServedError, splitNames } from './scanner'

export type RestBody = Uint8Array<ArrayBuffer> | null

/** Parses a request and rebuilds it for lite. Throws a `NotServedError` for everything that served.ts does not allow. */
export type ReadRestCall = (request: Request, url: URL, body: RestBody) => Request

const PREFIX = '/rest/v1/'
const METHODS: readonly RestMethod[] = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']
const VALUE: ServedRows = { columns: '' }

export const readRestCall: ReadRestCall = (request, url, body) => {
  const { target, names, lists = [] } = findTarget(request.method, url.pathname)
  const { length } = url.pathname + url.search
  if (length > REST_LIMITS.url) {
    throw new NotServedError(414, 'PGRST100', `An address has at most ${REST_LIMITS.url} characters`)
  }
  const { method, table } = target
  const innerBody = method === 'POST' || method === 'PATCH' ? body : null
  const headers = restHeaders(request.headers, innerBody !== null)
  const inner = new URL(url)
  inner.search = parseQuery(url.searchParams, target).toString()
  if (innerBody !== null) {
    checkBody(Buffer.from(innerBody.buffer, innerBody.byteOffset, innerBody.byteLength), {
      names,
      media: splitNames(table?.media),
      lists,
      rowsMax: table !== null && method === 'POST' ? (table.insertRows ?? REST_LIMITS.rows) : null,
    })
  }
  return new Request(inner, { method, headers, ...(innerBody !== null && { body: innerBody }) })
}

/** The largest body of a request, in bytes. */
export function restBodyMax(method: string, pathname: string): number {
  const mediaMax = tableNamed(pathname.slice(PREFIX.length))?.mediaMax ?? 0
  return REST_LIMITS.body + (method === 'POST' ? mediaMax : 0)
}

function tableNamed(name: string): ServedTable | undefined {
  return Object.hasOwn(SERVED_TABLES, name) ? SERVED_TABLES[name] : undefined
}

interface Found {
  target: Target
  /** Column or argument names that the body may have. */
  names: string[]
  /** Arguments that are lists of objects. */
  lists?: string[]
}

function findTarget(given: string, pathname: string): Found {
  const name = pathname.slice(PREFIX.length)
  const method = METHODS.find((name) => name === given)
  if (name.startsWith('rpc/')) {
    const called = name.slice('rpc/'.length)
    const served = Object.hasOwn(SERVED_FUNCTIONS, called) ? SERVED_FUNCTIONS[called] : undefined
    if (served === undefined) return notFound('PGRST202', `function '${called}'`)
    if (method !== 'POST') return notAllowed()
    const target = { method, rows: served.rows ?? VALUE, table: null }
    const { args, lists } = served
    return { target, names: splitNames(args), lists: splitNames(lists) }
  }
  const table = tableNamed(name)
  if (table === undefined) return notFound('PGRST205', `table '${name}'`)
  if (method === undefined || !table.methods.includes(method)) return notAllowed()
  return { target: { method, rows: table, table }, names: splitNames(table.columns) }
}

function notFound(code: string, what: string): never {
  throw new NotServedError(404, code, `Could not find the ${what} in the schema cache`)
}

function notAllowed(): never {
  throw new NotServedError(405, 'PGRST117', 'This method is not served here')
}
