import { CloudOff, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { retryNow, useConnection } from '#/renderer/lib/live'
import { useIsRenewalOverdue } from '#/renderer/lib/server/session/session-renewal-store'
import { texts } from '#/renderer/lib/texts'

/** Shorter interruptions are not reported, in milliseconds. */
const SHORT_GAP_MS = 2_000

/** Whether the connection has been lost for long enough to report it. */
function useIsLostLong(isLost: boolean): boolean {
  const [isMissed, setIsMissed] = useState(false)
  useEffect(() => {
    if (!isLost) return setIsMissed(false)
    const timer = setTimeout(() => setIsMissed(true), SHORT_GAP_MS)
    return () => clearTimeout(timer)
  }, [isLost])
  return isMissed && isLost
}

/**
 * Reports a lost connection at the bottom of the window. The page does not move; full-height content (a conversation, a
 * dialog) shrinks by `--banner-height`, so that the banner covers nothing.
 * @param canRead whether there is something to read without the server
 * @param onSignOut offered when the session could not be refreshed for a minute
 */
export function ConnectionBanner({ canRead, onSignOut }: { canRead: boolean; onSignOut: () => void }) {
  const isOverdue = useIsRenewalOverdue()
  const { state, retryAt, mismatch } = useConnection()
  const isMissed = useIsLostLong(state === 'lost')
  const [wasMissed, setWasMissed] = useState(false)
  if (isMissed && !wasMissed) setWasMissed(true)
  const Icon = mismatch === null ? WifiOff : CloudOff
  return (
    <div
      data-connection={isMissed ? (mismatch === null ? 'lost' : 'mismatch') : undefined}
      className={
        isMissed
          ? 'fixed inset-x-0 bottom-0 z-40 flex h-(--banner-height) animate-appear items-center justify-center gap-2 border-line border-t bg-raised px-3 text-[13px]'
          : 'sr-only'
      }
    >
      {isMissed && <Icon aria-hidden="true" className="size-4 shrink-0 text-quiet" />}
      <span role="status" className={mismatch === null ? 'shrink-0' : 'leading-snug'}>
        {isMissed && mismatch === null && texts.connection.lost}
        {isMissed && mismatch !== null && (
          <>
            <span className="block font-semibold">{texts.connection.mismatch[mismatch]}</span>{' '}
            <span className="text-quiet">
              {canRead ? texts.connection.canRead : texts.connection.canWrite}
            </span>
          </>
        )}
        {!isMissed && wasMissed && state === 'online' && texts.connection.back}
      </span>
      {isMissed && (
        <>
          {mismatch === null && <Countdown retryAt={retryAt} />}
          <button
            type="button"
            disabled={retryAt === null}
            onClick={retryNow}
            className="h-8 shrink-0 rounded-sm px-2 font-semibold text-accent hover:bg-accent-wash disabled:opacity-45"
          >
            {texts.connection.tryNow}
          </button>
          {isOverdue && (
            <button
              type="button"
              onClick={onSignOut}
              className="h-8 shrink-0 rounded-sm px-2 text-quiet hover:bg-accent-wash hover:text-ink"
            >
              {texts.nav.signOut}
            </button>
          )}
        </>
      )}
    </div>
  )
}

/** Hidden from screen readers: it changes every second. */
function Countdown({ retryAt }: { retryAt: number | null }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (retryAt === null) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [retryAt])
  const seconds = retryAt === null ? 0 : Math.ceil((retryAt - now) / 1_000)
  return (
    <span aria-hidden="true" className="min-w-0 truncate text-quiet tabular-nums">
      {seconds > 0 ? texts.connection.retryIn(seconds) : texts.connection.retrying}
    </span>
  )
}
