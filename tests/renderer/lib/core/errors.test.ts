import { describe, expect, test } from 'vitest'
import { AppError, assertNever, toAppError } from '#/renderer/lib/core/errors'

describe('the AppError of a Supabase error', () => {
  test.each([
    [{ name: 'AuthApiError', status: 400, code: 'invalid_credentials' }, 'credentials'],
    [{ name: 'AuthWeakPasswordError', status: 422, code: 'weak_password' }, 'weak-password'],
    [{ name: 'AuthApiError', status: 403, code: 'otp_expired' }, 'code-wrong'],
    [{ name: 'AuthApiError', status: 422, code: 'user_already_exists' }, 'conflict'],
    [{ name: 'AuthApiError', status: 429 }, 'rate-limited'],
    [{ name: 'AuthRetryableFetchError', status: 503 }, 'server'],
    [{ name: 'AuthRetryableFetchError' }, 'offline'],
    [{ name: 'AuthApiError', status: 400, code: 'email_address_not_authorized' }, 'mail-refused'],
    [{ name: 'AuthRetryableFetchError', status: 0 }, 'offline'],
    [{ message: 'TypeError: Failed to fetch', code: '' }, 'offline'],
    [{ message: 'TimeoutError: signal timed out', code: '' }, 'offline'],
    [{ code: '23505' }, 'conflict'],
    [{ code: '23514' }, 'invalid'],
    [{ code: '42501' }, 'forbidden'],
    [{ code: 'PT403' }, 'forbidden'],
    [{ code: 'PT428' }, 'password-needed'],
    [{ code: 'reauthentication_needed', status: 400 }, 'password-needed'],
    [{ name: 'AuthSessionMissingError', status: 400 }, 'session-expired'],
    [{ code: 'PT429' }, 'rate-limited'],
    [{ code: 'PGRST303' }, 'session-expired'],
    [{ code: 'XX000', message: 'internal error' }, 'server'],
    [{ code: 'constructor' }, 'server'],
    [{ code: '__proto__' }, 'server'],
    [new Error('boom'), 'server'],
    ['a text', 'server'],
    [null, 'server'],
    [undefined, 'server'],
  ])('%o is %s', (cause, code) => {
    expect(toAppError(cause).code).toBe(code)
  })

  test.each([
    [400, 'P0001', 'refused'],
    [403, '28000', 'refused'],
    [404, 'PGRST205', 'refused'],
    [413, undefined, 'refused'],
    [409, '40P01', 'refused'],
    [401, 'PGRST302', 'server'],
    [408, undefined, 'server'],
    [429, undefined, 'rate-limited'],
    [500, '57014', 'server'],
    [503, 'PGRST001', 'server'],
    [504, undefined, 'server'],
    [0, '', 'offline'],
    [400, '23514', 'invalid'],
  ])('MSG-09 what nobody here knows goes by its status: %d with code %s is %s', (status, code, expected) => {
    expect(toAppError({ code, message: 'what the server says' }, status).code).toBe(expected)
  })

  test.each([
    [500, 'XX000', 500],
    [500, undefined, 500],
    [503, undefined, 503],
    [504, 'PGRST003', 504],
    [502, undefined, undefined],
    [504, '', undefined],
    [400, 'P0001', undefined],
    [0, '', undefined],
  ])('MSG-04 a status of %d with code %s has the server status %s', (status, code, serverStatus) => {
    expect(toAppError({ code, message: 'internal error' }, status).serverStatus).toBe(serverStatus)
  })

  test('has no message for the HTML page of a gateway', () => {
    expect(toAppError({ name: 'AuthApiError', message: '<b>bold</b> words', status: 400 }).message).toBe(
      '<b>bold</b> words',
    )
    expect(toAppError({ message: '<html>413 Request Entity Too Large</html>' }, 413).message).toBe('')
  })

  test('keeps the message of the service, not that of the browser', () => {
    expect(toAppError({ code: 'weak_password', message: 'Password is too weak' }).message).toBe(
      'Password is too weak',
    )
    expect(toAppError(new TypeError('Failed to fetch')).message).toBe('')
    expect(toAppError({ code: '23505' }).message).toBe('')
  })

  test.each([
    [{ message: 'Error sending confirmation email', status: 500 }, 'Error sending confirmation email'],
    [{ message: 'Service is under maintenance', status: 503 }, 'Service is under maintenance'],
    [{ message: 'HTTP 502', status: 502 }, ''],
    [{ message: 'Service Unavailable', status: 503 }, ''],
    [{ message: '{}', status: 500 }, ''],
    [{ message: 'fetch failed', status: 0 }, ''],
  ])('AUTH-14 keeps the message of a 5xx response, not its number or reason phrase: %o', (cause, message) => {
    expect(toAppError({ name: 'AuthRetryableFetchError', ...cause }).message).toBe(message)
  })

  test('has only codes in its detail, no text of a member', () => {
    const cause = {
      name: 'AuthApiError',
      status: 422,
      code: 'email_exists',
      message: 'mara@example.com exists',
    }
    const error = toAppError(cause)
    expect(error.detail).toBe('AuthApiError 422 email_exists')
    expect(error.cause).toBe(cause)
  })

  test('is the AppError itself', () => {
    const error = new AppError('conflict', '', '23505')
    expect(toAppError(error)).toBe(error)
  })

  test('an impossible case throws', () => {
    expect(() => assertNever('surprise' as never)).toThrow('surprise')
  })
})

test('a message of millions of characters is cut', () => {
  expect(toAppError({ code: '23514', message: 'a'.repeat(5_000_000) }).message).toHaveLength(1_000)
})
