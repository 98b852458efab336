import { type Query, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router-dom'
import { useMe } from '#/renderer/features/auth'
import { logFailure } from '#/renderer/lib/logger'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { texts } from '#/renderer/lib/texts'
import { showToast } from '#/renderer/lib/toasts'
import { forgetMember, type SafetyMember } from './forget-member'
import { SAFETY_KEY } from './lists'

/** Blocks a member on the server; idempotent. Throws an `AppError`. */
async function block(me: string, id: string): Promise<void> {
  await unwrap(
    supabase()
      .from('blocks')
      .upsert(
        { blocker_id: me, blocked_id: id },
        { onConflict: 'blocker_id,blocked_id', ignoreDuplicates: true },
      ),
  )
}

async function unblock(me: string, id: string): Promise<void> {
  await unwrap(supabase().from('blocks').delete().eq('blocker_id', me).eq('blocked_id', id))
}

/**
 * Refetches the active queries, because a member has become hidden or visible. Cancels first fetches too, whose
 * response may be older than the change.
 */
async function refetchAll(client: QueryClient, isMeant: (query: Query) => boolean = () => true) {
  await client.cancelQueries({
    predicate: (query) => isMeant(query) && query.state.data === undefined && !query.isStatic(),
  })
  void client.invalidateQueries({ predicate: isMeant })
}

/** Blocks or unblocks from the list in the settings. Inactive queries refetch when they are shown. */
export async function setBlocked(client: QueryClient, me: string, member: SafetyMember, isBlocked: boolean) {
  await (isBlocked ? block : unblock)(me, member.id)
  if (isBlocked) await forgetMember(client, member)
  await refetchAll(client, ({ queryKey }) => queryKey[0] !== SAFETY_KEY)
}

/** Leaves a page of the blocked member: their profile, or a modal with their content. */
function usePageWithout({ username }: SafetyMember): () => void {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return () => {
    if (pathname.toLowerCase() === `/profile/${username}`) return void navigate('/', { replace: true })
    const parameters = new URLSearchParams(search)
    if (!parameters.has('post') && !parameters.has('story')) return
    parameters.delete('post')
    parameters.delete('story')
    const rest = parameters.size === 0 ? '' : `?${parameters}`
    void navigate({ search: rest }, { replace: true })
  }
}

/** Blocks a member: their content leaves the screen, and a toast offers to undo it (SAFE-01). */
export function useBlockMutation(member: SafetyMember) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const leave = usePageWithout(member)
  const bringBack = async (restore: () => void) => {
    try {
      await unblock(me, member.id)
      restore()
      await refetchAll(client)
    } catch (cause) {
      logFailure('unblock', cause)
      showToast({ text: texts.safety.failed })
    }
  }
  return useMutation({
    mutationFn: () => block(me, member.id),
    meta: { action: 'block' },
    onSuccess: async () => {
      const restore = await forgetMember(client, member)
      leave()
      // Counts, and conversations, which are now closed.
      await refetchAll(client)
      showToast({ text: texts.safety.blocked(member.username), undo: () => void bringBack(restore) })
    },
  })
}
