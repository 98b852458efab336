import { useEffect } from 'react'
import { desktop } from '#/renderer/features/desktop'
import { logFailure } from '#/renderer/lib/logger'
import { MediaError, preparePicture } from '#/renderer/lib/media'
import { FILE_TOO_LARGE, type PickedFile } from '#/shared/bridge'
import { bridgeErrorCode } from '#/shared/bridge-error'
import { dispatch } from './composer-store'

let running: AbortController | null = null

/** Makes a chosen file into the post's photo, on this machine; a newer choice ends one that is still worked on. */
async function takePhoto(source: Blob): Promise<void> {
  running?.abort()
  const work = new AbortController()
  running = work
  dispatch({ type: 'photo-chosen' })
  try {
    const picture = await preparePicture(source, {
      signal: work.signal,
      onProgress: (fraction) => {
        if (running === work) dispatch({ type: 'photo-progress', fraction })
      },
    })
    if (running === work) dispatch({ type: 'photo-ready', picture })
  } catch (cause) {
    if (work.signal.aborted) return
    const code = cause instanceof MediaError ? cause.code : 'failed'
    // A file that is refused is the member's matter, and they are told; what broke is ours.
    if (code === 'failed') logFailure('prepare photo', cause)
    dispatch({ type: 'photo-refused', code })
  } finally {
    if (running === work) running = null
  }
}

/** The ways a photo gets into the post: the file dialog, and whatever else gives a Blob. */
export function usePhoto() {
  // Leaving the screen ends the work; the picture from before stays.
  useEffect(() => cancelPhoto, [])

  // Dropped on the app's icon or named on its command line, before the screen was there or now.
  useEffect(() => {
    const takeOpened = () => void takeFile(desktop.files.takeOpened)
    takeOpened()
    return desktop.files.onOpened(takeOpened)
  }, [])

  return { pickPhoto: () => takeFile(() => desktop.files.pick('photo')), takePhoto }
}

/** Takes the photo that the host hands over, if it does. */
async function takeFile(ask: () => Promise<PickedFile | null>): Promise<void> {
  try {
    const file = await ask()
    if (file !== null) await takePhoto(new Blob([file.bytes]))
  } catch (cause) {
    if (bridgeErrorCode(cause) === FILE_TOO_LARGE) dispatch({ type: 'photo-refused', code: 'too-large' })
    else {
      logFailure('take photo', cause)
      dispatch({ type: 'photo-refused', code: 'failed' })
    }
  }
}

export function cancelPhoto(): void {
  if (running === null) return
  running.abort()
  running = null
  dispatch({ type: 'photo-cancelled' })
}
