import { describe, expect, test } from 'vitest'
import {
  checkProfile,
  type EditableProfile,
  gridPreview,
  profileUpdate,
  textsOf,
} from '#/renderer/features/profile/model'
import { withScheme } from '#/renderer/features/profile/website'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'

const PROFILE: EditableProfile = {
  username: 'mara',
  full_name: 'Mara Lind',
  bio: 'Up on the hill',
  website: null,
  avatar_url: 'data:image/webp;base64,AA==',
  avatar_path: null,
}
const NOW = new Date('2026-11-21T12:00:00.000Z')
const VALUES = textsOf(PROFILE)

describe('EDIT-03 the saved row', () => {
  test('contains exactly these columns besides the picture', () => {
    expect(profileUpdate({ ...VALUES, fullName: ' Mara  L. ' }, NOW)).toEqual({
      username: 'mara',
      full_name: 'Mara  L.',
      bio: 'Up on the hill',
      website: null,
      updated_at: '2026-11-21T12:00:00.000Z',
    })
  })

  test('contains no name or bio of invisible characters', () => {
    expect(profileUpdate({ ...VALUES, fullName: '\u3164', bio: ' \u2800\u200d' }, NOW)).toMatchObject({
      full_name: '',
      bio: '',
    })
  })

  test('contains the website with its scheme, or null', () => {
    const website = (typed: string) => profileUpdate({ ...VALUES, website: typed }, NOW).website
    expect(website('example.com')).toBe('https://example.com')
    expect(website('  ')).toBeNull()
  })
})

describe('EDIT-02 validation before the request', () => {
  test('accepts an unchanged profile', () => {
    expect(checkProfile(VALUES, VALUES)).toEqual({})
  })

  test.each(['', 'ab', '.mara', 'mara.', 'a'.repeat(31)])('rejects the username %j', (username) => {
    expect(checkProfile({ ...VALUES, username }, VALUES)).toEqual({ username: texts.access.usernameInvalid })
  })

  test('rejects a name that is too long in code points', () => {
    const fits = '🌄'.repeat(TEXT_LIMITS.fullName)
    expect(checkProfile({ ...VALUES, fullName: fits }, VALUES)).toEqual({})
    expect(checkProfile({ ...VALUES, fullName: `${fits}.` }, VALUES)).toEqual({
      fullName: texts.limits.fullName,
    })
  })

  test('rejects a website that is unsafe or too long', () => {
    expect(checkProfile({ ...VALUES, website: 'javascript:alert(1)' }, VALUES)).toEqual({
      website: texts.editProfile.websiteInvalid,
    })
    expect(
      checkProfile({ ...VALUES, website: `example.com/${'a'.repeat(TEXT_LIMITS.website)}` }, VALUES),
    ).toEqual({
      website: texts.editProfile.websiteTooLong,
    })
    expect(checkProfile({ ...VALUES, website: '' }, VALUES)).toEqual({})
  })
})

test('ACC-04 a disguised website is refused, unless it is stored', () => {
  for (const website of [
    'exam\u00adple.com',
    'https://google.com@example.com',
    'https://example.com/\u202e',
  ]) {
    expect(checkProfile({ ...VALUES, website }, VALUES)).toEqual({
      website: texts.editProfile.websiteDisguised,
    })
    const stored = { ...VALUES, website: withScheme(website) }
    expect(checkProfile(stored, stored)).toEqual({})
  }
})

test('PROF-06 the preview of a post without a picture is its first 50 characters and three dots', () => {
  expect(gridPreview('short')).toBe('short...')
  expect(gridPreview('x'.repeat(50))).toBe(`${'x'.repeat(50)}...`)
  expect(gridPreview('x'.repeat(51))).toBe(`${'x'.repeat(50)}...`)
})

test('PROF-06 the preview ends before a character that its 50th code point would cut', () => {
  for (const character of ['👨‍👩‍👧‍👦', '🇩🇪', 'e\u0301', '👍🏽'])
    expect(gridPreview(`${'x'.repeat(49)}${character}`)).toBe(`${'x'.repeat(49)}...`)
  expect(gridPreview('🇩🇪'.repeat(30))).toBe(`${'🇩🇪'.repeat(25)}...`)
})
