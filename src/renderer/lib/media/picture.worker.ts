import { MediaError } from './media-error'
import type { PictureAnswer, PictureRequest } from './prepare-picture'
import { processAvatar, processPicture } from './process-picture'

addEventListener('message', ({ data }: MessageEvent<PictureRequest>) => {
  void answer(data)
})

async function answer({ id, source, kind, crop }: PictureRequest): Promise<void> {
  try {
    if (crop !== undefined)
      return post({ id, type: 'cropped', avatar: await processAvatar(source, crop, kind) })
    const picture = await processPicture(source, kind, (fraction) => post({ id, type: 'progress', fraction }))
    post({ id, type: 'done', picture })
  } catch (error) {
    post({ id, type: 'refused', code: error instanceof MediaError ? error.code : 'failed' })
  }
}

function post(message: PictureAnswer): void {
  postMessage(message)
}
