import { useQuery } from '@tanstack/react-query'
import { STALE } from '#/renderer/lib/queries/query-client'
import { useIsUnreachable } from '#/renderer/lib/queries/useIsOnline'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import { searchKey } from '#/shared/search-key'

/** Up to ten members whose username or full name matches. Throws an `AppError`. */
export function findMembers(query: string, signal: AbortSignal) {
  return unwrap(supabase().rpc('search_profiles', { query }).abortSignal(signal))
}

export type FoundMember = Awaited<ReturnType<typeof findMembers>>[number]

/**
 * Members whose username or full name matches; the previous ones until the new ones arrive. `failure` says why the new ones do not arrive: at once
 * if there is no connection, else after the last attempt; the query retries by itself (FEED-12).
 */
export function useMemberSearchQuery(query: string, isOpen: boolean) {
  const isEnabled = query !== '' && isOpen
  const { data, isError, isPending, isPlaceholderData, failureReason } = useQuery({
    queryKey: ['search', searchKey(query)],
    queryFn: ({ signal }) => findMembers(query, signal),
    enabled: isEnabled,
    staleTime: STALE.short,
    placeholderData: (previous) => previous,
  })
  const isUnreachable = useIsUnreachable(failureReason)
  const hasFailed = isEnabled && (data === undefined || isPlaceholderData) && (isUnreachable || isError)
  const failure = isUnreachable ? texts.search.offline : texts.search.failed
  return {
    members: data,
    failure: hasFailed ? failure : null,
    isPending: isPending && !hasFailed,
    isPlaceholderData,
  }
}
