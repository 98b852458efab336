import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { postQueryKeys } from '#/renderer/features/post'
import { feedKeys } from './keys'
import type { FeedData } from './queries'

/** Where the member has scrolled to, by a post: heights differ after a restart. */
export interface FeedPosition {
  /** The first post on screen. */
  id: string
  /** The distance of its top from the top of the window, in pixels. */
  top: number
}

/** The queries of the feed that the first screen needs; `feedOnScreen` names its posts. */
export const FEED_VIEW = [feedKeys.pages, feedKeys.position]

/** Posts above and below the first one on screen: a tall window, and what the list renders beyond it. */
const AROUND = { above: 4, below: 8 }

/** The queries of the posts that were last on screen. */
export function feedOnScreen(dataOf: (queryKey: QueryKey) => unknown): QueryKey[] {
  const pages = dataOf(feedKeys.pages) as FeedData | undefined
  const position = dataOf(feedKeys.position) as FeedPosition | undefined
  const ids = pages?.pages.flatMap(({ posts }) => posts.map(({ id }) => id)) ?? []
  const first = Math.max(0, position === undefined ? 0 : ids.indexOf(position.id))
  return ids.slice(Math.max(0, first - AROUND.above), first + AROUND.below).flatMap(postQueryKeys)
}

/** @param position null at the beginning of the feed */
export function savePosition(client: QueryClient, position: FeedPosition | null): void {
  client.setQueryData(feedKeys.position, position)
}

export function savedPosition(client: QueryClient): FeedPosition | null | undefined {
  return client.getQueryData(feedKeys.position)
}
