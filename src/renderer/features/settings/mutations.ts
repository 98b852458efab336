import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refreshProfile, signOut, useMe, whileEnding } from '#/renderer/features/auth'
import { type SafetyList, type SafetyListed, setBlocked, setMuted } from '#/renderer/features/safety'
import { AppError, toAppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { showToast } from '#/renderer/lib/core/toasts'
import { registerDevice } from '#/renderer/lib/device/register-device'
import { hasStorage } from '#/renderer/lib/media/source/storage-store'
import { removeFolder } from '#/renderer/lib/media-store/upload/store'
import { storedUntilSaved } from '#/renderer/lib/queries/stored-toggles'
import { createToggleSync, type StoredToggle } from '#/renderer/lib/queries/toggle-sync'
import { forgetSession, supabase, unwrap } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import { settingKey, settingsKeys } from './keys'
import { markSetting, useUnsavedSettings } from './unsaved-settings-store'
import { forgetAllUnsent } from './unsent'

async function signOutOthers(): Promise<void> {
  const { error } = await supabase().auth.signOut({ scope: 'others' })
  if (error !== null) throw toAppError(error)
}

/** Ends the member's sessions on all other devices. */
export function useSignOutOthersMutation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: signOutOthers,
    onSuccess: () => client.invalidateQueries({ queryKey: settingsKeys.sessions }),
    meta: { action: 'sign out everywhere else' },
  })
}

/** Ends the member's session on one other device. */
export function useSignOutDeviceMutation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (session: string) => {
      await unwrap(supabase().rpc('end_session', { session }))
    },
    onSuccess: () => client.invalidateQueries({ queryKey: settingsKeys.sessions }),
    meta: { action: 'sign out a device' },
  })
}

/** Answers whether the member signed in on new devices. No device asks again. */
export function useAnswerSignInsMutation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ ids, wasMe }: { ids: readonly string[]; wasMe: boolean }) => {
      await Promise.all(
        ids.map((id) => unwrap(supabase().rpc('answer_sign_in', { sign_in: id, was_me: wasMe }))),
      )
    },
    onSettled: () => client.invalidateQueries({ queryKey: settingsKeys.newSignIns }),
    meta: { action: 'answer about a sign-in' },
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
 * @param endsOthers whether the action has ended the member's other sessions
 */
export async function withPassword<T>(
  { email, password }: { email: string; password: string | null },
  action: () => Promise<T>,
  endsOthers: (result: T) => boolean,
): Promise<T> {
  if (password === null) return action()
  const { auth } = supabase()
  const { session: replaced } = await unwrap(auth.getSession())
  await unwrap(auth.signInWithPassword({ email, password }))
  void registerDevice()
  let isEnded = false
  try {
    const result = await action()
    isEnded = endsOthers(result)
    return result
  } finally {
    if (replaced !== null && !isEnded) await endReplaced(replaced.access_token)
  }
}

const endsAll = () => true

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
      withPassword(
        { email, password },
        () => unwrap(supabase().auth.updateUser({ password: value })),
        endsAll,
      ),
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
        if (user.email !== value.toLowerCase()) return 'mailed'
        // The embedded server has ended them; GoTrue does so for a new password only.
        await signOutOthers().catch((cause: unknown) => logFailure('sign out everywhere else', cause))
        return 'changed'
      }
      return withPassword({ email, password }, change, (outcome) => outcome === 'changed')
    },
    meta: { action: 'change email' },
  })
}

/** Blocks, unblocks, mutes or unmutes a member of a list. Resolves to whether the server accepted it. */
export function useSafetyMutation(list: SafetyList, member: SafetyListed) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: async (isListed: boolean) => {
      if (list === 'muted') return setMuted(client, me, member.id, isListed)
      await setBlocked(client, me, member, isListed)
      return true
    },
    meta: { action: `change ${list}` },
    onError: () => showToast({ text: texts.safety.failed }),
  })
}

/** Each takes some 150 ms: half an hour, after which a server that is never done has failed. */
const CLEARS_MOST = 10_000

/**
 * Deletes the account on the server, and its objects in Storage once no row refers to them. A large account takes several calls; if the
 * connection is lost, the next attempt resumes.
 */
async function deleteAccount(me: string): Promise<void> {
  const clear = () => unwrap(supabase().rpc('clear_account'))
  let isCleared = await clear()
  for (let clears = 1; isCleared === false; clears += 1) {
    if (clears === CLEARS_MOST) throw new AppError('server', '', 'an account that is never cleared')
    isCleared = await clear()
  }
  if (await hasStorage()) await removeFolder(me)
  await unwrap(supabase().rpc('delete_account'))
}

