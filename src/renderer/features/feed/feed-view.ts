import type { QueryClient } from '@tanstack/react-query'
import type { VirtualItem } from '@tanstack/react-virtual'

/** Where the reader was in the feed, for the way back: scroll offset in pixels and the measured heights. */
export interface FeedView {
  offset: number
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

export function forgetFeedView(client: QueryClient): void {
  views.delete(client)
}
