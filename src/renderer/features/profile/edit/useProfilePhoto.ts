import { useEffect, useRef, useState } from 'react'
import { desktop } from '#/renderer/features/desktop'
import { logFailure } from '#/renderer/lib/logger'
import {
  MediaError,
  type MediaErrorCode,
  prepareAvatar,
  type SquareCrop,
  type ViewablePicture,
  viewPicture,
} from '#/renderer/lib/media'
import { FILE_TOO_LARGE } from '#/shared/bridge'
import { bridgeErrorCode } from '#/shared/bridge-error'

type Choice =
  | { state: 'none' }
  | { state: 'cropping'; picture: ViewablePicture; isBusy: boolean }
  | { state: 'refused'; code: MediaErrorCode }

/** A choice of a profile picture: the file dialog, the square, the small picture made of it. */
export function useProfilePhoto(onReady: (dataUrl: string) => void) {
  const [choice, setChoice] = useState<Choice>({ state: 'none' })
  const work = useRef<AbortController | null>(null)
  const picture = choice.state === 'cropping' ? choice.picture : null
  useEffect(() => {
    if (picture === null) return
    return () => URL.revokeObjectURL(picture.url)
  }, [picture])
  // Leaving the screen ends the work.
  useEffect(() => () => work.current?.abort(), [])

  const begin = (): AbortSignal => {
    work.current?.abort()
    work.current = new AbortController()
    return work.current.signal
  }

  const refuse = (what: string, cause: unknown) => {
    const code = codeOf(cause)
    // A file that is refused is the member's matter, and they are told; what broke is ours.
    if (code === 'failed') logFailure(what, cause)
    setChoice({ state: 'refused', code })
  }

  const pick = async () => {
    const mine = begin()
    try {
      const file = await desktop.files.pick('avatar')
      if (file === null) return
      const chosen = await viewPicture(new Blob([file.bytes]))
      if (mine.aborted) URL.revokeObjectURL(chosen.url)
      else setChoice({ state: 'cropping', picture: chosen, isBusy: false })
    } catch (cause) {
      if (!mine.aborted) refuse('pick profile photo', cause)
    }
  }

  const crop = async (square: SquareCrop) => {
    if (picture === null) return
    const mine = begin()
    setChoice({ state: 'cropping', picture, isBusy: true })
    try {
      const dataUrl = await prepareAvatar(picture.source, square, { signal: mine })
      setChoice({ state: 'none' })
      onReady(dataUrl)
    } catch (cause) {
      if (!mine.aborted) refuse('prepare profile photo', cause)
    }
  }

  const cancel = () => {
    work.current?.abort()
    setChoice({ state: 'none' })
  }

  return { choice, pick, crop, cancel }
}

function codeOf(cause: unknown): MediaErrorCode {
  if (cause instanceof MediaError) return cause.code
  return bridgeErrorCode(cause) === FILE_TOO_LARGE ? 'too-large' : 'failed'
}
