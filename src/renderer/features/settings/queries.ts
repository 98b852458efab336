import { useMutation } from '@tanstack/react-query'
import { signOut } from '#/renderer/features/auth'
import { logFailure } from '#/renderer/lib/logger'
import { answer, supabase } from '#/renderer/lib/supabase'

/** Deletes the member's account with everything that hangs on it; without a session the way leads to /login. */
export function useDeleteAccountMutation() {
  return useMutation({
    mutationFn: () => answer(supabase().rpc('delete_account')),
    onSuccess: () => signOut(),
    onError: (cause) => logFailure('delete account', cause),
  })
}
