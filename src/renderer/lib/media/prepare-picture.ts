import type { Dimensions } from '#/shared/media-formats'
import { checkBytes } from './check-source'
import { blobOfDataUrl } from './data-url'
import { type MediaKind, mediaKind } from './kind-store'
import { MediaError, type MediaErrorCode } from './media-error'
import type { PictureEdit } from './picture-edit'
import type { SquareCrop } from './process-picture'

/** A picture for inline columns: two data URLs, and the size of the larger one in pixels. */
export interface InlinePicture {
  dataUrl: string
  thumbnailUrl: string
  width: number
  height: number
}

/** A picture for Storage: a file per size, its ThumbHash in base64, and the size in pixels and the colours of the full one. */
export interface StoredPicture {
  full: Blob
  /** Missing if the full picture is no larger, and in pictures that an older version prepared. */
  middle?: Blob
  feed: Blob
  grid: Blob
  thumbhash: string
  width: number
  height: number
  /** Missing in pictures that an older version prepared. */
  colorSpace?: PredefinedColorSpace
}

/** The result of preparing a picture, by kind of server. */
export interface PictureOf {
  inline: InlinePicture
  storage: StoredPicture
}

export type PreparedPicture = PictureOf[MediaKind]

/** A request to the picture worker. Every response has the same `id`. */
export interface PictureRequest {
  id: number
  source: Blob
  kind: MediaKind
  /** The square to keep for a profile picture. Without it the whole picture is prepared for a post. */
  crop?: SquareCrop
  /** The member's edit of the photo of a post. */
  edit?: PictureEdit
  /** The picture is to be shown in the photo editor, not prepared. */
  isView?: true
  /** A small version is to be shown, not prepared. `isQuick`: unless the whole photo must be decoded for it. */
  preview?: { side: number; isQuick: boolean }
}

/** A chosen file as a page can show it, and the size of the whole photo; both upright. */
export interface ViewablePicture extends Dimensions {
  source: Blob
  preview: Blob
}

export type PictureAnswer =
  | { id: number; type: 'progress'; fraction: number }
  | { id: number; type: 'done'; picture: PreparedPicture }
  | { id: number; type: 'cropped'; avatar: string | Blob }
  | { id: number; type: 'viewed'; view: ImageBitmap }
  /** Null if the format has no small version. */
  | { id: number; type: 'previewed'; picture: ViewablePicture | null }
  | { id: number; type: 'refused'; code: MediaErrorCode }

export interface PrepareOptions {
  /** Aborts the work; the promise rejects with the signal's reason. */
  signal?: AbortSignal
  /** Receives the fraction done, from 0 to 1. */
  onProgress?: (fraction: number) => void
}

/** Options with the member's edit of the photo. */
interface EditOptions extends PrepareOptions {
  edit?: PictureEdit
}

/** The worker's final message about a picture. */
type Outcome = Exclude<PictureAnswer, { type: 'progress' }>

interface Job {
  request: PictureRequest
  resolve: (outcome: Outcome) => void
  reject: (reason: unknown) => void
  onProgress: ((fraction: number) => void) | undefined
}

/**
 * Processes pictures one after the other in one worker, because each may take several hundred megabytes. The worker
 * starts on first use, and again after a crash or an abort.
 */
export class PictureQueue {
  readonly #startWorker: () => Worker
  #worker: Worker | undefined
  #running: Job | undefined
  readonly #waiting: Job[] = []
  #lastId = 0

  constructor(startWorker: () => Worker) {
    this.#startWorker = startWorker
  }

  /** Prepares a photo for a post. */
  async prepare<K extends MediaKind>(
    source: Blob,
    kind: K,
    { edit, ...options }: EditOptions = {},
  ): Promise<PictureOf[K]> {
    const outcome = await this.#enqueue({ source, kind, ...(edit && { edit }) }, options)
    if (outcome.type !== 'done') throw refusal(outcome)
    return outcome.picture as PictureOf[K]
  }

  /** Crops a photo for a profile. Returns a file for Storage, else a data URL. */
  async crop(
    source: Blob,
    crop: SquareCrop,
    kind: MediaKind,
    options?: PrepareOptions,
  ): Promise<string | Blob> {
    const outcome = await this.#enqueue({ source, kind, crop }, options)
    if (outcome.type !== 'cropped') throw refusal(outcome)
    return outcome.avatar
  }

  /** Decodes a photo for the photo editor. */
  async view(source: Blob, options?: PrepareOptions): Promise<ImageBitmap> {
    const outcome = await this.#enqueue({ source, kind: 'storage', isView: true }, options)
    if (outcome.type !== 'viewed') throw refusal(outcome)
    return outcome.view
  }

  /** Returns a small version of a photo; null only if `isQuick` is set and the format has none. */
  async preview(
    source: Blob,
    preview: { side: number; isQuick: boolean },
    options?: PrepareOptions,
  ): Promise<ViewablePicture | null> {
    const outcome = await this.#enqueue({ source, kind: 'storage', preview }, options)
    if (outcome.type !== 'previewed') throw refusal(outcome)
    return outcome.picture
  }

