import { MediaError } from '#/renderer/lib/media/source/media-error'
import type { MediaFile } from '#/renderer/lib/media/source/media-file'
import { checkDecoders } from './checked-decoder'
import { examineVideo } from './plan-conversion'
import { preparePostVideo, prepareVideo } from './prepare-video'
import { withPictures } from './read-pictures'
import type { VideoAnswer, VideoRequest } from './video-worker'

checkDecoders()

addEventListener('message', ({ data }: MessageEvent<VideoRequest>) => {
  void answer(data)
})

function post(message: VideoAnswer, transfer: Transferable[] = []): void {
  postMessage(message, { transfer })
}

const onProgress = (fraction: number) => post({ type: 'progress', fraction })

async function answer(request: VideoRequest): Promise<void> {
  try {
    switch (request.type) {
      case 'examine':
        return post({ type: 'examined', info: await examineVideo(request.source, request.rules) })
      case 'prepare':
        return post({
          type: 'prepared',
          video: await prepareVideo(request.source, { ...request, onProgress }),
        })
      case 'prepare-post': {
        const video = await preparePostVideo(request.source, { ...request, onProgress })
        return post({ type: 'prepared-post', video })
      }
      case 'pictures':
        return await showPictures(request.source)
      // `showPictures` answers it.
      case 'picture':
    }
  } catch (error) {
    if (error instanceof MediaError)
      post({ type: 'refused', code: error.code, longestSeconds: error.longestSeconds })
    else post({ type: 'refused', code: 'video-failed' })
  }
}

/** Answers requests for pictures, in order, until the worker ends. */
async function showPictures(source: MediaFile): Promise<never> {
  const wanted: Extract<VideoRequest, { type: 'picture' }>[] = []
  let wake = (): void => undefined
  addEventListener('message', ({ data }: MessageEvent<VideoRequest>) => {
    if (data.type !== 'picture') return
    wanted.push(data)
    wake()
  })
  return withPictures(source, async (pictures) => {
    for (;;) {
      const request = wanted.shift()
      if (request === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      const { id, at, height, isRough } = request
      const isOutdated = !isRough && wanted.some((later) => !later.isRough)
      const picture = isOutdated ? null : await pictures.read(at, height, isRough)
      post({ type: 'picture', id, picture }, picture === null ? [] : [picture])
    }
  })
}
