import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { STALE } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { readDevice } from './stored-device'

interface SessionEnd {
  /** What was changed: `password` or `email`. */
  reason: string | null
  ended_at: string
}

async function loadSessionEnd(session: string): Promise<SessionEnd | null> {
  const [end] = await unwrap(supabase().rpc('session_end', { session }))
  return end ?? null
}

/** Why and when the server ended the last session on this device; null if the member did, or while that is unknown. */
export function useSessionEnd(): SessionEnd | null {
  const [session] = useState(() => readDevice().session)
  const { data = null } = useQuery({
    queryKey: ['session end', session],
    queryFn: () => (session === null ? null : loadSessionEnd(session)),
    enabled: session !== null,
    staleTime: STALE.immutable,
  })
  return data
}
