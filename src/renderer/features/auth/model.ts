import { codePoints } from '#/renderer/lib/content/rich-text'
import type { AppError, ErrorCode } from '#/renderer/lib/core/errors'
import { texts } from '#/renderer/lib/texts'
import { EMAIL_MAX, TEXT_LIMITS, USERNAME_PATTERN } from '#/shared/limits'

/** What an auth form shows for a failure: the service's message or the form's own, and a hint if there is one. */
export interface AuthProblem {
  message: string
  advice: string | null
}

/** @param fallback message of the form (spec, error catalogue), for errors without a message of the service */
export function describeAuthError(error: AppError, fallback: string): AuthProblem {
  const message = error.message === '' ? fallback : error.message
  return { message, advice: adviceFor(error.code) }
}

function adviceFor(code: ErrorCode): string | null {
  if (code === 'offline') return texts.access.offline
  if (code === 'mail-refused') return texts.access.mailRefused
  return code === 'rate-limited' ? texts.access.tooManyTries : null
}

const INVALID_IN_USERNAME = /[^a-z0-9._]/gu

/**
 * Lowercases a username while it is typed and drops invalid characters. Length and dots at the ends are checked on
 * submit.
 */
export function typedUsername(value: string): string {
  return value.toLowerCase().replace(INVALID_IN_USERNAME, '')
}

/** The first character that `typedUsername` drops, or null. */
export function rejectedCharacter(value: string): string | null {
  return value.toLowerCase().match(INVALID_IN_USERNAME)?.[0] ?? null
}

/** Whether the database accepts this username. */
export function isUsername(value: string): boolean {
  return USERNAME_PATTERN.test(value)
}

export interface SignUpValues {
  fullName: string
  username: string
  email: string
  password: string
}

/** Error messages by field. */
export type FieldErrors = Partial<Record<'fullName' | 'username' | 'email' | 'password', string>>

/** Validation before the request, of all fields at once. Texts that are too long are reported, never truncated. */
export function checkSignUp({ fullName, username, email, password }: SignUpValues): FieldErrors {
  const { missing, emailInvalid } = texts.auth
  const errors = {
    fullName:
      fullName === ''
        ? missing.fullName
        : codePoints(fullName) > TEXT_LIMITS.fullName
          ? texts.limits.fullName
          : null,
    username: isUsername(username) ? null : texts.access.usernameInvalid,
    email:
      email === ''
        ? missing.email
        : email.length > EMAIL_MAX
          ? texts.limits.email
          : EMAIL.test(email)
            ? null
            : emailInvalid,
    password: password === '' ? missing.password : null,
  }
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== null))
}

/** Looser than the check of browsers, but without what separates addresses, encloses them or is markup. The server decides. */
const EMAIL = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/
