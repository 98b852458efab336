import { hashKey, type QueryKey } from '@tanstack/react-query'
import type { OwnProfile } from '#/renderer/features/auth'
import { FEED_VIEW, feedOnScreen } from '#/renderer/features/feed'
import { isOfDeletedConversation } from '#/renderer/features/messages'
import { MUTED_KEY } from '#/renderer/features/safety'
import type { DiskCache, StoredQuery } from '#/renderer/lib/disk-cache/disk-cache'
import { type OpenedCache, openCache } from '#/renderer/lib/disk-cache/opened-store'
import type { CachedQueries } from '#/renderer/lib/disk-cache/persist'
import type { CacheOwner } from '#/renderer/lib/disk-cache/store'

/** The member's own profile. Not fetched by a query: the session does. */
export const OWN_PROFILE_KEY = ['own profile'] as const

/**
 * The form of what the queries below store. Raise it when one of their answers or keys changes: what another build has stored may lack
 * fields that this one expects. Raise it also when a check of what they contain becomes stricter: what is never stale is not read again.
 */
export const CACHE_FORM = 9

/**
 * The queries that are cached on disk (docs/security.md): content that members have viewed. Never sessions, codes,
 * devices, forms, reports, blocked members or notifications; drafts and unsent messages have separate stores.
 */
export const CACHED_QUERIES: CachedQueries = {
  names: new Set([
    ...OWN_PROFILE_KEY,
    'feed',
    'post',
    'picture',
    'links',
    'comments',
    ...MUTED_KEY,
    'grid',
    'profile',
    'relation',
    'conversations',
    'messages',
    'scroll',
  ]),
  firstPageOnly: new Set(['comments', 'grid', 'conversations', 'messages']),
  // A conversation opens at its newest messages after a restart, not where a found message was shown.
  unstored: new Map([['messages', 'around']]),
  parts: { of: 'post', names: new Set(['picture', 'links', 'comments']) },
  isDeleted: isOfDeletedConversation,
}

async function read(cache: DiskCache, keys: readonly QueryKey[]): Promise<StoredQuery[]> {
  return (await cache.read(keys.map(hashKey))).filter((stored) => stored !== null)
}

/** Reads the queries of the first screen: the session's member, and the feed around the last position. */
export async function readFirstScreen(cache: DiskCache): Promise<StoredQuery[]> {
  const first = await read(cache, [OWN_PROFILE_KEY, MUTED_KEY, ...FEED_VIEW])
  const dataOf = (queryKey: QueryKey) =>
    first.find((stored) => hashKey(stored.queryKey) === hashKey(queryKey))?.data
  return [...first, ...(await read(cache, feedOnScreen(dataOf)))]
}

/** Opens the cache of a member, once. */
export function openMemberCache(owner: CacheOwner): Promise<OpenedCache> {
  return openCache(owner, CACHE_FORM, readFirstScreen)
}

/** The own profile among the queries of the first screen. */
export function ownProfileOf(first: readonly StoredQuery[]): OwnProfile | null {
  const [key] = OWN_PROFILE_KEY
  // Stored in this form.
  return (first.find(({ queryKey }) => queryKey[0] === key)?.data as OwnProfile | undefined) ?? null
}
