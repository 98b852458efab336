import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { type OwnProfile, refreshProfile } from '#/renderer/features/auth'
import { logFailure } from '#/renderer/lib/core/logger'
import { rewriteDiskCache } from '#/renderer/lib/disk-cache/persist'
import { removeMedia } from '#/renderer/lib/media-store'
import { upload } from '#/renderer/lib/media-store/upload/store'
import { removeUnusedObjects } from '#/renderer/lib/outbox/unused-objects-store'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import type { TablesUpdate } from '#/shared/database.types'
import { type NewPicture, PROFILE_EDIT, type ProfileTexts, profileEdits, profileUpdate } from './model'

interface ProfileEdit {
  /** The form's texts. */
  typed: ProfileTexts
  /** Undefined to keep the current picture. */
  picture: NewPicture | undefined
  /** The path of the previous picture. */
  oldPath: string | null
}

/** Uploads a new picture. Returns its columns. Throws an `AppError`. */
async function pictureColumns(
  picture: NewPicture | undefined,
): Promise<Pick<TablesUpdate<'profiles'>, 'avatar_url' | 'avatar_path'>> {
  if (picture === undefined) return {}
  if (picture === null) return { avatar_url: null, avatar_path: null }
  void removeUnusedObjects()
  return { avatar_url: null, avatar_path: await upload(picture) }
}

/** Stores columns of the profile with a new picture, which replaces the object of the old one. Throws an `AppError`. */
async function saveProfile(
  id: string,
  texts: TablesUpdate<'profiles'>,
  { picture, oldPath }: Omit<ProfileEdit, 'typed'>,
) {
  const columns = await pictureColumns(picture)
  const update = { ...texts, ...columns }
  try {
    const { username } = await unwrap(
      supabase().from('profiles').update(update).eq('id', id).select('username').single(),
    )
    if (picture !== undefined) void removeMedia([oldPath])
    return { ...update, id, username }
  } catch (cause) {
    // If only the response was lost, the server uses the new picture and refuses to remove it.
    void removeMedia([columns.avatar_path])
    throw cause
  }
}

async function showSaved(
  client: QueryClient,
  { id, username, full_name, avatar_url, avatar_path }: Awaited<ReturnType<typeof saveProfile>>,
): Promise<void> {
  const saved = {
    id,
    username,
    ...(full_name !== undefined && { full_name }),
    ...(avatar_url !== undefined && { avatar_url }),
    ...(avatar_path !== undefined && { avatar_path }),
  }
  await refreshProfile(saved).catch((cause: unknown) => logFailure('refresh profile', cause))
  // Cached posts, comments and messages contain the old name and picture.
  client.removeQueries({ type: 'inactive' })
  void rewriteDiskCache(client)
  void client.invalidateQueries()
}

/** Saves a picture as the member's, in the place of an earlier one. Fails with an `AppError`. */
export function useSavePictureMutation({ id, avatar_path: oldPath }: Pick<OwnProfile, 'id' | 'avatar_path'>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (picture: NonNullable<NewPicture>) =>
      saveProfile(id, { updated_at: new Date().toISOString() }, { picture, oldPath }),
    meta: { action: 'save profile' },
    onSuccess: (saved) => showSaved(client, saved),
  })
}

/** Saves the member's profile. Fails with an `AppError`; `conflict` if the username is taken. */
export function useSaveProfileMutation(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ typed, ...picture }: ProfileEdit) =>
      saveProfile(id, profileUpdate(typed, new Date()), picture),
    meta: { action: 'save profile' },
    onSuccess: async (saved, { typed }) => {
      profileEdits.markSaved(id, PROFILE_EDIT, typed)
      await showSaved(client, saved)
    },
  })
}
