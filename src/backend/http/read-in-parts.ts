import * as z from 'zod'
import { bodyBytes } from '#/backend/body-bytes'
import { TABLES } from '#/backend/rest/rest-schema'
import { streamOf } from '#/backend/stream-of'
import { MEDIA_LIMITS } from '#/shared/limits'
import { restError } from './rest-error'

/** The rows of a read are too large for one turn of the database. */
export class RowsTooLargeError extends Error {}

/**
 * Sends a read to lite, in a turn of the database. Rejects with a RowsTooLargeError.
 * @param heldBytes bytes of the response that earlier parts hold
 */
export type SendRead = (request: Request, heldBytes: number) => Promise<Response | null>

/** Rows of the first part, from whose size the next one follows. */
const FIRST_ROWS = 2
const ROWS_MAX = 400

/** The size in bytes that later parts aim at; less than a result of several rows may have. */
const PART_BYTES = 3_300_000

/** As large as a row with the largest video. */
const TOTAL_BYTES = MEDIA_LIMITS.video.characters

const EMPTY = '[]'

const keysSchema = z.array(z.record(z.string(), z.string()))

/**
 * The column that identifies the rows of a read, which are then read in parts; null for a single object, a write, or rows
 * that only two columns identify.
 */
export function keyOf({ method, url, headers }: Request): string | null {
  if (method !== 'GET' || headers.get('accept') !== 'application/json') return null
  const { pathname, searchParams } = new URL(url)
  const { key: columns = [] } = TABLES.get(pathname.slice('/rest/v1/'.length)) ?? {}
  const isFixed = (column: string) => searchParams.get(column)?.startsWith('eq.') ?? false
  const [key = null, ...others] = columns.filter((column) => !isFixed(column))
  return others.length === 0 ? key : null
}

/**
 * Reads the keys of the rows first, then the rows in as many turns as their size needs. A row that is deleted meanwhile is
 * missing; a row that is inserted meanwhile is not included.
 */
export async function readInParts(request: Request, key: string, send: SendRead): Promise<Response | null> {
  const listed = await send(keysRequest(request, key), 0)
  if (listed === null || !listed.ok) return listed
  const keys = [...new Set(keysSchema.parse(await listed.json()).map((row) => row[key] ?? ''))]

  const parts: Uint8Array[] = []
  let bytes = 0
  let rows = FIRST_ROWS
  while (keys.length > 0) {
    const part = await send(partRequest(request, key, keys.slice(0, rows)), bytes).catch(tooLarge)
    if (part === 'too large') {
      if (rows === 1) throw new RowsTooLargeError()
      rows = Math.ceil(Math.min(rows, keys.length) / 2)
      continue
    }
    if (part === null || !part.ok) return part
    const body = await bodyBytes(part)
    const read = keys.splice(0, rows).length
    bytes += body.byteLength
    if (bytes > TOTAL_BYTES) return tooManyBytes()
    parts.push(body)
    rows = Math.min(Math.max(Math.floor((PART_BYTES * read) / body.byteLength), 1), ROWS_MAX)
  }
  return joined(listed, parts)
}

function tooLarge(error: unknown): 'too large' {
  if (error instanceof RowsTooLargeError) return 'too large'
  throw error
}

/** The same rows without their columns and embedded tables, which have no influence on which rows are read. */
function keysRequest(request: Request, key: string): Request {
  const url = new URL(request.url)
  for (const name of [...url.searchParams.keys()]) if (name.includes('.')) url.searchParams.delete(name)
  url.searchParams.set('select', key)
  return new Request(url, request)
}

function partRequest(request: Request, key: string, keys: readonly string[]): Request {
  const url = new URL(request.url)
  for (const name of ['offset', key]) url.searchParams.delete(name)
  url.searchParams.set(key, `in.(${keys.join()})`)
  url.searchParams.set('limit', String(keys.length))
  const headers = new Headers(request.headers)
  headers.delete('prefer')
  return new Request(url, { headers })
}

/** The rows of all parts in one JSON array, with the status and range of the list of keys. */
function joined({ status, headers: given }: Response, parts: Uint8Array[]): Response {
  const filled = parts.filter(({ byteLength }) => byteLength > EMPTY.length)
  // Each part is an array, whose closing bracket becomes a comma.
  const chunks = filled.map((part, index) => part.subarray(index === 0 ? 0 : 1))
  for (const [index, chunk] of chunks.entries()) {
    chunk[chunk.length - 1] = (index === chunks.length - 1 ? ']' : ',').charCodeAt(0)
  }
  const body = chunks.length === 0 ? [new TextEncoder().encode(EMPTY)] : chunks
  const headers = new Headers(given)
  headers.delete('content-location')
  headers.set('content-length', String(body.reduce((sum, { byteLength }) => sum + byteLength, 0)))
  return new Response(streamOf(...body), { status, headers })
}

function tooManyBytes(): Response {
  return restError(413, 'PT413', 'The response is too large', null, 'Request fewer rows or columns.')
}
