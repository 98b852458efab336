import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onCaughtUp } from '#/renderer/lib/live'
import { STALE } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
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

/** A sign-in on a device that had not signed in before. */
export interface NewSignIn {
  id: string
  created_at: string
  user_agent: string | null
}

const NONE: NewSignIn[] = []

/** Sign-ins on other devices about which the member has not been asked yet, the latest first. */
export function useNewSignIns(): NewSignIn[] {
  const client = useQueryClient()
  useEffect(
    () => onCaughtUp(() => void client.invalidateQueries({ queryKey: settingsKeys.newSignIns })),
    [client],
  )
  const { data = NONE } = useQuery({
    queryKey: settingsKeys.newSignIns,
    queryFn: (): Promise<NewSignIn[]> => unwrap(supabase().rpc('new_sign_ins')),
    staleTime: STALE.immutable,
  })
  return data
}
