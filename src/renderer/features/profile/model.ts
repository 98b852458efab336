import { isUsername } from '#/renderer/features/auth'
import { exceeds } from '#/renderer/lib/content/rich-text'
import type { TopicKind } from '#/renderer/lib/content/topics'
import { isDisguised } from '#/renderer/lib/content/web-address'
import { createEditDrafts } from '#/renderer/lib/local/draft-store'
import { texts } from '#/renderer/lib/texts'
import type { Tables, TablesUpdate } from '#/shared/database.types'
import { beginning } from '#/shared/graphemes'
import { GRID_TEXT_PREVIEW, TEXT_LIMITS } from '#/shared/limits'
import { trimText } from '#/shared/visible-text'
import { isWebsite, withScheme } from './website'

/** Preview of a post without a picture: at most its first 50 code points, always followed by '...' (PROF-06). */
export function gridPreview(content: string): string {
  return `${beginning(content, GRID_TEXT_PREVIEW)}...`
}

/** The editable part of a profile. */
export type EditableProfile = Pick<
  Tables<'profiles'>,
  'username' | 'full_name' | 'bio' | 'website' | 'avatar_url' | 'avatar_path'
>

export interface ProfileTexts {
  username: string
  fullName: string
  bio: string
  website: string
}

/** A new profile picture; null for none. */
export type NewPicture = Blob | null

/** Unsaved changes to the member's own profile, without a chosen picture. */
export const profileEdits = createEditDrafts<ProfileTexts>('profile-edit', [
  'username',
  'fullName',
  'bio',
  'website',
])

/** Draft name: a member has only one profile. */
export const PROFILE_EDIT = 'own'

/** Error messages by field. There is no message for `bio`, because its counter shows the problem. */
export type ProfileErrors = Partial<Record<'username' | 'fullName' | 'website', string>>

export function textsOf({ username, full_name, bio, website }: EditableProfile): ProfileTexts {
  return { username, fullName: full_name, bio, website: website ?? '' }
}

/** Validation before the request. */
export function checkProfile(
  { username, fullName, website }: ProfileTexts,
  stored: ProfileTexts,
): ProfileErrors {
  return {
    ...(!isUsername(username) && { username: texts.access.usernameInvalid }),
    ...(exceeds(fullName, TEXT_LIMITS.fullName) && { fullName: texts.limits.fullName }),
    ...checkWebsite(website, stored.website),
  }
}

/** @param stored accepted as it is: older versions allowed more */
export function checkWebsite(typed: string, stored: string): Pick<ProfileErrors, 'website'> {
  const website = withScheme(typed)
  if (website === '' || website === stored) return {}
  if (isDisguised(website)) return { website: texts.editProfile.websiteDisguised }
  if (!isWebsite(website)) return { website: texts.editProfile.websiteInvalid }
  return exceeds(website, TEXT_LIMITS.website) ? { website: texts.editProfile.websiteTooLong } : {}
}

/** The texts of the row to save (EDIT-03). */
export function profileUpdate(
  { username, fullName, bio, website }: ProfileTexts,
  now: Date,
): TablesUpdate<'profiles'> {
  return {
    username,
    full_name: trimText(fullName),
    bio: trimText(bio),
    website: withScheme(website) || null,
    updated_at: now.toISOString(),
  }
}

/** A member's own posts, saved posts, or posts they are tagged in. */
export type ProfileGridKind = 'posts' | 'saved' | 'tagged'

/** Posts of a member, with a hashtag, of a place, or recent photos. */
export type GridKind = ProfileGridKind | TopicKind | 'explore' | 'search'
