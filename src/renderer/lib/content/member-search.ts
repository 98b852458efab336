import { useQuery } from '@tanstack/react-query'
import { STALE } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { searchKey } from '#/shared/search-key'

/** Up to ten members whose username or full name matches. Throws an `AppError`. */
export function findMembers(query: string, signal: AbortSignal) {
  return unwrap(supabase().rpc('search_profiles', { query }).abortSignal(signal))
}

export type FoundMember = Awaited<ReturnType<typeof findMembers>>[number]

/** Members whose username or full name matches; shows the previous results until the new ones arrive. */
export function useMemberSearchQuery(query: string, isOpen: boolean) {
  return useQuery({
    queryKey: ['search', searchKey(query)],
    queryFn: ({ signal }) => findMembers(query, signal),
    enabled: query !== '' && isOpen,
    staleTime: STALE.short,
    placeholderData: (previous) => previous,
  })
}
