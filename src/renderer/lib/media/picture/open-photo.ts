import { MediaError, type MediaErrorCode } from '#/renderer/lib/media/source/media-error'
import type { Dimensions } from '#/shared/media-formats'
import { startPictureWorker } from './picture-queue-store'
import type { ShownEdit } from './process-picture'

/** A request to the worker of a photo that is being edited. Its response has the same `id`. */
export type PhotoRequest = { id: number } & (
  | { type: 'open'; source: Blob }
  | { type: 'draw'; shown: ShownEdit }
)

export type PhotoAnswer =
  | { id: number; type: 'opened'; size: Dimensions }
  | { id: number; type: 'drawn'; image: ImageBitmap }
  | { id: number; type: 'refused'; code: MediaErrorCode }

/** A photo that is being edited. */
export interface EditablePhoto {
  /** Of the small version, in which crop areas and edits are drawn. */
  size: Dimensions
  /** Draws an edit. Throws MediaError. */
  draw(shown: ShownEdit): Promise<ImageBitmap>
}

interface Waiting {
  resolve: (answer: PhotoAnswer) => void
  reject: (error: MediaError) => void
}

/**
 * Opens a photo in a separate worker, which ends when the signal is aborted: so neither the page nor pictures that are being
 * prepared keep the member waiting. Throws MediaError.
 */
export async function editPhoto(source: Blob, signal: AbortSignal): Promise<EditablePhoto> {
  const worker = startPictureWorker()
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  const end = (cause: unknown) => {
    worker.terminate()
    for (const { reject } of waiting.values()) reject(new MediaError('failed', { cause }))
    waiting.clear()
  }
  const ask = (request: DistributiveOmit<PhotoRequest, 'id'>) =>
    new Promise<PhotoAnswer>((resolve, reject) => {
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      worker.postMessage({ id: lastId, ...request })
    })
  worker.addEventListener('message', ({ data }: MessageEvent<PhotoAnswer>) => {
    const caller = waiting.get(data.id)
    waiting.delete(data.id)
    if (data.type === 'refused') caller?.reject(new MediaError(data.code))
    else caller?.resolve(data)
  })
  for (const event of ['error', 'messageerror'] as const)
    worker.addEventListener(event, (cause) => {
      cause.preventDefault()
      end(cause)
    })
  signal.addEventListener('abort', () => end(signal.reason))

  const opened = await ask({ type: 'open', source })
  if (opened.type !== 'opened') throw new MediaError('failed')
  return {
    size: opened.size,
    draw: async (shown) => {
      const drawn = await ask({ type: 'draw', shown })
      if (drawn.type !== 'drawn') throw new MediaError('failed')
      return drawn.image
    },
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
