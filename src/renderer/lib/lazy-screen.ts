import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/** A screen that is loaded when its route is first shown: `lazyScreen(() => import('./FeedScreen'), 'FeedScreen')`. */
export function lazyScreen<K extends string>(
  load: () => Promise<Record<K, ComponentType>>,
  name: K,
): LazyExoticComponent<ComponentType> {
  return lazy(async () => ({ default: (await load())[name] }))
}
