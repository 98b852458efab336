import type { QueryClient } from '@tanstack/react-query'
import { AppError } from '#/renderer/lib/core/errors'
import { receive } from '#/renderer/lib/media-store/check-object'
import { withLink } from '#/renderer/lib/media-store/read-object'
import { WINDOW_BYTES } from '#/shared/played-mp4'

/** Bytes that are read first: the tables of a short video and its first pictures, or where the tables of a long one end. */
const FIRST_BYTES = 65_536
/** How many parts stay in memory: pictures and sound may be apart from each other. */
const PARTS_KEPT = 3

/** Reads bytes of an object; fewer at its end. Rejects with an `AppError`, or the signal's reason. */
export type ReadObject = (from: number, to: number, signal: AbortSignal) => Promise<Uint8Array>

/** What names this version of an object, of what a page may read of an answer. A server of another origin shows the second only. */
function versionOf({ headers }: Response): string {
  const [tag, date, range] = ['etag', 'last-modified', 'content-range'].map((name) => headers.get(name))
  return [tag?.replace(/^W\//, ''), date, range?.split('/')[1]].join(' ')
}

/**
 * Reads an object by its links, in parts. An answer that is not the part that was asked for, or of another version of the object, counts
 * as a failure of the server: what was checked and what is played belong together.
 */
export function openParts(client: QueryClient, path: string): ReadObject {
  let parts: { from: number; bytes: Uint8Array }[] = []
  let version = null as string | null
  let end = Number.POSITIVE_INFINITY

  const load = async (from: number, to: number, signal: AbortSignal) => {
    const headers = { Range: `bytes=${from}-${to - 1}` }
    return withLink(client, path, signal, async (url) => {
      const { response, bytes, isCut } = await receive(url, to - from, signal, headers)
      const range = response.headers.get('content-range')
      if (response.status !== 206 || isCut || range?.startsWith(`bytes ${from}-`) === false)
        throw new AppError('refused', '', 'object range')
      version ??= versionOf(response)
      if (version !== versionOf(response)) throw new AppError('refused', '', 'object changed')
      return bytes
    })
  }

  return async (from, to, signal) => {
    const known = parts.find((part) => part.from <= from && to <= part.from + part.bytes.length)
    if (known !== undefined) return known.bytes.subarray(from - known.from, to - known.from)
    if (from >= end) return new Uint8Array()
    const until = Math.max(to, from + (parts.length === 0 ? FIRST_BYTES : WINDOW_BYTES))
    const bytes = await load(from, until, signal)
    if (bytes.length < until - from) end = from + bytes.length
    parts = [{ from, bytes }, ...parts].slice(0, PARTS_KEPT)
    return bytes.subarray(0, to - from)
  }
}
