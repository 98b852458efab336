import { useQuery } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'

/** How often the first member's card asks whether somebody has joined, in milliseconds. */
const JOINED_MS = 15_000

/** One other member of this server; null if there is none. Throws an `AppError`. */
export async function loadAnotherMember(me: string) {
  const columns = 'id,username,full_name,avatar_url,avatar_path,is_private'
  const rows = await unwrap(supabase().from('profiles').select(columns).neq('id', me).limit(1))
  return rows[0] ?? null
}

/** One other member, null while there is none; asks again until there is one. */
export function useAnotherMemberQuery() {
  const { id: me } = useMe()
  return useQuery({
    queryKey: ['another member'],
    queryFn: () => loadAnotherMember(me),
    refetchInterval: ({ state }) => (state.data === null ? JOINED_MS : false),
  })
}
