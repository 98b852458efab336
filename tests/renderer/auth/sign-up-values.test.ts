import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkSignUp } from '#/renderer/features/auth/sign-up-values'
import { isUsername, typedUsername } from '#/renderer/features/auth/username'

const RIGHT = {
  fullName: 'Noor Haddad',
  username: 'noor',
  email: 'noor@example.com',
  password: 'correct horse',
}

describe('AUTH-08 what the sign-up form can tell by itself', () => {
  test('nothing is wrong with what fits', () => {
    expect(checkSignUp(RIGHT)).toEqual({})
    expect(
      checkSignUp({ ...RIGHT, fullName: '🎞'.repeat(80), email: `${'e'.repeat(242)}@example.com` }),
    ).toEqual({})
  })

  test('each text over its limit is told beside its field', () => {
    const errors = checkSignUp({
      ...RIGHT,
      fullName: 'n'.repeat(81),
      username: 'ab',
      email: `${'e'.repeat(243)}@example.com`,
    })
    expect(Object.keys(errors).sort()).toEqual(['email', 'fullName', 'username'])
  })
})

describe('a username while it is typed', () => {
  test.each([
    ['Ada.Lovelace', 'ada.lovelace'],
    ['ada lovelace', 'adalovelace'],
    ['<script>', 'script'],
    ['ÅDA', 'da'],
    ['ada_1815!', 'ada_1815'],
  ])('%s becomes %s', (typed, shown) => {
    expect(typedUsername(typed)).toBe(shown)
  })

  test('it is not cut: that it is too long is told', () => {
    expect(typedUsername('u'.repeat(31))).toHaveLength(31)
    expect(isUsername('u'.repeat(31))).toBe(false)
  })

  test('typing it twice changes nothing more', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (typed) => {
        const shown = typedUsername(typed)
        expect(typedUsername(shown)).toBe(shown)
        expect(shown).toMatch(/^[a-z0-9._]*$/)
      }),
    )
  })
})

describe('a username as the database takes it', () => {
  test.each(['ada', 'a.b', '_a_', '123', 'u'.repeat(30)])('%s is one', (name) => {
    expect(isUsername(name)).toBe(true)
  })

  test.each(['', 'ab', '.ada', 'ada.', 'Ada', 'a b', 'a-b', 'ada\n', 'u'.repeat(31)])(
    '%j is none',
    (name) => {
      expect(isUsername(name)).toBe(false)
    },
  )
})
