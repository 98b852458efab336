import { fullTime, relativeTime, useNow } from '#/renderer/lib/time'

/** How long ago, moving on by itself; the full date on hover. */
export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={fullTime(at)} className={className}>
      {relativeTime(at, now)}
    </time>
  )
}
