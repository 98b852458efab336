import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadAhead } from './load-ahead'

/**
 * A screen that is loaded when its route is first shown, or ahead of that in a quiet moment:
 * `lazyScreen(() => import('./FeedScreen'), 'FeedScreen')`.
 */
export function lazyScreen<K extends string>(
  load: () => Promise<Record<K, ComponentType>>,
  name: K,
): LazyExoticComponent<ComponentType> {
  loadAhead(load)
  return lazy(async () => ({ default: (await load())[name] }))
}
