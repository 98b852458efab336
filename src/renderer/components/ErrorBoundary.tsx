import { Component, type ReactNode } from 'react'
import { logFailure } from '#/renderer/lib/core/logger'
import { texts } from '#/renderer/lib/texts'
import { Failure } from './Failure'

interface ErrorBoundaryProps {
  children: ReactNode
  /** Position of the error message if the child is shown over the page; by default the message replaces the page. */
  className?: string
}

/** `className` of a message that covers the page beside the header. */
export const BESIDE_HEADER = 'fixed inset-0 start-(--rail-width) top-(--bar-height) bg-paper'

/** Chromium's message for code that could not be loaded. React caches this failure, so only a reload helps. */
const NOT_LOADED = /dynamically imported module/

/** Contains a crash to one screen; the rest of the page keeps working. */
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
