import { texts } from '#/renderer/lib/texts'
import { Button } from './Button'

interface FailureProps {
  title: string
  body: string
  onRetry: () => void
}

/** Replaces a page that failed, with a button to try again. */
export function Failure({ title, body, onRetry }: FailureProps) {
  return (
    <div role="alert" className="max-w-90 text-center">
      <h1 className="font-display text-[24px]">{title}</h1>
      <p className="mt-1.5 mb-5 text-quiet">{body}</p>
      <Button variant="primary" onClick={onRetry}>
        {texts.tryAgain}
      </Button>
    </div>
  )
}
