import { describe, expect, test } from 'vitest'
import { describeAuthError } from '#/renderer/features/auth/auth-errors'
import { toAppError } from '#/renderer/lib/errors'

const FALLBACK = 'An error occurred during login'
const describeCause = (cause: unknown) => describeAuthError(toAppError(cause), FALLBACK)

describe('AUTH-07 AUTH-09 what a form says about a failure', () => {
  test('the service’s own words', () => {
    expect(describeCause({ code: 'invalid_credentials', message: 'Invalid login credentials' })).toEqual({
      message: 'Invalid login credentials',
      advice: null,
    })
  })

  test.each(['', '{}'])('the form’s words when the service has none but %j', (message) => {
    expect(describeCause({ status: 500, message })).toEqual({ message: FALLBACK, advice: null })
  })

  test('what may help when the server was not reached', () => {
    const { message, advice } = describeCause({
      name: 'AuthRetryableFetchError',
      status: 0,
      message: 'Failed to fetch',
    })
    expect(message).toBe(FALLBACK)
    expect(advice).toBe('The server cannot be reached. Check your connection and try again.')
  })

  test('how long to wait after too many tries', () => {
    expect(describeCause({ status: 429, message: 'Request rate limit reached' })).toEqual({
      message: 'Request rate limit reached',
      advice: 'Wait a few minutes, then try again.',
    })
  })
})
