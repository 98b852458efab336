import type { ComponentType } from 'react'
import { type LazyComponent, lazyComponent } from '#/renderer/lib/browser/lazy-component'
import { BESIDE_HEADER, ErrorBoundary } from './ErrorBoundary'

type Load<K extends string, P> = () => Promise<Record<K, ComponentType<P>>>

/**
 * A lazy component for a dialog: if its code cannot be loaded, an error message with a button to try again covers the page beside the
 * header, which is there again after that.
 */
export function lazyDialog<K extends string, P extends object>(load: Load<K, P>, name: K): LazyComponent<P> {
  return contained(lazyComponent(load, name), `${BESIDE_HEADER} z-50`)
}

/** A lazy component for a section of a page: if its code cannot be loaded, the error message takes its place only. */
export function lazySection<K extends string, P extends object>(load: Load<K, P>, name: K): LazyComponent<P> {
  return contained(lazyComponent(load, name), 'py-4')
}

function contained<P extends object>(Part: LazyComponent<P>, className: string): LazyComponent<P> {
  const draw = (props: P) => (
    <ErrorBoundary className={className}>
      <Part {...props} />
    </ErrorBoundary>
  )
  return Object.assign(draw, { load: Part.load })
}
