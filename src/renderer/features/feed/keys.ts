import { FOLLOWING_FEED_KEY, NEWEST_FOLLOWED_KEY } from '#/renderer/features/people'

/** The posts of everybody, or of the members that the member follows. */
export type FeedKind = 'everyone' | 'following'
export const FEED_KINDS: readonly FeedKind[] = ['following', 'everyone']

const FEED = { everyone: ['feed', 'everyone'], following: FOLLOWING_FEED_KEY } as const
const NEWEST = { everyone: ['newest post', 'everyone'], following: NEWEST_FOLLOWED_KEY } as const

/** The name of posts in the outbox. */
export const POST_KIND = 'post'

export const feedKeys = {
  all: ['feed'] as const,
  pages: (kind: FeedKind) => [...FEED[kind], 'pages'] as const,
  /** Where the member has scrolled to. Not fetched: kept as a query so that it is cached on disk with the pages. */
  position: (kind: FeedKind) => [...FEED[kind], 'position'] as const,
  newest: (kind: FeedKind, shown: string | null) => [...NEWEST[kind], shown] as const,
  /** The newest posts after the feed was restored from disk. */
  latest: (kind: FeedKind) => ['latest posts', kind] as const,
}
