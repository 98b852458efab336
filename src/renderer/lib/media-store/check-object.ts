import { toAppError } from '#/renderer/lib/core/errors'
import { PICTURE_BYTES, type PictureUse, STORED_VIDEO_BYTES } from '#/shared/limits'
import { sniffMedia } from '#/shared/media-formats'
import { fitsUse, inspectPicture, type StoredPictureKind } from '#/shared/picture-content'
import { openLink } from './requests'

/** What an object is read for. */
export type ObjectUse = PictureUse | 'video'

/** Bytes of a video that are read to check what it is. */
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

/** Whether the file with these first bytes is the video that its path says. */
function isVideoOf(path: string, head: Uint8Array): boolean {
  const kind = VIDEOS[extensionOf(path)]
  return kind !== undefined && sniffMedia(head) === kind
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
}

/** Reads at most `limit` bytes of a body, and calls `end` if there are more. */
async function readUpTo({ body }: Response, limit: number, end: () => void): Promise<Received> {
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
  return { bytes: new Uint8Array(await new Blob(parts).arrayBuffer()), isCut: left < 0 }
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
 * Reads a file and checks what it contains, all of a picture and the start of a video; null if it must not be shown. Throws an
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
  const isRight = use === 'video' ? isVideoOf(path, bytes) : isPictureOf(path, bytes, use)
  if (isCut || !isRight) return null
  // Its own type: that of the response is what the uploader wrote.
  return new Blob([bytes], { type: `${use === 'video' ? 'video' : 'image'}/${sniffMedia(bytes)}` })
}

/** Whether the video behind a link is one. Reads only its start. Throws an `AppError`, or the signal's reason. */
export async function hasVideoHead(url: string, path: string, signal?: AbortSignal): Promise<boolean> {
  const headers = { Range: `bytes=0-${HEAD_BYTES - 1}` }
  const { bytes } = await receive(url, HEAD_BYTES, { headers, ...(signal && { signal }) })
  return isVideoOf(path, bytes)
}
