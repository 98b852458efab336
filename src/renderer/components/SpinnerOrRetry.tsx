import type { ComponentProps } from 'react'
import { texts } from '#/renderer/lib/texts'
import { Button } from './Button'
import { Spinner } from './Spinner'

interface SpinnerOrRetryProps extends ComponentProps<typeof Spinner> {
  hasFailed: boolean
  onRetry: () => void
}

/** A spinner while data is loading, or a retry button after a failure. */
export function SpinnerOrRetry({ hasFailed, onRetry, ...spinner }: SpinnerOrRetryProps) {
  return hasFailed ? <Button onClick={onRetry}>{texts.tryAgain}</Button> : <Spinner {...spinner} />
}
