import { Component, type ReactNode } from 'react'
import { Button } from '#/renderer/components/Button'
import { logFailure } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'

interface ErrorBoundaryProps {
  children: ReactNode
  /** Where its words stand when what it holds is broken; in the page's flow when left out. */
  className?: string
}

/** Chromium's words for a part of the app that could not be loaded; React keeps such a failure for good. */
const NOT_LOADED = /dynamically imported module/

/** Keeps a broken screen to itself: what stands around it goes on working. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error ?? new Error('nothing was thrown') }
  }

  override componentDidCatch(error: unknown): void {
    logFailure('render', error)
  }

  readonly handleRetry = () => {
    const { error } = this.state
    if (error instanceof Error && NOT_LOADED.test(error.message)) window.location.reload()
    else this.setState({ error: null })
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children
    return (
      <main className={`grid place-items-center p-6 text-center ${this.props.className ?? 'min-h-[60vh]'}`}>
        <div role="alert" className="max-w-90">
          <h1 className="font-display text-[24px]">{texts.somethingBroke.title}</h1>
          <p className="mt-1.5 mb-5 text-quiet">{texts.somethingBroke.body}</p>
          <Button variant="primary" onClick={this.handleRetry}>
            {texts.tryAgain}
          </Button>
        </div>
      </main>
    )
  }
}
