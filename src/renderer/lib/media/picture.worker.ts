import { developPicture } from './develop'
import { MediaError } from './media-error'
import type { PictureAnswer, PictureRequest } from './protocol'

addEventListener('message', ({ data }: MessageEvent<PictureRequest>) => {
  void answer(data)
})

async function answer({ id, source }: PictureRequest): Promise<void> {
  try {
    const picture = await developPicture(source, (fraction) => post({ id, type: 'progress', fraction }))
    post({ id, type: 'done', picture })
  } catch (error) {
    post({ id, type: 'refused', code: error instanceof MediaError ? error.code : 'failed' })
  }
}

function post(message: PictureAnswer): void {
  postMessage(message)
}
