import { useMutation } from '@tanstack/react-query'
import { signOut, useMe, whileEnding } from '#/renderer/features/auth'
import { forgetUnsent } from '#/renderer/features/messages'
import { clearDrafts } from '#/renderer/lib/draft-store'
import type { AppError } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import { useServerInfo } from '#/renderer/lib/server-info'
import { forgetSession, supabase, unwrap } from '#/renderer/lib/supabase'
import { withPassword } from './security/account'

/**
 * Deletes the account on the server. A large account takes several calls; if the connection is lost, the next attempt
 * resumes.
 */
async function deleteAccount(): Promise<void> {
  const clear = () => unwrap(supabase().rpc('clear_account'))
  let isCleared = await clear()
  while (isCleared === false) isCleared = await clear()
  await unwrap(supabase().rpc('delete_account'))
}

/**
 * Deletes the member's account and their local data (SET-03), then redirects to /login. Takes the password, or null
 * after a recent sign-in.
 */
export function useDeleteAccountMutation() {
  const { id, email } = useMe()
  const server = useServerInfo((state) => state.server?.storageKey)
  return useMutation<unknown, AppError, string | null>({
    mutationFn: (password) =>
      whileEnding(async () => {
        await withPassword({ email, password }, deleteAccount, true)
        clearDrafts(id)
        if (server !== undefined) {
          await forgetUnsent(id, server).catch((cause: unknown) =>
            logFailure('forget what was unsent', cause),
          )
        }
        // The server has already ended the session, so a sign-out request would be refused.
        await forgetSession().catch((cause: unknown) => logFailure('forget session', cause))
        await signOut()
      }),
    meta: { action: 'delete account' },
  })
}
