import { describe, expect, test } from 'vitest'
import {
  checkProfile,
  type EditableProfile,
  profileUpdate,
  textsOf,
} from '#/renderer/features/profile/edit/profile-form'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'

const PROFILE: EditableProfile = {
  username: 'mara',
  full_name: 'Mara Lind',
  bio: 'Up on the hill',
  website: null,
  avatar_url: 'data:image/webp;base64,AA==',
}
const NOW = new Date('2026-11-21T12:00:00.000Z')
const VALUES = { ...textsOf(PROFILE), avatarUrl: PROFILE.avatar_url }

describe('EDIT-03 what is saved', () => {
  test('has exactly these columns when the picture is the same', () => {
    expect(profileUpdate({ ...VALUES, fullName: ' Mara  L. ' }, PROFILE, NOW)).toEqual({
      username: 'mara',
      full_name: 'Mara  L.',
      bio: 'Up on the hill',
      website: null,
      updated_at: '2026-11-21T12:00:00.000Z',
    })
  })

  test('has the picture when it was changed, and null when it was removed', () => {
    const avatarUrl = 'data:image/webp;base64,AQ=='
    expect(profileUpdate({ ...VALUES, avatarUrl }, PROFILE, NOW).avatar_url).toBe(avatarUrl)
    expect(profileUpdate({ ...VALUES, avatarUrl: null }, PROFILE, NOW).avatar_url).toBeNull()
  })

  test('has a website with its scheme, or null', () => {
    const website = (typed: string) => profileUpdate({ ...VALUES, website: typed }, PROFILE, NOW).website
    expect(website('example.com')).toBe('https://example.com')
    expect(website('  ')).toBeNull()
  })
})

describe('EDIT-02 what is refused before the server is asked', () => {
  test('nothing of a profile as it is', () => {
    expect(checkProfile(VALUES)).toEqual({})
  })

  test.each(['', 'ab', '.mara', 'mara.', 'a'.repeat(31)])('the username %j', (username) => {
    expect(checkProfile({ ...VALUES, username })).toEqual({ username: texts.auth.usernameInvalid })
  })

  test('a name that is too long, counted in code points', () => {
    const fits = '🌄'.repeat(TEXT_LIMITS.fullName)
    expect(checkProfile({ ...VALUES, fullName: fits })).toEqual({})
    expect(checkProfile({ ...VALUES, fullName: `${fits}.` })).toEqual({ fullName: texts.limits.fullName })
  })

  test('a website that cannot be linked, or is too long', () => {
    expect(checkProfile({ ...VALUES, website: 'javascript:alert(1)' })).toEqual({
      website: texts.editProfile.websiteInvalid,
    })
    expect(checkProfile({ ...VALUES, website: `example.com/${'a'.repeat(TEXT_LIMITS.website)}` })).toEqual({
      website: texts.editProfile.websiteTooLong,
    })
    expect(checkProfile({ ...VALUES, website: '' })).toEqual({})
  })
})
