import type { DatabaseErrorFields } from '#/backend/database/database-error'
import { jsonCopy } from '#/backend/json-copy'
import { restRefusal } from './rest-refusal'

/**
 * The status that PostgREST gives an SQLSTATE (its documentation, "Errors"), for the codes lite does not map.
 */
export function statusOfSqlState(code: string): number {
  const exact: Record<string, number> = { P0001: 400, '23503': 409, '23505': 409, '53400': 500 }
  const byClass: Record<string, number> = {
    '08': 503,
    '0L': 403,
    '0P': 403,
    '23': 400,
    '28': 403,
    '53': 503,
    P0: 500,
  }
  const serverSide = ['09', '25', '2D', '38', '39', '3B', '40', '54', '55', '57', '58', 'F0', 'HV', 'XX']
  const family = code.slice(0, 2)
  return exact[code] ?? byClass[family] ?? (serverSide.includes(family) ? 500 : 400)
}

/** Lite's answer to an SQLSTATE it does not know: 500 without the code. */
function isUnmapped(body: unknown): body is object {
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'SUP'
}

/** What lite's parser of addresses found wrong, where it takes that for a failure of its own; else null. */
function parserComplaint(body: unknown): string | null {
  if (!isUnmapped(body) || !('message' in body) || typeof body.message !== 'string') return null
  return / at position \d+/.test(body.message) ? body.message.replace(/^Error: /, '') : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Puts the status, code and words of the database into an answer of lite that lacks them, and those of PostgREST into
 * one about an address that makes no sense.
 */
export async function withSqlState(
  response: Response,
  raised: DatabaseErrorFields | null,
): Promise<Response> {
  if (response.status !== 500) return response
  const text = await response.clone().text()
  const body = parsed(text)
  const complaint = parserComplaint(body)
  if (complaint !== null) return restRefusal(400, 'PGRST100', complaint)
  if (raised === null || !isUnmapped(body)) return response
  const { code, message, detail, hint } = raised
  return restRefusal(statusOfSqlState(code), code, message, detail, hint)
}

const ONE_OBJECT = 'application/vnd.pgrst.object+json'

/**
 * A write that asked for one object (`.single()`) and embeds another table gets an array from lite: gives its one
 * row, or PostgREST's refusal. Unlike PostgREST's, the write of several rows stays done.
 */
export async function withSingleObject(request: Request, response: Response): Promise<Response> {
  const isAsked = request.headers.get('accept')?.includes(ONE_OBJECT) ?? false
  if (!isAsked || !response.ok || response.status === 204 || request.method === 'HEAD') return response
  const rows = await jsonCopy(response)
  if (!Array.isArray(rows)) return response
  if (rows.length !== 1) {
    const message = 'Cannot coerce the result to a single JSON object'
    return restRefusal(406, 'PGRST116', message, `The result contains ${rows.length} rows`)
  }
  const body = JSON.stringify(rows[0])
  const headers = new Headers(response.headers)
  headers.set('content-length', String(Buffer.byteLength(body)))
  headers.set('content-type', `${ONE_OBJECT}; charset=utf-8`)
  return new Response(body, { status: response.status, headers })
}
