import { useEffect, useState } from 'react'
import { fullTime, relativeTime } from '#/renderer/lib/content/time'
import { useNow } from '#/renderer/lib/core/clock-store'

/** A relative time that updates itself, with the full date on hover. */
export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={useFullTime(at)} className={className}>
      {relativeTime(at, now)}
    </time>
  )
}

/** The full time, as soon as the browser is idle: formatting one for each card delays the cards. */
function useFullTime(at: string): string | undefined {
  const [title, setTitle] = useState<string>()
  useEffect(() => {
    const idle = requestIdleCallback(() => setTitle(fullTime(at)))
    return () => cancelIdleCallback(idle)
  }, [at])
  return title
}
