import type { AuthClient } from '@supabase/supabase-js'

/**
 * Ends the refreshes of a client by time. auth-js starts them after it has read the session, so that `stopAutoRefresh()` alone comes too
 * early: the client would send refreshes through the `fetch` of later tests.
 */
export async function stopRefreshing(auth: InstanceType<typeof AuthClient>): Promise<void> {
  await auth.initialize()
  await auth.stopAutoRefresh()
}
