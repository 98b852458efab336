import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refreshProfile, useMe } from '#/renderer/features/auth'
import { logFailure } from '#/renderer/lib/logger'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { createToggleSync } from '#/renderer/lib/toggle-sync'

/** The settings that a profile row keeps. */
export type ProfileSetting = 'is_private' | 'show_activity_status' | 'allow_story_replies'

/** Outlives the screen: the last press wins also when it is left at once. */
const sync = createToggleSync()

/** A setting of one's profile: it moves at once and is then saved; a failure is only logged (SET-02). */
export function useProfileSetting(setting: ProfileSetting): [isOn: boolean, change: (isOn: boolean) => void] {
  const { id, profile } = useMe()
  const client = useQueryClient()
  const key = `${id} ${setting}`
  const [isOn, setIsOn] = useState(() => sync.desired(key) ?? profile[setting])

  const save = async (wanted: boolean) => {
    const update: Partial<Record<ProfileSetting, boolean>> = { [setting]: wanted }
    await unwrap(supabase().from('profiles').update(update).eq('id', id))
    await refreshProfile({ id, ...update }).catch((cause: unknown) => logFailure('refresh profile', cause))
    // Privacy also decides on requests and followers.
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
