import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { byId, createBatchLoader } from '#/renderer/lib/batch-loader'
import { type Cursor, newestFirst, nextCursor } from '#/renderer/lib/keyset'
import { onePerClient, STALE } from '#/renderer/lib/query-client'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { PEOPLE_PAGE } from '#/shared/limits'

export type SafetyList = 'blocked' | 'muted'

/** SQL functions, because row security hides blocked members from the embeds of the tables. */
const CALL = { blocked: 'blocked_members', muted: 'muted_members' } as const

/** Prefix of both lists' keys. */
export const SAFETY_KEY = 'safety'

/** A page of blocked or muted members, newest first. Throws an `AppError`. */
export function loadSafetyPage(list: SafetyList, after: Cursor) {
  return unwrap(newestFirst(supabase().rpc(CALL[list]), { after, size: PEOPLE_PAGE, idColumn: 'id' }))
}

/** A blocked or muted member; without a name if they have blocked this member too. */
export type SafetyListed = Awaited<ReturnType<typeof loadSafetyPage>>[number]

/** Blocked or muted members in pages, newest first, as they were when the page was opened. */
export function useSafetyListQuery(list: SafetyList) {
  return useInfiniteQuery({
    queryKey: [SAFETY_KEY, list],
    queryFn: ({ pageParam }) => loadSafetyPage(list, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: (page) =>
      nextCursor(page, PEOPLE_PAGE, ({ created_at, id }) => ({ createdAt: created_at, id })),
    select: ({ pages }) => pages.flat(),
    staleTime: 0,
    gcTime: 0,
  })
}

const blockedLoader = onePerClient(() =>
  createBatchLoader<SafetyListed>(
    async (ids) => byId(await unwrap(supabase().rpc('blocked_members').in('id', ids))),
    PEOPLE_PAGE,
  ),
)

/** A blocked member by id; null if they are not blocked. */
export function useBlockedMemberQuery(id: string | null) {
  return useQuery({
    queryKey: ['blocked member', id],
    queryFn: ({ client }) => (id === null ? null : blockedLoader(client)(id)),
    enabled: id !== null,
    staleTime: STALE.short,
  })
}

/** The blocked member with this username, who cannot be found for that reason; null otherwise. */
export function useBlockedNameQuery(username: string) {
  return useQuery({
    queryKey: ['blocked name', username],
    queryFn: () => unwrap(supabase().rpc('blocked_members').eq('username', username).maybeSingle()),
    staleTime: 0,
    gcTime: 0,
  })
}
