import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { byId, createBatchLoader } from '#/renderer/lib/queries/batch-loader'
import { type Cursor, newestFirst, nextCursor, nextPage } from '#/renderer/lib/queries/keyset'
import { STALE } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { PEOPLE_PAGE } from '#/shared/limits'
import { type SafetyList, safetyKeys } from './keys'

/** SQL functions, because row security hides blocked members from the embeds of the tables. */
const LIST_FUNCTION = { blocked: 'blocked_members', muted: 'muted_members' } as const

/** A page of blocked or muted members, newest first. Throws an `AppError`. */
export async function loadSafetyPage(list: SafetyList, after: Cursor) {
  const members = await unwrap(
    newestFirst(supabase().rpc(LIST_FUNCTION[list]), { after, size: PEOPLE_PAGE, idColumn: 'id' }),
  )
  const next = nextCursor(members, PEOPLE_PAGE, ({ created_at, id }) => ({ createdAt: created_at, id }))
  return { members, next }
}

/** A blocked or muted member; without a name if they have blocked this member too. */
export type SafetyListed = Awaited<ReturnType<typeof loadSafetyPage>>['members'][number]

/** Blocked or muted members in pages, newest first, as they were when the page was opened. */
export function useSafetyListQuery(list: SafetyList) {
  return useInfiniteQuery({
    queryKey: safetyKeys.list(list),
    meta: { keepsBlocked: true },
    queryFn: ({ pageParam }) => loadSafetyPage(list, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: nextPage,
    select: ({ pages }) => pages.flatMap(({ members }) => members),
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
    queryKey: safetyKeys.blockedMember(id),
    meta: { keepsBlocked: true },
    queryFn: ({ client }) => (id === null ? null : blockedLoader(client)(id)),
    enabled: id !== null,
    staleTime: STALE.short,
  })
}

/** The blocked member with this username, who cannot be found for that reason; null otherwise. */
export function useBlockedNameQuery(username: string) {
  return useQuery({
    queryKey: safetyKeys.blockedName(username),
    meta: { keepsBlocked: true },
    queryFn: () => unwrap(supabase().rpc('blocked_members').eq('username', username).maybeSingle()),
    staleTime: 0,
    gcTime: 0,
  })
}

/** Rows per request; servers return at most a thousand. */
const MUTES_PAGE = 1_000
/** More pages than a member can mute in half a year: a server may send full ones for ever. */
const MUTES_PAGES_MOST = 100

/** The ids of muted members. Throws an `AppError`. */
export async function loadMutedIds(me: string): Promise<string[]> {
  const ids: string[] = []
  let after: Cursor = null
  for (let page = 0; page < MUTES_PAGES_MOST; page += 1) {
    const rows: { muted_id: string; created_at: string }[] = await unwrap(
      newestFirst(supabase().from('mutes').select('muted_id,created_at').eq('muter_id', me), {
        after,
        size: MUTES_PAGE,
        idColumn: 'muted_id',
      }),
    )
    ids.push(...rows.map(({ muted_id }) => muted_id))
    const last = rows.at(-1)
    if (last === undefined || rows.length < MUTES_PAGE) break
    after = { createdAt: last.created_at, id: last.muted_id }
  }
  return ids
}

const NOBODY: ReadonlySet<string> = new Set()

const toSet = (ids: string[]): ReadonlySet<string> => new Set(ids)

/** Muted members, whose posts and stories are hidden; empty while loading. */
export function useMutedIds(): ReadonlySet<string> {
  const { id: me } = useMe()
  const { data = NOBODY } = useQuery({
    queryKey: safetyKeys.mutedIds,
    queryFn: () => loadMutedIds(me),
    select: toSet,
    staleTime: STALE.minute,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return data
}
