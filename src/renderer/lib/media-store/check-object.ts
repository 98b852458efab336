import { toAppError } from '#/renderer/lib/core/errors'
import { PICTURE_BYTES, type PictureUse, STORED_VIDEO_BYTES } from '#/shared/limits'
import { sniffMedia } from '#/shared/media-formats'
import type { ReadPart } from '#/shared/mp4-tables'
import { fitsUse, inspectPicture, type StoredPictureKind } from '#/shared/picture-content'
import { isPlayableVideo } from '#/shared/played-video'
import { openLink } from './requests'

/** What an object is read for. */
export type ObjectUse = PictureUse | 'video'

/** Bytes of a video that are read to check what it is: of most, with the tables of its samples. */
const HEAD_BYTES = 65_536

/** The formats of objects, by the extension of their paths. */
const PICTURES: Readonly<Record<string, StoredPictureKind>> = {
  webp: 'webp',
  avif: 'avif',
  jpg: 'jpeg',
  png: 'png',
}
const VIDEOS: Readonly<Record<string, 'mp4' | 'webm'>> = { mp4: 'mp4', webm: 'webm' }

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

/** Whether a file is the video that its path says, and can be opened without taking gigabytes. Rejects as `read` does. */
async function isVideoOf(
  path: string,
  read: ReadPart,
  fileBytes: number,
  isWhole: boolean,
): Promise<boolean> {
  const kind = VIDEOS[extensionOf(path)]
  if (kind === undefined || sniffMedia(await read(0, HEAD_BYTES)) !== kind) return false
  return isPlayableVideo(kind, read, fileBytes, isWhole)
}

/** Whether these bytes are one still picture, of the format that the path says, and not too large for its use. */
function isPictureOf(path: string, bytes: Uint8Array, use: PictureUse): boolean {
  const kind = PICTURES[extensionOf(path)]
  if (kind === undefined) return false
  const content = inspectPicture(bytes, kind)
  return content.ok && fitsUse(content, use)
}

interface Received {
  bytes: Uint8Array<ArrayBuffer>
  /** The body has more bytes. */
  isCut: boolean
  /** The server sent what was asked for, not the file from its start. */
  isPart: boolean
}

/** Reads at most `limit` bytes of a body, and calls `end` if there are more. */
async function readUpTo({ body, status }: Response, limit: number, end: () => void): Promise<Received> {
  const reader = body?.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let left = limit
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    const { value } = next
    parts.push(value.slice(0, left))
    left -= value.length
    if (left < 0) {
      end()
      break
    }
  }
  return {
    bytes: new Uint8Array(await new Blob(parts).arrayBuffer()),
    isCut: left < 0,
    isPart: status === 206,
  }
}

/** Reads at most `limit` bytes behind a link. Throws an `AppError`, or the signal's reason. */
async function receive(url: string, limit: number, init: RequestInit): Promise<Received> {
  const cut = new AbortController()
  const signal = AbortSignal.any([cut.signal, ...(init.signal ? [init.signal] : [])])
  const response = await openLink(url, { ...init, signal })
  try {
    return await readUpTo(response, limit, () => cut.abort())
  } catch (cause) {
    init.signal?.throwIfAborted()
    throw toAppError(cause)
  }
}

/**
 * Reads a file and checks what it contains, all of a picture, and of a video what it is; null if it must not be shown. Throws an
 * `AppError`, or the signal's reason.
 */
export async function readChecked(
  url: string,
  path: string,
  use: ObjectUse,
  signal?: AbortSignal,
): Promise<Blob | null> {
  const limit = use === 'video' ? STORED_VIDEO_BYTES : PICTURE_BYTES
  const { bytes, isCut } = await receive(url, limit, signal === undefined ? {} : { signal })
  const isRight =
    use === 'video'
      ? await isVideoOf(path, async (from, to) => bytes.subarray(from, to), bytes.length, true)
      : isPictureOf(path, bytes, use)
  if (isCut || !isRight) return null
  // Its own type: that of the response is what the uploader wrote.
  return new Blob([bytes], { type: `${use === 'video' ? 'video' : 'image'}/${sniffMedia(bytes)}` })
}

/** Whether the video behind a link is one. Reads only parts of it. Throws an `AppError`, or the signal's reason. */
export async function isVideoBehind(url: string, path: string, signal?: AbortSignal): Promise<boolean> {
  let known = { from: 0, to: 0, bytes: new Uint8Array() }
  return isVideoOf(
    path,
    async (from, to) => {
      if (from < known.from || to > known.to) {
        // A byte more, because a server has no part after the end of a file.
        const start = Math.max(0, from - 1)
        const bytes = Math.max(to - start, HEAD_BYTES)
        const headers = { Range: `bytes=${start}-${start + bytes - 1}` }
        const part = await receive(url, bytes, { headers, ...(signal && { signal }) })
        if (start > 0 && !part.isPart) throw new RangeError('The server sends no parts.')
        const isEnd = part.bytes.length < bytes
        known = { from: start, to: isEnd ? Number.POSITIVE_INFINITY : start + bytes, bytes: part.bytes }
      }
      return known.bytes.subarray(from - known.from, to - known.from)
    },
    STORED_VIDEO_BYTES,
    false,
  )
}
