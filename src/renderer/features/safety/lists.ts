import { useQuery } from '@tanstack/react-query'
import { answer, supabase } from '#/renderer/lib/supabase'

export type SafetyList = 'blocked' | 'muted'

const CALL = { blocked: 'blocked_members', muted: 'muted_members' } as const

/** Whom the member has blocked or muted, newest first; as they were when the page was opened. */
export function useSafetyListQuery(list: SafetyList, isEnabled = true) {
  return useQuery({
    queryKey: ['safety', list],
    queryFn: () => answer(supabase().rpc(CALL[list])),
    enabled: isEnabled,
    staleTime: 0,
    gcTime: 0,
  })
}
