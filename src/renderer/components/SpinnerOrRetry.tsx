import { type ComponentProps, useState } from 'react'
import { texts } from '#/renderer/lib/texts'
import { Button } from './Button'
import { Spinner } from './Spinner'

interface SpinnerOrRetryProps extends ComponentProps<typeof Spinner> {
  hasFailed: boolean
  /** Returns a promise of the end of the attempt. */
  onRetry: () => Promise<unknown>
}

/**
 * A spinner while data is loading, or a retry button after a failure. Retries in the background change nothing (FEED-10); only
 * the member's own shows a spinner.
 */
export function SpinnerOrRetry({ hasFailed, onRetry, ...spinner }: SpinnerOrRetryProps) {
  const [isRetrying, setIsRetrying] = useState(false)
  const handleRetry = () => {
    setIsRetrying(true)
    void onRetry().finally(() => setIsRetrying(false))
  }
  return hasFailed && !isRetrying ? (
    <Button onClick={handleRetry}>{texts.tryAgain}</Button>
  ) : (
    <Spinner {...spinner} />
  )
}
