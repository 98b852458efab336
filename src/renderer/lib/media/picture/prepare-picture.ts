import { blobOfDataUrl } from '#/renderer/lib/browser/data-url'
import { checkBytes } from '#/renderer/lib/media/source/check-source'
import { type MediaKind, mediaKind } from '#/renderer/lib/media/source/kind-store'
import { MediaError, type MediaErrorCode } from '#/renderer/lib/media/source/media-error'
import { PICTURE } from '#/shared/limits'
import type { Dimensions } from '#/shared/media-formats'
import { editedSize, type PictureEdit, type SquareCrop, UNEDITED } from './picture-edit'
import { fullSize } from './picture-sizes'
import { fitWithin } from './scale'

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
  /**
   * A small version is to be shown, not prepared, with the edit of the request. `isQuick`: only if that takes no second or more, as
   * most photos in HEIC and TIFF do.
   */
  preview?: { side: number; isQuick: boolean }
}

/** A chosen file as a page can show it, the size of the whole photo, both upright, and the colours in which it is drawn. */
export interface ViewablePicture extends Dimensions {
  source: Blob
  preview: Blob
  colorSpace: PredefinedColorSpace
}

/** A small version of an edited photo, and about the size of the picture that will be stored. */
export interface PicturePreview extends Dimensions {
  file: Blob
  colorSpace: PredefinedColorSpace
  /** Of the whole photo. */
  original: Dimensions
}

export type PictureAnswer =
  | { id: number; type: 'progress'; fraction: number }
  | { id: number; type: 'done'; picture: PreparedPicture }
  | { id: number; type: 'cropped'; avatar: string | Blob }
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
  /** Of the whole photo. Without it, no other picture is prepared meanwhile. */
  size?: Dimensions
}

/** The worker's final message about a picture. */
type Outcome = Exclude<PictureAnswer, { type: 'progress' }>

interface Job {
  request: PictureRequest
  resolve: (outcome: Outcome) => void
  reject: (reason: unknown) => void
  onProgress: ((fraction: number) => void) | undefined
  /** It does not run beside another job. */
  isLarge: boolean
}

/** A picture with more pixels takes up to a gigabyte while it is prepared, so that it is the only one. */
const LARGE_PIXELS = 24_000_000

/** A worker, started on first use, and the job that it runs. */
interface Slot {
  worker: Worker | undefined
  job: Job | undefined
}

/**
 * Processes pictures in order, one in each of its workers, and a large one alone. A worker starts on first use, and again after
 * a crash or an abort.
 */
export class PictureQueue {
  readonly #startWorker: () => Worker
  readonly #slots: readonly Slot[]
  readonly #waiting: Job[] = []
  #lastId = 0

  constructor(startWorker: () => Worker, workers = 1) {
    this.#startWorker = startWorker
    this.#slots = Array.from({ length: workers }, () => ({ worker: undefined, job: undefined }))
  }

  /** Prepares a photo for a post. */
  async prepare<K extends MediaKind>(
    source: Blob,
    kind: K,
    { edit, size, ...options }: EditOptions = {},
  ): Promise<PictureOf[K]> {
    const isLarge = size === undefined || size.width * size.height > LARGE_PIXELS
    const outcome = await this.#enqueue({ source, kind, ...(edit && { edit }) }, options, isLarge)
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

  /** Returns a small version of a photo; null only if `isQuick` is set and the format has none. */
  async preview(
    source: Blob,
    preview: { side: number; isQuick: boolean },
    { edit, ...options }: EditOptions = {},
  ): Promise<ViewablePicture | null> {
    const outcome = await this.#enqueue({ source, kind: 'storage', preview, ...(edit && { edit }) }, options)
    if (outcome.type !== 'previewed') throw refusal(outcome)
    return outcome.picture
  }

  #enqueue(
    task: Omit<PictureRequest, 'id'>,
    { signal, onProgress }: PrepareOptions = {},
    isLarge = false,
  ): Promise<Outcome> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    this.#lastId += 1
    const request = { id: this.#lastId, ...task }
    return new Promise<Outcome>((resolve, reject) => {
      const handleAbort = () => this.#abort(job, signal?.reason)
      const removeListener = () => signal?.removeEventListener('abort', handleAbort)
      const job: Job = {
        request,
        isLarge,
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
      this.#waiting.push(job)
      this.#next()
    })
  }

  #next(): void {
    for (const slot of this.#slots) {
      const [job] = this.#waiting
      if (job === undefined || !this.#mayRun(job)) return
      if (slot.job !== undefined) continue
      this.#waiting.shift()
      slot.job = job
      try {
        slot.worker ??= this.#start(slot)
        slot.worker.postMessage(job.request)
      } catch (cause) {
        this.#handleCrash(slot, cause)
      }
    }
  }

  #mayRun(job: Job): boolean {
    const running = this.#slots.flatMap((slot) => slot.job ?? [])
    return running.length === 0 || !(job.isLarge || running.some(({ isLarge }) => isLarge))
  }

