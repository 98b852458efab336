import type { ComponentType } from 'react'
import { type LazyComponent, lazyComponent } from '#/renderer/lib/browser/lazy-component'
import { PageSpinner } from './Spinner'

/** A lazy component for a route's screen: `lazyScreen(() => import('./CreateScreen'), 'CreateScreen')`. */
export function lazyScreen<K extends string>(
  load: () => Promise<Record<K, ComponentType>>,
  name: K,
): LazyComponent<object> {
  return lazyComponent(load, name, <PageSpinner />)
}
