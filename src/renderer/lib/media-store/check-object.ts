import { toAppError } from '#/renderer/lib/core/errors'
import { wait } from '#/renderer/lib/core/schedule'
import { PICTURE_BYTES, type PictureUse, STORY_VIDEO_BYTES } from '#/shared/limits'
import { sniffMedia } from '#/shared/media-formats'
import { fitsUse, inspectPicture, type StoredPictureKind } from '#/shared/picture-content'
import { isPlayableVideo } from '#/shared/played-video'
import { openLink } from './requests'

/** What an object is read for. */
export type ObjectUse = PictureUse | 'video'

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

/** Bytes that are checked in one task: a video of 45 MB that is nothing but parameters would stop the page for seconds. */
const TASK_BYTES = 500_000

/** Whether these bytes are the video that the path says, of which no picture takes gigabytes. */
async function isVideoOf(path: string, bytes: Uint8Array): Promise<boolean> {
  const kind = VIDEOS[extensionOf(path)]
  if (kind === undefined || sniffMedia(bytes) !== kind) return false
  let read = 0
  return isPlayableVideo(
    kind,
    async (from, to) => {
      read += to - from
      if (read > TASK_BYTES) {
        await wait()
        read = 0
      }
      return bytes.subarray(from, to)
    },
    bytes.length,
  )
}

/** Whether these bytes are one still picture, of the format that the path says, and not too large for its use. */
function isPictureOf(path: string, bytes: Uint8Array, use: PictureUse): boolean {
  const kind = PICTURES[extensionOf(path)]
  if (kind === undefined) return false
  const content = inspectPicture(bytes, kind)
  return content.ok && fitsUse(content, use)
}

interface Received {
  response: Response
  bytes: Uint8Array<ArrayBuffer>
  /** The body has more bytes. */
  isCut: boolean
}

/** Reads at most `limit` bytes of a body, and calls `end` if there are more. */
async function readUpTo(response: Response, limit: number, end: () => void): Promise<Received> {
  const reader = response.body?.getReader()
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
  return { response, bytes: new Uint8Array(await new Blob(parts).arrayBuffer()), isCut: left < 0 }
}

/** Reads at most `limit` bytes behind a link. Throws an `AppError`, or the signal's reason. */
export async function receive(
  url: string,
  limit: number,
  signal: AbortSignal | undefined,
  headers: Record<string, string> = {},
): Promise<Received> {
  const cut = new AbortController()
  const signals = [cut.signal, ...(signal ? [signal] : [])]
  const response = await openLink(url, { headers, signal: AbortSignal.any(signals) })
  try {
    return await readUpTo(response, limit, () => cut.abort())
  } catch (cause) {
    signal?.throwIfAborted()
    throw toAppError(cause)
  }
}

/** Reads a file and checks all that it contains; null if it must not be shown. Throws an `AppError`, or the signal's reason. */
export async function readChecked(
  url: string,
  path: string,
  use: ObjectUse,
  signal?: AbortSignal,
): Promise<Blob | null> {
  const limit = use === 'video' ? STORY_VIDEO_BYTES : PICTURE_BYTES
  const { bytes, isCut } = await receive(url, limit, signal)
  const isRight = use === 'video' ? await isVideoOf(path, bytes) : isPictureOf(path, bytes, use)
  if (isCut || !isRight) return null
  // Its own type: that of the response is what the uploader wrote.
  return new Blob([bytes], { type: `${use === 'video' ? 'video' : 'image'}/${sniffMedia(bytes)}` })
}
