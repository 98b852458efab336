import { MediaError } from './media-error'
import type { PictureAnswer, PictureRequest } from './prepare-picture'
import { processAvatar, processPicture, processPreview, processView } from './process-picture'

addEventListener('message', ({ data }: MessageEvent<PictureRequest>) => {
  void answer(data)
})

async function answer({ id, source, kind, crop, edit, isView, preview }: PictureRequest): Promise<void> {
  try {
    if (isView === true) {
      const view = await processView(source)
      return post({ id, type: 'viewed', view }, [view])
    }
    if (preview !== undefined)
      return post({ id, type: 'previewed', picture: await processPreview(source, preview, edit) })
    if (crop !== undefined)
      return post({ id, type: 'cropped', avatar: await processAvatar(source, crop, kind) })
    const handleProgress = (fraction: number) => post({ id, type: 'progress', fraction })
    const picture = await processPicture(source, kind, handleProgress, edit)
    post({ id, type: 'done', picture })
  } catch (error) {
    post({ id, type: 'refused', code: error instanceof MediaError ? error.code : 'failed' })
  }
}

function post(message: PictureAnswer, transfer: Transferable[] = []): void {
  postMessage(message, { transfer })
}