  #enqueue(task: Omit<PictureRequest, 'id'>, { signal, onProgress }: PrepareOptions = {}): Promise<Outcome> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    this.#lastId += 1
    const request = { id: this.#lastId, ...task }
    return new Promise<Outcome>((resolve, reject) => {
      const handleAbort = () => this.#abort(job, signal?.reason)
      const removeListener = () => signal?.removeEventListener('abort', handleAbort)
      const job: Job = {
        request,
        onProgress,
        resolve: (outcome) => {
          removeListener()
          resolve(outcome)
        },
        reject: (reason) => {
          removeListener()
          reject(reason)
        },
      }
      signal?.addEventListener('abort', handleAbort)
      // The member is waiting for what is to be shown; photos are prepared in the background.
      const firstLater = isUrgent(request) ? this.#waiting.findIndex((other) => !isUrgent(other.request)) : -1
      this.#waiting.splice(firstLater < 0 ? this.#waiting.length : firstLater, 0, job)
      this.#next()
    })
  }

  #next(): void {
    if (this.#running !== undefined) return
    const job = this.#waiting.shift()
    if (job === undefined) return
    this.#running = job
    try {
      this.#worker ??= this.#start()
      this.#worker.postMessage(job.request)
    } catch (cause) {
      this.#handleCrash(cause)
    }
  }

  #start(): Worker {
    const worker = this.#startWorker()
    worker.addEventListener('message', ({ data }: MessageEvent<PictureAnswer>) => this.#handleAnswer(data))
    // A script that fails to load, an exception outside a job or an unreadable message leaves the worker unusable.
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      if (this.#worker === worker) this.#handleCrash(event.error ?? event.message)
    })
    worker.addEventListener('messageerror', (event) => {
      if (this.#worker === worker) this.#handleCrash(event)
    })
    return worker
  }

  #handleAnswer(answer: PictureAnswer): void {
    const job = this.#running
    // A late message of a job that has ended.
    if (job?.request.id !== answer.id) return
    if (answer.type === 'progress') {
      job.onProgress?.(answer.fraction)
      return
    }
    this.#running = undefined
    job.resolve(answer)
    this.#next()
  }

  #abort(job: Job, reason: unknown): void {
    if (this.#running === job) {
      this.#stopWorker()
      this.#running = undefined
    } else {
      this.#waiting.splice(this.#waiting.indexOf(job), 1)
    }
    job.reject(reason)
    this.#next()
  }

  #handleCrash(cause: unknown): void {
    this.#stopWorker()
    const job = this.#running
    this.#running = undefined
    job?.reject(new MediaError('failed', { cause }))
    this.#next()
  }

  #stopWorker(): void {
    this.#worker?.terminate()
    this.#worker = undefined
  }
}

function isUrgent({ isView, preview }: PictureRequest): boolean {
  return isView === true || preview !== undefined
}

function refusal(outcome: Outcome): MediaError {
  return new MediaError(outcome.type === 'refused' ? outcome.code : 'failed')
}

const queue = new PictureQueue(
  () => new Worker(new URL('./picture.worker.ts', import.meta.url), { type: 'module', name: 'pictures' }),
)

/** A server that cannot be asked now probably has Storage; the outbox converts the picture if it has not. */
function expectedKind(): Promise<MediaKind> {
  return mediaKind().catch(() => 'storage')
}

/**
 * Prepares a chosen photo in a worker for the server's kind of storage: upright, sRGB, within its size limits, without EXIF. Throws
 * MediaError, or the signal's reason after an abort.
 */
export async function preparePicture(source: Blob, options?: EditOptions): Promise<PreparedPicture> {
  checkBytes(source)
  return queue.prepare(source, await expectedKind(), options)
}

/** Decodes a photo for the photo editor in a worker, small and upright. Throws like `preparePicture`. */
export function viewForEditing(source: Blob, options?: Pick<PrepareOptions, 'signal'>): Promise<ImageBitmap> {
  return queue.view(source, options)
}

/** Longest side of the version that is shown while a photo is being prepared, and of the one that is cropped, in pixels. */
const [PREVIEW_SIDE, VIEW_SIDE] = [1_000, 1_400]

/**
 * The picture that a camera stored in the file, or another small version that takes little time; null if the format has none. Throws like
 * `preparePicture`.
 */
export async function previewPicture(
  source: Blob,
  options?: Pick<PrepareOptions, 'signal'>,
): Promise<Blob | null> {
  checkBytes(source)
  return (await queue.preview(source, { side: PREVIEW_SIDE, isQuick: true }, options))?.preview ?? null
}

/** Decodes a whole chosen photo, and returns a version of it to crop. Throws like `preparePicture`. */
export async function viewPicture(
  source: Blob,
  options?: Pick<PrepareOptions, 'signal'>,
): Promise<ViewablePicture> {
  checkBytes(source)
  const picture = await queue.preview(source, { side: VIEW_SIDE, isQuick: false }, options)
  if (picture === null) throw new MediaError('failed')
  return picture
}

/** Crops a photo to a profile picture in a worker: see `processAvatar`. Throws like `preparePicture`. */
export async function prepareAvatar(
  source: Blob,
  crop: SquareCrop,
  options?: Pick<PrepareOptions, 'signal'>,
): Promise<string | Blob> {
  checkBytes(source)
  return queue.crop(source, crop, await expectedKind(), options)
}

/** A picture for Storage; one that was prepared for the inline columns is prepared again from those. */
export async function toStoredPicture(picture: PreparedPicture): Promise<StoredPicture> {
  if ('full' in picture) return picture
  return queue.prepare(await blobOfDataUrl(picture.dataUrl), 'storage')
}

/** A picture for the inline columns; one that was prepared for Storage is prepared again from its full size. */
export async function toInlinePicture(picture: PreparedPicture): Promise<InlinePicture> {
  return 'dataUrl' in picture ? picture : queue.prepare(picture.full, 'inline')
}
