import { useIsOnline } from '#/renderer/lib/queries/useIsOnline'
import { texts } from '#/renderer/lib/texts'
import { SpinnerOrRetry } from './SpinnerOrRetry'

interface NotLoadedProps {
  /** Whether the read found no connection, which the app may not know yet. */
  isUnreachable?: boolean
  onRetry: () => Promise<unknown>
}

/** Shown instead of a list that could not be loaded: it is not empty. The query retries by itself (FEED-12). */
export function NotLoaded({ isUnreachable = false, onRetry }: NotLoadedProps) {
  const isOnline = useIsOnline()
  return (
    <div className="grid place-items-center gap-4 px-4 py-20 text-center">
      <p role="status" className="text-balance text-quiet">
        {isUnreachable || !isOnline ? texts.notLoaded : texts.notLoadedOnline}
      </p>
      {isOnline && <SpinnerOrRetry hasFailed onRetry={onRetry} />}
    </div>
  )
}
