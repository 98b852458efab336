import { type ComponentProps, useState } from 'react'
import { texts } from '#/renderer/lib/texts'
import { Button } from './Button'
import { Spinner } from './Spinner'

interface SpinnerOrRetryProps extends ComponentProps<typeof Spinner> {
  hasFailed: boolean
  /** Returns a promise of the end of the attempt. */
  onRetry: () => Promise<unknown>
  /** While the list waits for its reader: lets it read on. */
  onReadOn?: (() => void) | undefined
}

/**
 * A spinner while data is loading, or a button after a failure, or where a list waits for its reader. Retries in the background change nothing (FEED-10); only
 * the member's own shows a spinner.
 */
export function SpinnerOrRetry({ hasFailed, onRetry, onReadOn, ...spinner }: SpinnerOrRetryProps) {
  const [isRetrying, setIsRetrying] = useState(false)
  const handleRetry = () => {
    setIsRetrying(true)
    void onRetry().finally(() => setIsRetrying(false))
  }
  if (onReadOn !== undefined) return <Button onClick={onReadOn}>{texts.showMore}</Button>
  return hasFailed && !isRetrying ? (
    <Button onClick={handleRetry}>{texts.tryAgain}</Button>
  ) : (
    <Spinner {...spinner} />
  )
}
