import { REDUCED_PIXELS } from '#/renderer/lib/media/source/check-source'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import { decodeHeic } from './decode-heic'
import type { DecoderAnswer, DecoderRequest } from './foreign-decoder-store'
import { toBitmap } from './tagged-pixels'

addEventListener('message', ({ data }: MessageEvent<DecoderRequest>) => {
  void answer(data)
})

async function answer({ source, kind, isPreview }: DecoderRequest): Promise<void> {
  try {
    const decoded = kind === 'heic' ? await readHeic(source, isPreview) : await readTiff(source)
    if (decoded === null) return post({ type: 'none' })
    const { pixels, size } = decoded
    const scale = Math.sqrt(REDUCED_PIXELS / (pixels.width * pixels.height))
    const resize = { resizeWidth: Math.ceil(pixels.width * scale), resizeQuality: 'high' } as const
    const image = await toBitmap(pixels, scale < 1 ? resize : undefined)
    post({ type: 'decoded', image, size }, [image])
  } catch (error) {
    post({ type: 'refused', code: error instanceof MediaError ? error.code : 'broken' })
  }
}

async function readHeic(source: Blob, isPreview: boolean) {
  const pixels = await decodeHeic(source, isPreview)
  return pixels && { pixels, size: { width: pixels.width, height: pixels.height } }
}

/** Few members choose a TIFF. */
async function readTiff(source: Blob) {
  const { decodeTiff } = await import('./decode-tiff')
  return decodeTiff(source)
}

function post(message: DecoderAnswer, transfer: Transferable[] = []): void {
  postMessage(message, { transfer })
}
