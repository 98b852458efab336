import { useNow } from '#/renderer/lib/clock-store'
import { fullTime, relativeTime } from '#/renderer/lib/time'

/** A relative time that updates itself, with the full date on hover. */
export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={fullTime(at)} className={className}>
      {relativeTime(at, now)}
    </time>
  )
}
