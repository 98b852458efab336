import { Component, type ReactNode } from 'react'
import { logFailure } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'
import { Failure } from './Failure'

interface ErrorBoundaryProps {
  children: ReactNode
  /** Where its words stand when what it holds, over the page, is broken; left out, that is the page itself. */
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
    const { className } = this.props
    const { title, body } = texts.somethingBroke
    const failure = <Failure title={title} body={body} onRetry={this.handleRetry} />
    return className === undefined ? (
      <main id="content" className="grid min-h-[60vh] place-items-center p-6">
        {failure}
      </main>
    ) : (
      <div className={`grid place-items-center p-6 ${className}`}>{failure}</div>
    )
  }
}
