import { useEffect } from 'react'
import { desktop } from '#/renderer/features/desktop'
import { logFailure } from '#/renderer/lib/logger'
import { MediaError, prepareStoryMedia } from '#/renderer/lib/media'
import { FILE_TOO_LARGE } from '#/shared/bridge'
import { bridgeErrorCode } from '#/shared/bridge-error'
import { dispatch } from './making-store'

let running: AbortController | null = null

/** Makes a chosen file ready, on this machine; a newer choice ends one that is still worked on. */
async function takeMedia(source: Blob): Promise<void> {
  running?.abort()
  const work = new AbortController()
  running = work
  dispatch({ type: 'chosen' })
  try {
    const media = await prepareStoryMedia(source, {
      signal: work.signal,
      onProgress: (fraction) => {
        if (running === work) dispatch({ type: 'progress', fraction })
      },
    })
    if (running === work) dispatch({ type: 'ready', media })
  } catch (cause) {
    if (work.signal.aborted) return
    const code = cause instanceof MediaError ? cause.code : 'failed'
    // A file that is refused is the member's matter, and they are told; what broke is ours.
    if (code === 'failed' || code === 'video-failed') logFailure('prepare story', cause)
    dispatch({ type: 'refused', code })
  } finally {
    if (running === work) running = null
  }
}

export function cancelMedia(): void {
  if (running === null) return
  running.abort()
  running = null
  dispatch({ type: 'cancelled' })
}

/** The ways a photo or video gets into the story: the file dialog, and whatever else gives a Blob. */
export function useChosenMedia() {
  // Leaving the form ends the work; what was there before stays.
  useEffect(() => cancelMedia, [])

  const pickMedia = async (kind: 'photo' | 'video') => {
    try {
      const file = await desktop.files.pick(kind)
      if (file !== null) await takeMedia(new Blob([file.bytes]))
    } catch (cause) {
      if (bridgeErrorCode(cause) === FILE_TOO_LARGE) {
        dispatch({ type: 'refused', code: kind === 'video' ? 'video-too-large' : 'too-large' })
      } else {
        logFailure('pick story media', cause)
        dispatch({ type: 'refused', code: kind === 'video' ? 'video-failed' : 'failed' })
      }
    }
  }
  return { pickMedia, takeMedia }
}
