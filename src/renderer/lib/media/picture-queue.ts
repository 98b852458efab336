import type { SquareCrop } from './crop'
import { MediaError } from './media-error'
import type { PictureAnswer, PictureRequest, PreparedPicture } from './protocol'

export interface PrepareOptions {
  /** Ends the work at once; the promise rejects with the signal's reason. */
  signal?: AbortSignal
  /** Hears of the share of the work that is done, growing from 0 to 1. */
  onProgress?: (fraction: number) => void
}

/** The worker's last word on a picture. */
type Outcome = Exclude<PictureAnswer, { type: 'progress' }>

interface Job {
  request: PictureRequest
  resolve: (outcome: Outcome) => void
  reject: (reason: unknown) => void
  onProgress: ((fraction: number) => void) | undefined
}

/**
 * Pictures one after the other in one worker, since each may take several hundred megabytes. The worker is started
 * when first needed, and anew after it died or had to be stopped in the middle of its work.
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

  /** A photo as a post stores it. */
  async prepare(source: Blob, options?: PrepareOptions): Promise<PreparedPicture> {
    const outcome = await this.#enqueue({ source }, options)
    if (outcome.type !== 'done') throw refusal(outcome)
    return outcome.picture
  }

  /** A square part of a photo as a profile stores it: a data URL. */
  async crop(source: Blob, crop: SquareCrop, options?: PrepareOptions): Promise<string> {
    const outcome = await this.#enqueue({ source, crop }, options)
    if (outcome.type !== 'cropped') throw refusal(outcome)
    return outcome.dataUrl
  }

  #enqueue(task: Omit<PictureRequest, 'id'>, { signal, onProgress }: PrepareOptions = {}): Promise<Outcome> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    this.#lastId += 1
    const request = { id: this.#lastId, ...task }
    return new Promise<Outcome>((resolve, reject) => {
      const handleAbort = () => this.#abort(job, signal?.reason)
      const forget = () => signal?.removeEventListener('abort', handleAbort)
      const job: Job = {
        request,
        onProgress,
        resolve: (outcome) => {
          forget()
          resolve(outcome)
        },
        reject: (reason) => {
          forget()
          reject(reason)
        },
      }
      signal?.addEventListener('abort', handleAbort)
      this.#waiting.push(job)
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
      this.#die(cause)
    }
  }

  #start(): Worker {
    const worker = this.#startWorker()
    worker.addEventListener('message', ({ data }: MessageEvent<PictureAnswer>) => this.#hear(data))
    // A script that does not load, an exception outside a job, an answer that cannot be read: all leave it unusable.
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      if (this.#worker === worker) this.#die(event.error ?? event.message)
    })
    worker.addEventListener('messageerror', (event) => {
      if (this.#worker === worker) this.#die(event)
    })
    return worker
  }

  #hear(answer: PictureAnswer): void {
    const job = this.#running
    // Only the last words of a job that has ended meanwhile.
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

  #die(cause: unknown): void {
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

function refusal(outcome: Outcome): MediaError {
  return new MediaError(outcome.type === 'refused' ? outcome.code : 'failed')
}
