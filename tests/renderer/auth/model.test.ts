import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkSignUp,
  describeAuthError,
  isUsername,
  rejectedCharacter,
  typedUsername,
} from '#/renderer/features/auth/model'
import { toAppError } from '#/renderer/lib/core/errors'
import { texts } from '#/renderer/lib/texts'

const FALLBACK = 'An error occurred during login'
const describeCause = (cause: unknown) => describeAuthError(toAppError(cause), FALLBACK)

describe('AUTH-07 AUTH-09 the problem that a form shows', () => {
  test('is the message of the service', () => {
    expect(describeCause({ code: 'invalid_credentials', message: 'Invalid login credentials' })).toEqual({
      message: 'Invalid login credentials',
      advice: null,
    })
  })

  test.each(['', '{}'])('is the message of the form without a message of the service: %j', (message) => {
    expect(describeCause({ status: 500, message })).toEqual({ message: FALLBACK, advice: null })
  })

  test('has a hint about the connection if the server cannot be reached', () => {
    const { message, advice } = describeCause({
      name: 'AuthRetryableFetchError',
      status: 0,
      message: 'Failed to fetch',
    })
    expect(message).toBe(FALLBACK)
    expect(advice).toBe('The server cannot be reached. Check your connection and try again.')
  })

  test('after too many attempts has a hint to wait', () => {
    expect(describeCause({ status: 429, message: 'Request rate limit reached' })).toEqual({
      message: 'Request rate limit reached',
      advice: 'Wait a few minutes, then try again.',
    })
  })
})

const RIGHT = {
  fullName: 'Noor Haddad',
  username: 'noor',
  email: 'noor@example.com',
  password: 'correct horse',
}

describe('AUTH-08 the validation of the sign-up form', () => {
  test('accepts values within the limits', () => {
    expect(checkSignUp(RIGHT)).toEqual({})
    expect(
      checkSignUp({ ...RIGHT, fullName: '🎞'.repeat(80), email: `${'e'.repeat(242)}@example.com` }),
    ).toEqual({})
  })

  test('reports each text over its limit at its field', () => {
    const errors = checkSignUp({
      ...RIGHT,
      fullName: 'n'.repeat(81),
      username: 'ab',
      email: `${'e'.repeat(243)}@example.com`,
    })
    expect(Object.keys(errors).sort()).toEqual(['email', 'fullName', 'username'])
  })

  test('AUTH-08 reports all empty fields at once', () => {
    expect(checkSignUp({ fullName: '', username: '', email: '', password: '' })).toEqual({
      fullName: texts.auth.missing.fullName,
      username: texts.access.usernameInvalid,
      email: texts.auth.missing.email,
      password: texts.auth.missing.password,
    })
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

  test('is not truncated: a long username is invalid', () => {
    expect(typedUsername('u'.repeat(31))).toHaveLength(31)
    expect(isUsername('u'.repeat(31))).toBe(false)
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
