import type { QueryClient } from '@tanstack/react-query'
import type { VirtualItem } from '@tanstack/react-virtual'

/** Where the reader was in the feed, for the way back. */
export interface FeedView {
  /** The post on top then: another one there, and the place means nothing any more. */
  first: string | undefined
  /** Scroll offset in pixels. */
  offset: number
  /** The heights that were measured. */
  measurements: VirtualItem[]
}

/** By query client, that is, by signed-in member. */
const views = new WeakMap<QueryClient, FeedView>()

export function rememberFeedView(client: QueryClient, view: FeedView): void {
  views.set(client, view)
}

export function recallFeedView(client: QueryClient): FeedView | undefined {
  return views.get(client)
}
