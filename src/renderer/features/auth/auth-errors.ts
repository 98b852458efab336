import type { AppError } from '#/renderer/lib/errors'
import { texts } from '#/renderer/lib/texts'

/** What an auth form says about a failure: the service's own words, or the form's; and what may help, if we know. */
export interface AuthProblem {
  message: string
  advice: string | null
}

/** @param fallback what the form says when the service has no words (error catalogue of the spec). */
export function describeAuthError(error: AppError, fallback: string): AuthProblem {
  if (error.code === 'rate-limited') return { message: texts.auth.tooManyTries, advice: null }
  const message = error.message === '' || error.message === '{}' ? fallback : error.message
  return { message, advice: error.code === 'offline' ? texts.auth.offline : null }
}
