import { peekJson } from '#/backend/base/peek-json'
import type { DatabaseErrorFields } from '#/backend/database/database-error'
import { restError } from './rest-error'

/** PostgREST's status of an SQLSTATE (its documentation, "Errors"), for the codes that lite does not map. */
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
  const serverErrors = ['09', '25', '2D', '38', '39', '3B', '40', '54', '55', '57', '58', 'F0', 'HV', 'XX']
  const family = code.slice(0, 2)
  return exact[code] ?? byClass[family] ?? (serverErrors.includes(family) ? 500 : 400)
}

/** Lite's response to an SQLSTATE that it does not know: 500 without the code. */
function isUnmapped(body: unknown): body is object {
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'SUP'
}

/** Adds the status, code and message of the database's error, if lite's response lacks them. */
export async function withSqlState(
  response: Response,
  raised: DatabaseErrorFields | null,
): Promise<Response> {
  if (response.status !== 500 || raised === null || !isUnmapped(await peekJson(response))) return response
  return restError(statusOfSqlState(raised.code), raised.code, raised.message, raised.detail, raised.hint)
}

const ONE_OBJECT = 'application/vnd.pgrst.object+json'

/**
 * Returns the single row of a write with `.single()` and an embedded table, for which lite returns an array, or PostgREST's
 * error. Unlike with PostgREST, a write of several rows is not rolled back.
 */
export async function withSingleObject(request: Request, response: Response): Promise<Response> {
  const isSingle = request.headers.get('accept')?.includes(ONE_OBJECT) ?? false
  if (!isSingle || !response.ok || response.status === 204 || request.method === 'HEAD') return response
  const rows = await peekJson(response)
  if (!Array.isArray(rows)) return response
  if (rows.length !== 1) {
    const message = 'Cannot coerce the result to a single JSON object'
    return restError(406, 'PGRST116', message, `The result contains ${rows.length} rows`)
  }
  const body = JSON.stringify(rows[0])
  const headers = new Headers(response.headers)
  headers.set('content-length', String(Buffer.byteLength(body)))
  headers.set('content-type', `${ONE_OBJECT}; charset=utf-8`)
  return new Response(body, { status: response.status, headers })
}
