import { useQuery } from '@tanstack/react-query'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { settingsKeys } from './keys'

/** One of the member's sessions. */
export interface Device {
  id: string
  created_at: string
  last_used_at: string
  /** Sent at sign-in; null if the server did not record it. */
  user_agent: string | null
  is_current: boolean
}

/** The member's sessions, this device first. */
export function useDevicesQuery() {
  return useQuery({
    queryKey: settingsKeys.sessions,
    queryFn: (): Promise<Device[]> => unwrap(supabase().rpc('my_sessions')),
    staleTime: 0,
    gcTime: 0,
  })
}

/** Whether the server requires the password before it changes the account; undefined while loading. */
export function useNeedsPasswordQuery() {
  return useQuery({
    queryKey: settingsKeys.recentSignIn,
    queryFn: async () => !(await unwrap(supabase().rpc('signed_in_recently'))),
    staleTime: 0,
    gcTime: 0,
  })
}
