import { isUsername } from '#/renderer/features/auth'
import { createEditDrafts } from '#/renderer/lib/edit-drafts'
import { exceeds } from '#/renderer/lib/rich-text'
import { texts } from '#/renderer/lib/texts'
import type { Tables, TablesUpdate } from '#/shared/database.types'
import { TEXT_LIMITS } from '#/shared/limits'
import { isWebsite, withScheme } from './website'

/** The part of a profile that its owner edits as a form. */
export type EditableProfile = Pick<
  Tables<'profiles'>,
  'username' | 'full_name' | 'bio' | 'website' | 'avatar_url'
>

/** The texts of the form. */
export interface ProfileTexts {
  username: string
  fullName: string
  bio: string
  website: string
}

/** What stands in the form. */
export interface ProfileValues extends ProfileTexts {
  avatarUrl: string | null
}

/** Unsaved changes to the member's own profile; a chosen picture is not kept. */
export const profileEdits = createEditDrafts<ProfileTexts>('profile-edit', [
  'username',
  'fullName',
  'bio',
  'website',
])

/** A member has one profile. */
export const PROFILE_EDIT = 'own'

/** What is wrong with a field, in words; nothing for a field that is right. `bio` says it itself, by counting. */
export type ProfileErrors = Partial<Record<'username' | 'fullName' | 'website', string>>

export function textsOf({ username, full_name, bio, website }: EditableProfile): ProfileTexts {
  return { username, fullName: full_name, bio, website: website ?? '' }
}

/** What the form can tell before the server is asked. */
export function checkProfile({ username, fullName, website }: ProfileValues): ProfileErrors {
  return {
    ...(!isUsername(username) && { username: texts.auth.usernameInvalid }),
    ...(exceeds(fullName, TEXT_LIMITS.fullName) && { fullName: texts.limits.fullName }),
    ...checkWebsite(website),
  }
}

export function checkWebsite(typed: string): Pick<ProfileErrors, 'website'> {
  const website = withScheme(typed)
  if (website === '') return {}
  if (!isWebsite(website)) return { website: texts.editProfile.websiteInvalid }
  return exceeds(website, TEXT_LIMITS.website) ? { website: texts.editProfile.websiteTooLong } : {}
}

/** The row that is saved (EDIT-03); the picture only when it was changed. */
export function profileUpdate(
  { username, fullName, bio, website, avatarUrl }: ProfileValues,
  before: EditableProfile,
  now: Date,
): TablesUpdate<'profiles'> {
  return {
    username,
    full_name: fullName.trim(),
    bio: bio.trim(),
    website: withScheme(website) || null,
    updated_at: now.toISOString(),
    ...(avatarUrl !== before.avatar_url && { avatar_url: avatarUrl }),
  }
}
