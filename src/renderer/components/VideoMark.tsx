import { Play } from 'lucide-react'
import { texts } from '#/renderer/lib/texts'

interface VideoMarkProps {
  durationMs: number | null
  className?: string
}

/** Marks a cover as one of a video, with its length. */
export function VideoMark({ durationMs, className = '' }: VideoMarkProps) {
  const seconds = (durationMs ?? 0) / 1_000
  return (
    <span
      className={`flex items-center gap-1 rounded-sm bg-black/70 px-1.5 py-0.5 text-[12.5px] text-white tabular-nums leading-4 forced-colors:border ${className}`}
    >
      <Play aria-hidden="true" className="size-3 fill-current" />
      <span aria-hidden="true">{texts.post.clock(seconds)}</span>
      <span className="sr-only">{texts.post.video(seconds)}</span>
    </span>
  )
}
