import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkSignUp, isUsername, rejectedCharacter, typedUsername } from '#/renderer/features/auth/model'
import { texts } from '#/renderer/lib/texts'

const RIGHT = {
  fullName: 'Noor Haddad',
  username: 'noor',
  email: 'noor@example.com',
  password: 'correct horse',
}

describe('AUTH-08 the validation of the sign-up form', () => {
  test('AUTH-08 reports all empty fields at once', () => {
    expect(checkSignUp({ fullName: '', username: '', email: '', password: '' })).toEqual({
      fullName: texts.auth.missing.fullName,
      username: texts.access.usernameInvalid,
      email: texts.auth.missing.email,
      password: texts.auth.missing.password,
    })
  })

  test('accepts values within the limits', () => {
    expect(checkSignUp(RIGHT)).toEqual({})
    expect(
      checkSignUp({ ...RIGHT, fullName: '🎞'.repeat(80), email: `${'e'.repeat(242)}@example.com` }),
    ).toEqual({})
  })

  test.each([
    'mara',
    '@example.com',
    'mara@',
    'mara lind@example.com',
    'a@b@c',
    '<script>mara@example.com',
    'Mara <mara@example.com>',
    'mara@example.com;x',
  ])('AUTH-08 reports an e-mail that is none: %s', (email) => {
    expect(checkSignUp({ ...RIGHT, email })).toEqual({ email: texts.auth.emailInvalid })
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

  test.each([
    ['Ada_1.0', null],
    ['ada lovelace', ' '],
    ['zoë', 'ë'],
    ['ada👍', '👍'],
  ])('%j names the rejected character %j', (typed, character) => {
    expect(rejectedCharacter(typed)).toBe(character)
  })

  test('does not change when it is typed again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (typed) => {
        const shown = typedUsername(typed)
        expect(typedUsername(shown)).toBe(shown)
        expect(shown).toMatch(/^[a-z0-9._]*$/)
      }),
    )
  })
})

describe('a username of the database', () => {
  test.each(['ada', 'a.b', '_a_', '123', 'u'.repeat(30)])('%s is valid', (name) => {
    expect(isUsername(name)).toBe(true)
  })

  test.each(['', 'ab', '.ada', 'ada.', 'Ada', 'a b', 'a-b', 'ada\n', 'u'.repeat(31)])(
    '%j is invalid',
    (name) => {
      expect(isUsername(name)).toBe(false)
    },
  )
})
