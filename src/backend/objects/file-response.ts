import { streamFile } from '#/backend/base/stream-of'
import type { ObjectKey } from './object-key'

/** URLs of links change at least once an hour. */
const MAX_AGE_S = 3_600

export interface ServedFile {
  path: string
  size: number
  key: ObjectKey
  /** With quotes. */
  etag: string
}

/**
 * Responds with a file or a range of it. It can only be shown as the picture or video that it is: browsers must not guess another type,
 * and would neither run nor load anything in it.
 */
export function fileResponse(request: Request, file: ServedFile): Response {
  const { path, size, key, etag } = file
  const headers = new Headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${MAX_AGE_S}, immutable`,
    // An authenticated URL is the same for all members who share a browser.
    vary: 'Authorization',
  })
  if (hasTag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })

  const isDownload = new URL(request.url).searchParams.has('download')
  headers.set('content-type', key.mimetype)
  headers.set('content-disposition', `${isDownload ? 'attachment' : 'inline'}; filename="${key.file}"`)
  headers.set('x-content-type-options', 'nosniff')
  headers.set('content-security-policy', "sandbox; default-src 'none'")

  const range = readRange(request.headers, size, etag)
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${size}`)
    headers.set('content-length', '0')
    return new Response(null, { status: 416, headers })
  }
  const { start, end } = range ?? { start: 0, end: size }
  if (range !== null) headers.set('content-range', `bytes ${start}-${end - 1}/${size}`)
  headers.set('content-length', String(end - start))
  const body = request.method === 'HEAD' ? null : streamFile(path, start, end)
  return new Response(body, { status: range === null ? 200 : 206, headers })
}

/** Clients send the tag that they have; of a long list the rest is ignored. */
function hasTag(header: string | null, etag: string): boolean {
  const tags = (header ?? '')
    .slice(0, 1_000)
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

interface Range {
  start: number
  /** Exclusive. */
  end: number
}

/**
 * The requested range (RFC 9110, 14). Null for the whole file, also if several ranges are requested or the file is not the one that
 * the client has a part of.
 */
function readRange(headers: Headers, size: number, etag: string): Range | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('range') ?? '') ?? []
  const ifRange = headers.get('if-range')
  if ((first === '' && last === '') || (ifRange !== null && ifRange !== etag)) return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(Number(last) + 1, size)
  if (first !== '' && last !== '' && Number(last) < start) return null
  return start < end ? { start, end } : 'unsatisfiable'
}
