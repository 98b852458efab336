import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useObjectUrl } from '#/renderer/lib/browser/object-url'
import { captionsOptions } from './queries'

/** Captions shown at once, and UTF-16 units of each: what members store may have any. */
const SHOWN = { cues: 3, characters: 500 } as const

/** The texts of the cues that a track shows now, without their markup. */
function textsOf({ activeCues }: TextTrack): string[] {
  return [...(activeCues ?? [])]
    .filter((cue) => cue instanceof VTTCue)
    .slice(0, SHOWN.cues)
    .map((cue) => (cue.getCueAsHTML().textContent ?? '').trim().slice(0, SHOWN.characters))
    .filter((text) => text !== '')
}

interface CaptionsProps {
  video: HTMLVideoElement
  path: string
}

/**
 * The captions of a video, in the text size of the app. The browser reads the WebVTT, from a hidden track; its own way to show them knows
 * neither the text size nor the controls.
 */
export function Captions({ video, path }: CaptionsProps) {
  const { data = '' } = useQuery(captionsOptions(path))
  const url = useObjectUrl(
    useMemo(() => (data === '' ? null : new Blob([data], { type: 'text/vtt' })), [data]),
  )
  const [texts, setTexts] = useState<readonly string[]>([])
  useEffect(() => {
    if (url === null) return
    const element = document.createElement('track')
    const { track } = element
    const handleChange = () => setTexts(textsOf(track))
    element.kind = 'captions'
    element.src = url
    track.addEventListener('cuechange', handleChange)
    // Loads the file.
    track.mode = 'hidden'
    video.append(element)
    return () => {
      track.removeEventListener('cuechange', handleChange)
      element.remove()
      setTexts([])
    }
  }, [video, url])
  return (
    <div
      data-captions=""
      className="pointer-events-none grid justify-items-center gap-1 px-4 pb-2 text-center"
    >
      {texts.map((text, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing else
          key={index}
          dir="auto"
          className="line-clamp-4 max-w-full whitespace-pre-line rounded-sm bg-black/80 px-2 py-0.5 text-[16px] text-white leading-snug [overflow-wrap:anywhere] forced-colors:border"
        >
          {text}
        </span>
      ))}
    </div>
  )
}
