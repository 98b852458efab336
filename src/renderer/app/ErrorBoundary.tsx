import { Component, type ReactNode } from 'react'
import { Button } from '#/renderer/components/Button'
import { logFailure } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'

interface ErrorBoundaryProps {
  children: ReactNode
}

/** Keeps a broken screen to itself: what stands around it goes on working. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override componentDidCatch(error: unknown): void {
    logFailure('render', error)
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <main className="grid min-h-[60vh] place-items-center p-6 text-center">
        <div role="alert" className="max-w-90">
          <h1 className="font-display text-[24px]">{texts.somethingBroke.title}</h1>
          <p className="mt-1.5 mb-5 text-quiet">{texts.somethingBroke.body}</p>
          <Button variant="primary" onClick={() => this.setState({ hasFailed: false })}>
            {texts.tryAgain}
          </Button>
        </div>
      </main>
    )
  }
}