  #start(slot: Slot): Worker {
    const worker = this.#startWorker()
    worker.addEventListener('message', ({ data }: MessageEvent<PictureAnswer>) =>
      this.#handleAnswer(slot, data),
    )
    // A script that fails to load, an exception outside a job or an unreadable message leaves the worker unusable.
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      if (slot.worker === worker) this.#handleCrash(slot, event.error ?? event.message)
    })
    worker.addEventListener('messageerror', (event) => {
      if (slot.worker === worker) this.#handleCrash(slot, event)
    })
    return worker
  }

  #handleAnswer(slot: Slot, answer: PictureAnswer): void {
    const { job } = slot
    // A late message of a job that has ended.
    if (job?.request.id !== answer.id) return
    if (answer.type === 'progress') {
      job.onProgress?.(answer.fraction)
      return
    }
    slot.job = undefined
    job.resolve(answer)
    this.#next()
  }

  #abort(job: Job, reason: unknown): void {
    const slot = this.#slots.find((each) => each.job === job)
    if (slot !== undefined) stopWorker(slot)
    else this.#waiting.splice(this.#waiting.indexOf(job), 1)
    job.reject(reason)
    this.#next()
  }

  #handleCrash(slot: Slot, cause: unknown): void {
    const { job } = slot
    stopWorker(slot)
    job?.reject(new MediaError('failed', { cause }))
    this.#next()
  }
}

function stopWorker(slot: Slot): void {
  slot.worker?.terminate()
  slot.worker = undefined
  slot.job = undefined
}

function refusal(outcome: Outcome): MediaError {
  return new MediaError(outcome.type === 'refused' ? outcome.code : 'failed')
}

export const startPictureWorker = () =>
  new Worker(new URL('./picture.worker.ts', import.meta.url), { type: 'module', name: 'pictures' })

/** On fewer cores a second worker would take them from the page, and memory for nothing. */
const WORKERS = typeof navigator !== 'undefined' && navigator.hardwareConcurrency >= 4 ? 2 : 1

/** The member waits for what is to be shown; pictures are prepared in the background. */
const shown = new PictureQueue(startPictureWorker, WORKERS)
const prepared = new PictureQueue(startPictureWorker, WORKERS)

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
  return prepared.prepare(source, await expectedKind(), options)
}

/** Longest side of the version that is shown before a photo is prepared, and of the one that is cropped to a profile photo, in pixels. */
const [PREVIEW_SIDE, VIEW_SIDE] = [1_200, 1_400]

/**
 * The picture that a camera stored in the file, or another small version that takes little time; null if the format has none. Throws like
 * `preparePicture`.
 */
export async function previewPicture(
  source: Blob,
  options?: Pick<PrepareOptions, 'signal'>,
): Promise<Blob | null> {
  checkBytes(source)
  return (await shown.preview(source, { side: PREVIEW_SIDE, isQuick: true }, options))?.preview ?? null
}

/**
 * A version of an edited photo to show before it is prepared, made from the smallest one that its file or format offers. Throws like
 * `preparePicture`.
 */
export async function previewEdited(
  source: Blob,
  { edit = UNEDITED, signal }: Pick<EditOptions, 'edit' | 'signal'> = {},
): Promise<PicturePreview> {
  checkBytes(source)
  const options = { edit, ...(signal && { signal }) }
  // Photos that take long do not keep the others waiting.
  const picture =
    (await shown.preview(source, { side: PREVIEW_SIDE, isQuick: true }, options)) ??
    (await shown.preview(source, { side: PREVIEW_SIDE, isQuick: false }, options))
  if (picture === null) throw new MediaError('failed')
  const { preview: file, colorSpace, width, height } = picture
  const original = { width, height }
  const edited = editedSize(original, edit)
  const isStored = (await expectedKind()) === 'storage'
  return { file, colorSpace, original, ...(isStored ? fullSize(edited) : fitWithin(edited, PICTURE.side)) }
}

/** Decodes a whole chosen photo, and returns a version of it to crop. Throws like `preparePicture`. */
export async function viewPicture(
  source: Blob,
  options?: Pick<PrepareOptions, 'signal'>,
): Promise<ViewablePicture> {
  checkBytes(source)
  const picture = await shown.preview(source, { side: VIEW_SIDE, isQuick: false }, options)
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
  return shown.crop(source, crop, await expectedKind(), options)
}

/** A picture for Storage; one that was prepared for the inline columns is prepared again from those. */
export async function toStoredPicture(picture: PreparedPicture): Promise<StoredPicture> {
  if ('full' in picture) return picture
  return prepared.prepare(await blobOfDataUrl(picture.dataUrl), 'storage')
}

/** A picture for the inline columns; one that was prepared for Storage is prepared again from its full size. */
export async function toInlinePicture(picture: PreparedPicture): Promise<InlinePicture> {
  return 'dataUrl' in picture ? picture : prepared.prepare(picture.full, 'inline')
}
