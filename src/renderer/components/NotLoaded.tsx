import { texts } from '#/renderer/lib/texts'
import { useIsOnline } from '#/renderer/lib/useIsOnline'
import { SpinnerOrRetry } from './SpinnerOrRetry'

/** Shown instead of a list that could not be loaded: it is not empty. The query retries by itself (FEED-12). */
export function NotLoaded({ onRetry }: { onRetry: () => Promise<unknown> }) {
  const isOnline = useIsOnline()
  return (
    <div className="grid place-items-center px-4 py-20 text-center">
      {isOnline ? (
        <SpinnerOrRetry hasFailed onRetry={onRetry} />
      ) : (
        <p role="status" className="text-balance text-quiet">
          {texts.notLoaded}
        </p>
      )}
    </div>
  )
}
