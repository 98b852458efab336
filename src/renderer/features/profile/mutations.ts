import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refreshProfile } from '#/renderer/features/auth'
import { logFailure } from '#/renderer/lib/logger'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import type { TablesUpdate } from '#/shared/database.types'
import { PROFILE_EDIT, type ProfileTexts, profileEdits } from './model'

interface ProfileEdit {
  update: TablesUpdate<'profiles'>
  /** The form's texts from which the update was built. */
  typed: ProfileTexts
}

/** Saves the member's profile. Fails with an `AppError`; `conflict` if the username is taken. */
export function useSaveProfileMutation(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ update }: ProfileEdit) =>
      unwrap(supabase().from('profiles').update(update).eq('id', id).select('username').single()),
    meta: { action: 'save profile' },
    onSuccess: async ({ username }, { update: { full_name, avatar_url }, typed }) => {
      profileEdits.markSaved(id, PROFILE_EDIT, typed)
      const saved = {
        id,
        username,
        ...(full_name !== undefined && { full_name }),
        ...(avatar_url !== undefined && { avatar_url }),
      }
      await refreshProfile(saved).catch((cause: unknown) => logFailure('refresh profile', cause))
      // Cached posts, comments and messages contain the old name and picture.
      client.removeQueries({ type: 'inactive' })
      void client.invalidateQueries()
    },
  })
}
