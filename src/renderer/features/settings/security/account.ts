import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { type AppError, toAppError } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import { supabase, unwrap } from '#/renderer/lib/supabase'

const SESSIONS_KEY = 'sessions'
const RECENT_SIGN_IN_KEY = 'recent sign-in'

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
    queryKey: [SESSIONS_KEY],
    queryFn: (): Promise<Device[]> => unwrap(supabase().rpc('my_sessions')),
    staleTime: 0,
    gcTime: 0,
  })
}

/** Ends the member's sessions on all other devices. */
export function useSignOutOthersMutation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const { error } = await supabase().auth.signOut({ scope: 'others' })
      if (error !== null) throw toAppError(error)
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [SESSIONS_KEY] }),
    meta: { action: 'sign out everywhere else' },
  })
}

/** Whether the server requires the password before it changes the account; undefined while loading. */
export function useNeedsPasswordQuery() {
  return useQuery({
    queryKey: [RECENT_SIGN_IN_KEY],
    queryFn: async () => !(await unwrap(supabase().rpc('signed_in_recently'))),
    staleTime: 0,
    gcTime: 0,
  })
}

/** Ends this device's previous session after a new sign-in. Never rejects. */
async function endReplaced(accessToken: string): Promise<void> {
  const { error } = await supabase().auth.admin.signOut(accessToken, 'local')
  if (error !== null) logFailure('end replaced session', toAppError(error))
}

/**
 * Runs an action that requires a recent sign-in. With a password it signs in again first, which every server accepts as
 * proof. Throws an `AppError`: `credentials` for a wrong password, `password-needed` if the password is required but null.
 *
 * @param endsOthers whether the action itself ends the member's other sessions
 */
export async function withPassword<T>(
  { email, password }: { email: string; password: string | null },
  action: () => Promise<T>,
  endsOthers: boolean,
): Promise<T> {
  if (password === null) return action()
  const { auth } = supabase()
  const { session: replaced } = await unwrap(auth.getSession())
  await unwrap(auth.signInWithPassword({ email, password }))
  let isEnded = false
  try {
    const result = await action()
    isEnded = endsOthers
    return result
  } finally {
    if (replaced !== null && !isEnded) await endReplaced(replaced.access_token)
  }
}

/** The new password or e-mail; `currentPassword` is null after a recent sign-in. */
export interface AccountChange {
  value: string
  currentPassword: string | null
}

/** Sets a new password; the server ends the member's other sessions. */
export function useChangePasswordMutation() {
  const { email } = useMe()
  return useMutation<unknown, AppError, AccountChange>({
    mutationFn: ({ value, currentPassword: password }) =>
      withPassword({ email, password }, () => unwrap(supabase().auth.updateUser({ password: value })), true),
    meta: { action: 'change password' },
  })
}

/** Changes the e-mail address. Resolves to `mailed` if a link in a mail has to confirm it first. */
export function useChangeEmailMutation() {
  const { email } = useMe()
  return useMutation<'changed' | 'mailed', AppError, AccountChange>({
    mutationFn: ({ value, currentPassword: password }) => {
      const change = async () => {
        const { user } = await unwrap(supabase().auth.updateUser({ email: value }))
        return user.email === value.toLowerCase() ? 'changed' : 'mailed'
      }
      return withPassword({ email, password }, change, false)
    },
    meta: { action: 'change email' },
  })
}
