import type { AppError, ErrorCode } from '#/renderer/lib/errors'
import { texts } from '#/renderer/lib/texts'

/** What an auth form shows for a failure: the service's message or the form's own, and a hint if there is one. */
export interface AuthProblem {
  message: string
  advice: string | null
}

/** @param fallback the form's message if the service has none (error catalogue of the spec) */
export function describeAuthError(error: AppError, fallback: string): AuthProblem {
  const message = error.message === '' ? fallback : error.message
  return { message, advice: adviceFor(error.code) }
}

function adviceFor(code: ErrorCode): string | null {
  if (code === 'offline') return texts.auth.offline
  if (code === 'mail-refused') return texts.auth.mailRefused
  return code === 'rate-limited' ? texts.auth.tooManyTries : null
}
