import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { useIsOnline } from '#/renderer/lib/queries/useIsOnline'
import { offlineComments } from '#/renderer/lib/texts/later/offline-comments'

interface MissingCommentsProps {
  what: keyof typeof offlineComments
  hasFailed: boolean
  onRetry: () => Promise<unknown>
  className?: string
  /** In pixels: elements below move little when the comments are loaded. */
  minHeight?: number
}

/** Shown instead of comments or replies that are not loaded. The query retries by itself (FEED-12). */
export function MissingComments({
  what,
  hasFailed,
  onRetry,
  className = '',
  minHeight,
}: MissingCommentsProps) {
  const isOnline = useIsOnline()
  return (
    <div style={{ minHeight }} className={`grid place-items-center ${className}`}>
      {isOnline ? (
        <SpinnerOrRetry hasFailed={hasFailed} onRetry={onRetry} size={18} />
      ) : (
        <p role="status" className="text-balance px-4 py-3 text-center text-[14px] text-quiet">
          {offlineComments[what]}
        </p>
      )}
    </div>
  )
}
