import { MediaError } from '#/renderer/lib/media/source/media-error'
import type { PhotoAnswer, PhotoRequest } from './open-photo'
import type { PictureAnswer, PictureRequest } from './picture-request'
import {
  drawPhoto,
  type OpenPhoto,
  openPhoto,
  processAvatar,
  processPicture,
  processPreview,
} from './process-picture'

const answerEditor = createEditor()

addEventListener('message', ({ data }: MessageEvent<PictureRequest | PhotoRequest>) => {
  void ('type' in data ? answerEditor(data) : answer(data))
})

async function answer({ id, source, crop, edit, preview }: PictureRequest): Promise<void> {
  try {
    if (preview !== undefined)
      return post({ id, type: 'previewed', picture: await processPreview(source, preview, edit) })
    if (crop !== undefined) return post({ id, type: 'cropped', avatar: await processAvatar(source, crop) })
    const handleProgress = (fraction: number) => post({ id, type: 'progress', fraction })
    const picture = await processPicture(source, handleProgress, edit)
    post({ id, type: 'done', picture })
  } catch (error) {
    post({ id, type: 'refused', code: codeOf(error) })
  }
}

/** Opens the photo that the editor of this worker shows, and draws it. */
function createEditor(): (request: PhotoRequest) => Promise<void> {
  let photo: OpenPhoto | undefined
  return async (request) => {
    const { id } = request
    try {
      if (request.type === 'open') {
        photo = await openPhoto(request.source)
        const { width, height } = photo.image
        return post({ id, type: 'opened', size: { width, height } })
      }
      if (photo === undefined) throw new MediaError('failed')
      const image = drawPhoto(photo, request.shown)
      post({ id, type: 'drawn', image }, [image])
    } catch (error) {
      post({ id, type: 'refused', code: codeOf(error) })
    }
  }
}

function codeOf(error: unknown) {
  return error instanceof MediaError ? error.code : 'failed'
}

function post(message: PictureAnswer | PhotoAnswer, transfer: Transferable[] = []): void {
  postMessage(message, { transfer })
}
