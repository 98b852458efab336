import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { postQueryKeys } from '#/renderer/features/post'
import type { ScrollPosition } from '#/renderer/lib/navigation/useSavedScroll'
import { FEED_KINDS, type FeedKind, feedKeys } from './keys'
import type { FeedData } from './queries'

/** The queries of both feeds that the first screen needs; `feedOnScreen` names their posts. */
export const FEED_VIEW = FEED_KINDS.flatMap((kind) => [feedKeys.pages(kind), feedKeys.position(kind)])

/**
 * Number of posts above and below the first one on screen: the height of a tall window plus the overscan of the list.
 */
const AROUND = { above: 4, below: 8 }

/** The queries of the posts that were last on screen in each feed. */
export function feedOnScreen(dataOf: (queryKey: QueryKey) => unknown): QueryKey[] {
  const ids = FEED_KINDS.flatMap((kind) => {
    const pages = dataOf(feedKeys.pages(kind)) as FeedData | undefined
    const position = dataOf(feedKeys.position(kind)) as ScrollPosition | null | undefined
    const all = pages?.pages.flatMap(({ posts }) => posts.map(({ id }) => id)) ?? []
    const first = Math.max(0, position == null ? 0 : all.indexOf(position.id))
    return all.slice(Math.max(0, first - AROUND.above), first + AROUND.below)
  })
  return [...new Set(ids)].flatMap(postQueryKeys)
}

/** @param position null at the beginning of the feed */
export function savePosition(client: QueryClient, kind: FeedKind, position: ScrollPosition | null): void {
  client.setQueryData(feedKeys.position(kind), position)
}

export function savedPosition(client: QueryClient, kind: FeedKind): ScrollPosition | null | undefined {
  return client.getQueryData(feedKeys.position(kind))
}
