import type { ComponentProps } from 'react'
import { texts } from '#/renderer/lib/texts'
import { Button } from './Button'
import { Spinner } from './Spinner'

interface SpinnerOrRetryProps extends ComponentProps<typeof Spinner> {
  hasFailed: boolean
  onRetry: () => void
}

/** In the place of what is being read: a spinner, or once that has failed the way to try again. */
export function SpinnerOrRetry({ hasFailed, onRetry, ...spinner }: SpinnerOrRetryProps) {
  return hasFailed ? <Button onClick={onRetry}>{texts.tryAgain}</Button> : <Spinner {...spinner} />
}
