import { MediaError, type MediaErrorCode } from '#/renderer/lib/media/source/media-error'
import type { Dimensions } from '#/shared/media-formats'

/** A request to the worker that decodes what Chromium cannot. It answers one at a time. */
export interface DecoderRequest {
  source: Blob
  kind: 'heic' | 'tiff'
  /** Only the smaller version that the file may have. */
  isPreview: boolean
}

/** A decoded picture. The image is smaller than its size if it was decoded at a reduced size. */
interface Decoded {
  image: ImageBitmap
  size: Dimensions
}

export type DecoderAnswer =
  | ({ type: 'decoded' } & Decoded)
  /** The file has no smaller version. */
  | { type: 'none' }
  | { type: 'refused'; code: MediaErrorCode }

/** More than 120 megapixels take on a slow computer; a file that takes longer was made to. */
const DECODE_MS = 180_000
/** After the smaller version of a photo, the decoder waits for the photo. */
const IDLE_MS = 3_000

/** The worker that decodes one photo. Its memory, which may be a gigabyte, is free at once when it ends. */
class ForeignDecoder {
  #worker: Worker | null = null
  #idle: ReturnType<typeof setTimeout> | undefined

  async decode(request: DecoderRequest): Promise<Decoded | null> {
    clearTimeout(this.#idle)
    this.#worker ??= startWorker()
    try {
      const answer = await ask(this.#worker, request)
      if (answer.type === 'refused') throw new MediaError(answer.code)
      if (request.isPreview) this.#idle = setTimeout(() => this.#stop(), IDLE_MS)
      else this.#stop()
      return answer.type === 'decoded' ? answer : null
    } catch (error) {
      // What a hostile or damaged file left in its memory is not used again.
      this.#stop()
      throw error
    }
  }

  #stop(): void {
    this.#worker?.terminate()
    this.#worker = null
  }
}

function startWorker(): Worker {
  // Its script's own policy allows WebAssembly: src/shared/csp.ts.
  return new Worker(new URL('./decoder.worker.ts', import.meta.url), { type: 'module', name: 'decoder' })
}

const decoder = new ForeignDecoder()

/**
 * Decodes a HEIC or TIFF file in a separate worker, which ends with its caller's worker. HEIC is upright then, TIFF is not turned.
 * One at a time. Throws MediaError, also when the decoder crashes, runs out of memory or does not end.
 */
export async function decodeForeign(source: Blob, kind: DecoderRequest['kind']): Promise<Decoded> {
  const decoded = await decoder.decode({ source, kind, isPreview: false })
  if (decoded === null) throw new MediaError('failed')
  return decoded
}

/** Decodes the smaller version in a HEIC file, upright; null if it has none. Throws like `decodeForeign`. */
export function decodeHeicPreview(source: Blob): Promise<Decoded | null> {
  return decoder.decode({ source, kind: 'heic', isPreview: true })
}

function ask(worker: Worker, request: DecoderRequest): Promise<DecoderAnswer> {
  return new Promise((resolve, reject) => {
    const done = new AbortController()
    const { signal } = done
    const settle = (finish: () => void) => {
      done.abort()
      clearTimeout(timeout)
      finish()
    }
    const timeout = setTimeout(() => settle(() => reject(new MediaError('slow'))), DECODE_MS)
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<DecoderAnswer>) => settle(() => resolve(data)),
      {
        signal,
      },
    )
    for (const event of ['error', 'messageerror'] as const)
      worker.addEventListener(
        event,
        (cause) => {
          cause.preventDefault()
          settle(() => reject(new MediaError('failed', { cause })))
        },
        { signal },
      )
    worker.postMessage(request)
  })
}