/**
 * Deletes the member's account and their local data (SET-03), then redirects to /login. Takes the password, or null
 * after a recent sign-in.
 */
export function useDeleteAccountMutation() {
  const { id, email } = useMe()
  const server = useServerInfo(({ storageKey }) => storageKey)
  return useMutation<unknown, AppError, string | null>({
    mutationFn: (password) =>
      whileEnding(async () => {
        await withPassword({ email, password }, () => deleteAccount(id), endsAll)
        await forgetAllUnsent(id, server ?? '')
        // The server has already ended the session, so a sign-out request would be refused.
        await forgetSession(id).catch((cause: unknown) => logFailure('forget session', cause))
        await signOut()
      }),
    meta: { action: 'delete account' },
  })
}

/** Settings that are columns of the profile. */
const PROFILE_SETTINGS = ['is_private', 'show_activity_status', 'allow_story_replies'] as const
export type ProfileSetting = (typeof PROFILE_SETTINGS)[number]

/** At module level, so that the last press wins even if the screen is left immediately. */
const settingSync = createToggleSync(storedUntilSaved)

async function saveSetting(
  client: QueryClient,
  me: string,
  setting: ProfileSetting,
  wanted: boolean,
): Promise<void> {
  const update: Partial<Record<ProfileSetting, boolean>> = { [setting]: wanted }
  await unwrap(supabase().from('profiles').update(update).eq('id', me))
  await refreshProfile({ id: me, ...update }).catch((cause: unknown) => logFailure('refresh profile', cause))
  // Privacy also affects requests and followers.
  void client.invalidateQueries()
}

function syncSetting(
  client: QueryClient,
  me: string,
  setting: ProfileSetting,
  { from, to }: StoredToggle,
): void {
  const key = settingKey(me, setting)
  const logged = (cause: unknown) => logFailure(`save ${setting}`, cause)
  const syncing = settingSync.set(key, from, to, {
    send: (isOn) => saveSetting(client, me, setting, isOn),
    onFailed: (_, cause) => logged(cause),
    onWaiting: (cause) => {
      markSetting(key, true)
      if (cause !== undefined) logged(cause)
    },
  })
  void syncing.then(() => {
    // Otherwise an earlier press is still being synchronized, with this target.
    if (settingSync.desired(key) === undefined) markSetting(key, false)
  })
}

/** Sends the settings that were not saved when the app was closed. */
export function resumeSettings(client: QueryClient, me: string): void {
  for (const setting of PROFILE_SETTINGS) {
    const key = settingKey(me, setting)
    const toggle = storedUntilSaved.read(key)
    if (toggle === null) continue
    markSetting(key, true)
    syncSetting(client, me, setting, toggle)
  }
}

interface SettingState {
  isOn: boolean
  /** Saving it has failed: it is sent again. */
  isUnsaved: boolean
  change: (isOn: boolean) => void
}

/** A setting of the member's profile: optimistic. A failure is logged and sent again until it is stored (SET-02). */
export function useProfileSetting(setting: ProfileSetting): SettingState {
  const { id, profile } = useMe()
  const client = useQueryClient()
  const key = settingKey(id, setting)
  /** What the member has chosen here. Before that the profile decides, which may be replaced when the session is confirmed. */
  const [chosen, setChosen] = useState<boolean | null>(null)
  const hasFailed = useUnsavedSettings((keys) => keys[key] === true)
  const isOn = chosen ?? settingSync.desired(key) ?? storedUntilSaved.read(key)?.to ?? profile[setting]

  const change = (wanted: boolean) => {
    setChosen(wanted)
    syncSetting(client, id, setting, { from: isOn, to: wanted })
  }
  return { isOn, isUnsaved: hasFailed && isOn !== profile[setting], change }
}

/** Who may write to a member outside of accepted conversations, from most to fewest. */
export const NEW_MESSAGES_FROM = ['everyone', 'followers', 'following', 'nobody'] as const
export type NewMessagesFrom = (typeof NEW_MESSAGES_FROM)[number]

/** Who may start to write to the member: optimistic, and the last choice wins; a failure is only logged. */
export function useNewMessagesFrom(): [chosen: string, change: (wanted: NewMessagesFrom) => void] {
  const { id, profile } = useMe()
  const { mutate, isPending, variables } = useMutation({
    scope: { id: 'new messages from' },
    mutationFn: async (wanted: NewMessagesFrom) => {
      const update = { new_messages_from: wanted }
      await unwrap(supabase().from('profiles').update(update).eq('id', id))
      await refreshProfile({ id, ...update }).catch((cause: unknown) => logFailure('refresh profile', cause))
    },
    meta: { action: 'save who can write' },
  })
  return [isPending && variables !== undefined ? variables : profile.new_messages_from, mutate]
}
