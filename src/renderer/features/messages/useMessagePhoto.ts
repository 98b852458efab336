import { useCallback, useEffect, useRef } from 'react'
import { desktop } from '#/renderer/features/desktop'
import { logFailure } from '#/renderer/lib/logger'
import { MediaError, preparePicture } from '#/renderer/lib/media'
import { FILE_TOO_LARGE } from '#/shared/bridge'
import { bridgeErrorCode } from '#/shared/bridge-error'
import { type DraftPhoto, setDraftExtras } from './draft-extras'

/** The ways a photo gets into a message: the file dialog, and whatever else gives a Blob. */
export function useMessagePhoto(conversationId: string) {
  const running = useRef<AbortController | null>(null)
  const show = useCallback((photo: DraftPhoto) => setDraftExtras(conversationId, { photo }), [conversationId])

  const removePhoto = useCallback(() => {
    running.current?.abort()
    running.current = null
    show({ state: 'none' })
  }, [show])

  // Leaving the conversation ends the work; what is ready stays.
  useEffect(
    () => () => {
      if (running.current !== null) removePhoto()
    },
    [removePhoto],
  )

  const takePhoto = useCallback(
    async (source: Blob) => {
      running.current?.abort()
      const work = new AbortController()
      running.current = work
      show({ state: 'working', progress: 0 })
      try {
        const picture = await preparePicture(source, {
          signal: work.signal,
          onProgress: (progress) => {
            if (running.current === work) show({ state: 'working', progress })
          },
        })
        const { dataUrl, thumbnailUrl, width, height } = picture
        const photo = {
          id: crypto.randomUUID(),
          image_url: dataUrl,
          thumbnail_url: thumbnailUrl,
          image_width: width,
          image_height: height,
        }
        if (running.current === work) show({ state: 'ready', photo })
      } catch (cause) {
        if (work.signal.aborted) return
        const code = cause instanceof MediaError ? cause.code : 'failed'
        if (code === 'failed') logFailure('prepare photo', cause)
        show({ state: 'refused', code })
      } finally {
        if (running.current === work) running.current = null
      }
    },
    [show],
  )

  /** `onPicked` is called before the photo is worked on. */
  const pickPhoto = async (onPicked: () => void) => {
    try {
      const file = await desktop.files.pick('photo')
      if (file === null) return
      onPicked()
      await takePhoto(new Blob([file.bytes]))
    } catch (cause) {
      if (bridgeErrorCode(cause) === FILE_TOO_LARGE) show({ state: 'refused', code: 'too-large' })
      else {
        logFailure('pick photo', cause)
        show({ state: 'refused', code: 'failed' })
      }
    }
  }

  return { pickPhoto, takePhoto, removePhoto }
}
