import { randomUUID } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { texts } from '#/main/texts'
import type { OpenedVideo } from '#/shared/bridge'
import { BridgeError } from '#/shared/bridge-error'
import { OPENED_FOLDER } from '#/shared/opened-folder'

export interface ServedVideos {
  /** Serves a video from now on. Throws BridgeError `file-unreadable` if it is not a regular file or cannot be read. */
  serve(path: string): Promise<OpenedVideo>
  /** Answers a request for a served video: the part of it that Range asks for (RFC 9110, 14), or all of it. */
  answer(request: Request): Promise<Response>
}

interface ServedFile {
  path: string
  size: number
  modified: number
}

/** A page reads one at a time; the others wait for it. */
const MAX_SERVED = 20

/** The size of a regular file, and when it was changed. Checked before opening it, which would block for a pipe. */
async function checked(path: string): Promise<Omit<ServedFile, 'path'>> {
  const found = await stat(path)
  if (!found.isFile()) throw new Error('not a regular file')
  return { size: found.size, modified: found.mtimeMs }
}

/**
 * Serves videos that the app was opened with. A page cannot make a `File` of a path, and a video has up to a gigabyte: so it asks for the parts that it reads
 * (lib/media/video-source.ts), and these are read from the disk as they are sent. Only files that the member opened are served, each under a random name.
 */
export function createServedVideos(): ServedVideos {
  const served = new Map<string, ServedFile>()
  return {
    serve: async (path) => {
      const name = basename(path)
      const found = await checked(path).catch(() => {
        throw new BridgeError('file-unreadable', texts.pick.unreadable(name))
      })
      const id = randomUUID()
      served.set(id, { path, ...found })
      for (const oldest of [...served.keys()].slice(0, -MAX_SERVED)) served.delete(oldest)
      return { name, size: found.size, url: `${OPENED_FOLDER}${id}` }
    },
    answer: async (request) => {
      const file = served.get(new URL(request.url).pathname.slice(OPENED_FOLDER.length))
      return file === undefined ? new Response(null, { status: 404 }) : answerFor(file, request)
    },
  }
}

/** Both ends of the part that is asked for, of which the second is included; null for all of the file, 'none' if it has no such part. */
function rangeOf(header: string | null, size: number): { start: number; end: number } | null | 'none' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  // What is not understood is ignored (RFC 9110, 14.2), as several parts at once are.
  if (first === '' && last === '') return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return null
  return start > end ? 'none' : { start, end }
}

async function answerFor(file: ServedFile, { method, headers }: Request): Promise<Response> {
  const now = await checked(file.path).catch(() => null)
  if (now === null) return new Response(null, { status: 404 })
  // Parts of two files would make a third one.
  if (now.size !== file.size || now.modified !== file.modified) return new Response(null, { status: 409 })
  const range = rangeOf(headers.get('range'), file.size)
  const answer = {
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
  }
  if (range === 'none')
    return new Response(null, {
      status: 416,
      headers: { ...answer, 'content-range': `bytes */${file.size}` },
    })
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  const init = {
    status: range === null ? 200 : 206,
    headers: {
      ...answer,
      'content-length': String(end - start + 1),
      ...(range !== null && { 'content-range': `bytes ${start}-${end}/${file.size}` }),
    },
  }
  if (method === 'HEAD' || file.size === 0) return new Response(null, init)
  try {
    const stream = (await open(file.path)).createReadStream({ start, end })
    return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, init)
  } catch {
    return new Response(null, { status: 404 })
  }
}
