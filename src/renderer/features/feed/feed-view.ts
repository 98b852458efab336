import type { QueryClient } from '@tanstack/react-query'
import type { VirtualItem } from '@tanstack/react-virtual'

/** Scroll state of the feed, restored on return. */
export interface FeedView {
  /** The first post at that time. If it has changed, the offset is no longer valid. */
  first: string | undefined
  /** Scroll offset in pixels. */
  offset: number
  /** Measured heights. */
  measurements: VirtualItem[]
}

/** One view per signed-in member, because each has their own query client. */
const views = new WeakMap<QueryClient, FeedView>()

export function rememberFeedView(client: QueryClient, view: FeedView): void {
  views.set(client, view)
}

export function recallFeedView(client: QueryClient): FeedView | undefined {
  return views.get(client)
}
