import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { codePoints } from '#/renderer/lib/content/rich-text'
import { byId } from '#/renderer/lib/queries/batch-loader'
import { type Cursor, nextPage } from '#/renderer/lib/queries/keyset'
import { STALE } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { MESSAGE_SEARCH } from '#/shared/limits'
import { searchKey } from '#/shared/search-key'
import { conversationKeys, messageKeys } from '../keys'
import type { Conversation } from '../model/conversation'
import { loadConversations, toConversation } from './load-conversations'

/** Reads on from the cursor: at most a page of matches, and the last message that was read. Throws an `AppError`. */
export function readMatches(
  query: string,
  conversationId: string | null,
  after: Cursor,
  signal?: AbortSignal,
) {
  const search = supabase().rpc('search_messages', {
    query,
    ...(conversationId !== null && { in_conversation: conversationId }),
    ...(after !== null && { before_at: after.createdAt, before_id: after.id }),
  })
  return unwrap(signal === undefined ? search : search.abortSignal(signal))
}

export type FoundMessage = Awaited<ReturnType<typeof readMatches>>[number]

/** Reads per page: one read examines up to 2,000 messages, so a page stops after 20,000 and shows what it found. */
const READS = 10

interface FoundPage {
  matches: FoundMessage[]
  /** Where to read on; undefined when all messages have been read. */
  next: Cursor | undefined
}

/** The next page of matches, or fewer after `READS` reads. */
export async function readPage(
  read: (after: Cursor) => Promise<FoundMessage[]>,
  after: Cursor,
): Promise<FoundPage> {
  const matches: FoundMessage[] = []
  let cursor = after
  for (let reads = 0; reads < READS && matches.length < MESSAGE_SEARCH.page; reads += 1) {
    const rows = await read(cursor)
    matches.push(...rows.filter(({ is_match }) => is_match))
    const last = rows.at(-1)
    const hasMore = rows.length === MESSAGE_SEARCH.page || last?.is_last_read === true
    if (last === undefined || !hasMore) return { matches, next: undefined }
    cursor = { createdAt: last.created_at, id: last.id }
  }
  return { matches, next: cursor }
}

/** Whether a text is long enough to search for. */
export function isSearchable(query: string): boolean {
  return codePoints(query) >= MESSAGE_SEARCH.shortest
}

/**
 * The member's messages that contain the query, newest first, in pages.
 *
 * @param conversationId null for all conversations
 */
export function useMessageSearchQuery(query: string, conversationId: string | null) {
  return useInfiniteQuery({
    queryKey: messageKeys.search(searchKey(query), conversationId),
    meta: { keepsBlocked: true },
    queryFn: ({ pageParam, signal }) =>
      readPage((after) => readMatches(query, conversationId, after, signal), pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: nextPage,
    enabled: isSearchable(query),
    staleTime: STALE.short,
    gcTime: STALE.minute,
    select: ({ pages }) => pages.flatMap(({ matches }) => matches),
  })
}

const NONE: ReadonlyMap<string, Conversation> = new Map()

/** The conversations of found messages, by id. */
export function useFoundConversations(found: readonly FoundMessage[]): ReadonlyMap<string, Conversation> {
  const { id: me } = useMe()
  const ids = [...new Set(found.map(({ conversation_id }) => conversation_id))].sort()
  const { data = NONE } = useQuery({
    queryKey: conversationKeys.found(ids),
    meta: { keepsBlocked: true },
    queryFn: async () => byId((await loadConversations(ids)).map((row) => toConversation(row, me))),
    enabled: ids.length > 0,
    staleTime: STALE.short,
    placeholderData: (previous) => previous,
  })
  return data
}
