import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { isCovered, isTyping } from '#/renderer/lib/browser/shortcuts'

/** How long each photo is shown, in milliseconds. */
const SHOWN_MS = 5_000
/** How often a photo that is not loaded then, or a video, is looked at, in milliseconds. */
const AGAIN_MS = 300

interface Slideshow {
  isPlaying: boolean
  setPlaying: (isPlaying: boolean) => void
}

/**
 * Steps on by itself. A photo that is not loaded and the end of a video are waited for; a menu, a dialog above, or typing ends the show.
 * @param shown names what is shown: its time starts again with another
 * @param onNext shows the next photo. Returns false if there is none
 */
export function useSlideshow(
  content: RefObject<HTMLElement | null>,
  shown: string,
  onNext: () => boolean,
): Slideshow {
  const [isPlaying, setPlaying] = useState(false)
  const advance = useEffectEvent(() => {
    // The light table is a dialog itself.
    if (isCovered(1) || isTyping(document.activeElement) || !onNext()) setPlaying(false)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time starts again with another photo.
  useEffect(() => {
    if (!isPlaying) return
    const handleTime = () => {
      // A video that plays or is paused has its element, and is shown to its end.
      const isVideoOn = content.current?.querySelector('[data-player] video') != null
      const image = content.current?.querySelector<HTMLImageElement>('img[data-table-photo]')
      if (isVideoOn || image?.complete === false) timer = setTimeout(handleTime, AGAIN_MS)
      else advance()
    }
    let timer = setTimeout(handleTime, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [content, isPlaying, shown])
  return { isPlaying, setPlaying }
}
