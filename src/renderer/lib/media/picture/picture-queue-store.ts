import { MediaError } from '#/renderer/lib/media/source/media-error'
import type { SquareCrop } from './picture-edit'
import type {
  EditOptions,
  PictureAnswer,
  PictureRequest,
  PrepareOptions,
  StoredPicture,
  ViewablePicture,
} from './picture-request'

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
  async prepare(source: Blob, { edit, size, ...options }: EditOptions = {}): Promise<StoredPicture> {
    const isLarge = size === undefined || size.width * size.height > LARGE_PIXELS
    const outcome = await this.#enqueue({ source, ...(edit && { edit }) }, options, isLarge)
    if (outcome.type !== 'done') throw refusal(outcome)
    return outcome.picture
  }

  /** Crops a photo for a profile. */
  async crop(source: Blob, crop: SquareCrop, options?: PrepareOptions): Promise<Blob> {
    const outcome = await this.#enqueue({ source, crop }, options)
    if (outcome.type !== 'cropped') throw refusal(outcome)
    return outcome.avatar
  }

  /** Returns a small version of a photo; null only if `isQuick` is set and the format has none. */
  async preview(
    source: Blob,
    preview: { side: number; isQuick: boolean },
    { edit, ...options }: EditOptions = {},
  ): Promise<ViewablePicture | null> {
    const outcome = await this.#enqueue({ source, preview, ...(edit && { edit }) }, options)
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
export const shown = new PictureQueue(startPictureWorker, WORKERS)
export const prepared = new PictureQueue(startPictureWorker, WORKERS)
