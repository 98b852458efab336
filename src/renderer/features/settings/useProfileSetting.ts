import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refreshProfile, useMe } from '#/renderer/features/auth'
import { logFailure } from '#/renderer/lib/logger'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { createToggleSync } from '#/renderer/lib/toggle-sync'

/** Settings that are columns of the profile. */
export type ProfileSetting = 'is_private' | 'show_activity_status' | 'allow_story_replies'

/** At module level, so that the last press wins even if the screen is left immediately. */
const sync = createToggleSync()

/** A setting of the member's profile: optimistic; a failure is only logged (SET-02). */
export function useProfileSetting(setting: ProfileSetting): [isOn: boolean, change: (isOn: boolean) => void] {
  const { id, profile } = useMe()
  const client = useQueryClient()
  const key = `${id} ${setting}`
  const [isOn, setIsOn] = useState(() => sync.desired(key) ?? profile[setting])

  const save = async (wanted: boolean) => {
    const update: Partial<Record<ProfileSetting, boolean>> = { [setting]: wanted }
    await unwrap(supabase().from('profiles').update(update).eq('id', id))
    await refreshProfile({ id, ...update }).catch((cause: unknown) => logFailure('refresh profile', cause))
    // Privacy also affects requests and followers.
    void client.invalidateQueries()
  }

  const change = (wanted: boolean) => {
    setIsOn(wanted)
    void sync.set(key, isOn, wanted, {
      send: save,
      onFailed: (_, cause) => logFailure(`save ${setting}`, cause),
    })
  }
  return [isOn, change]
}
