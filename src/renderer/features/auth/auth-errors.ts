import type { AppError, ErrorCode } from '#/renderer/lib/errors'
import { texts } from '#/renderer/lib/texts'

/** What an auth form says about a failure: the service's own words, or the form's; and what may help, if we know. */
export interface AuthProblem {
  message: string
  advice: string | null
}

/** @param fallback what the form says when the service has no words (error catalogue of the spec). */
export function describeAuthError(error: AppError, fallback: string): AuthProblem {
  const message = error.message === '' ? fallback : error.message
  return { message, advice: adviceFor(error.code) }
}

function adviceFor(code: ErrorCode): string | null {
  if (code === 'offline') return texts.auth.offline
  if (code === 'mail-refused') return texts.auth.mailRefused
  return code === 'rate-limited' ? texts.auth.tooManyTries : null
}
