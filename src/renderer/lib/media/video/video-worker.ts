import type { PrepareOptions } from '#/renderer/lib/media/picture/picture-request'
import { MediaError, type MediaErrorCode } from '#/renderer/lib/media/source/media-error'
import type { MediaFile } from '#/renderer/lib/media/source/media-file'
import type { VideoRules } from '#/shared/limits'
import type { VideoInfo } from './open-video'
import type { ClipEdit, PreparedPostVideo, PreparedVideo } from './prepare-video'

/** A request to the video worker. */
export type VideoRequest =
  | { type: 'examine'; source: MediaFile; rules: VideoRules }
  | { type: 'prepare' | 'prepare-post'; source: MediaFile; edit: ClipEdit | null; rules: VideoRules }
  /** Opens a video for `picture` requests. */
  | { type: 'pictures'; source: MediaFile }
  | { type: 'picture'; id: number; at: number; height: number; isRough: boolean }

export type VideoAnswer =
  | { type: 'progress'; fraction: number }
  | { type: 'examined'; info: VideoInfo }
  | { type: 'prepared'; video: PreparedVideo }
  | { type: 'prepared-post'; video: PreparedPostVideo }
  | { type: 'picture'; id: number; picture: ImageBitmap | null }
  | { type: 'refused'; code: MediaErrorCode; longestSeconds?: number | undefined }

/** A damaged video may keep the reader of its tables busy for ever, and fill memory meanwhile. */
const EXAMINE_MS = 60_000

function startWorker(): Worker {
  return new Worker(new URL('./video.worker.ts', import.meta.url), { type: 'module', name: 'video' })
}

/** Sends one request to a new worker, which ends with the answer. Throws MediaError, or the signal's reason after an abort. */
function ask(
  request: VideoRequest,
  { signal, onProgress }: PrepareOptions,
): Promise<Exclude<VideoAnswer, { type: 'progress' | 'refused' }>> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const worker = startWorker()
    const end = (settle: () => void) => {
      worker.terminate()
      clearTimeout(timeout)
      signal?.removeEventListener('abort', handleAbort)
      settle()
    }
    const fail = (cause: unknown) => end(() => reject(new MediaError('video-failed', { cause })))
    const handleAbort = () => end(() => reject(signal?.reason))
    const timeout =
      request.type === 'examine'
        ? setTimeout(() => end(() => reject(new MediaError('video-broken'))), EXAMINE_MS)
        : undefined
    signal?.addEventListener('abort', handleAbort)
    worker.addEventListener('message', ({ data }: MessageEvent<VideoAnswer>) => {
      if (data.type === 'progress') onProgress?.(data.fraction)
      else if (data.type === 'refused') end(() => reject(new MediaError(data.code, data)))
      else end(() => resolve(data))
    })
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      fail(event.error ?? event.message)
    })
    worker.addEventListener('messageerror', fail)
    worker.postMessage(request)
  })
}

/** Checks that a video can be used, and describes it. Throws MediaError, or the signal's reason after an abort. */
export async function examine(
  source: MediaFile,
  rules: VideoRules,
  options: PrepareOptions,
): Promise<VideoInfo> {
  const answer = await ask({ type: 'examine', source, rules }, options)
  if (answer.type !== 'examined') throw new MediaError('video-failed')
  return answer.info
}

/** What becomes of a chosen video. */
interface Wanted {
  /** Null: as much as the rules allow, from the start. */
  edit: ClipEdit | null
  rules: VideoRules
}

/** Converts a video and makes its still picture. Throws MediaError, or the signal's reason after an abort. */
export async function prepare(
  source: MediaFile,
  wanted: Wanted,
  options: PrepareOptions,
): Promise<PreparedVideo> {
  const answer = await ask({ type: 'prepare', source, ...wanted }, options)
  if (answer.type !== 'prepared') throw new MediaError('video-failed')
  return answer.video
}

/** The same for a post. */
export async function preparePost(
  source: MediaFile,
  wanted: Wanted,
  options: PrepareOptions,
): Promise<PreparedPostVideo> {
  const answer = await ask({ type: 'prepare-post', source, ...wanted }, options)
  if (answer.type !== 'prepared-post') throw new MediaError('video-failed')
  return answer.video
}

/** Pictures of a video for its editor, in a separate worker. */
export interface VideoPictures {
  /**
   * The picture at a time, `height` pixels high; of the key frame before if `isRough`. Null if there is none, or the video cannot be
   * read. Of exact ones only the latest is read: the others are null.
   */
  read(at: number, height: number, isRough: boolean): Promise<ImageBitmap | null>
  close(): void
}

export function openPictures(source: MediaFile): VideoPictures {
  const worker = startWorker()
  const waiting = new Map<number, (picture: ImageBitmap | null) => void>()
  let last = 0
  const endAll = () => {
    for (const settle of waiting.values()) settle(null)
    waiting.clear()
  }
  worker.addEventListener('message', ({ data }: MessageEvent<VideoAnswer>) => {
    if (data.type === 'refused') return endAll()
    if (data.type !== 'picture') return
    waiting.get(data.id)?.(data.picture)
    waiting.delete(data.id)
  })
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    endAll()
  })
  worker.postMessage({ type: 'pictures', source } satisfies VideoRequest)
  return {
    read: (at, height, isRough) =>
      new Promise((resolve) => {
        last += 1
        waiting.set(last, resolve)
        worker.postMessage({ type: 'picture', id: last, at, height, isRough } satisfies VideoRequest)
      }),
    close: () => {
      worker.terminate()
      endAll()
    },
  }
}
