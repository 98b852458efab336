import { codePoints } from '#/renderer/lib/rich-text'
import { texts } from '#/renderer/lib/texts'
import { EMAIL_MAX, TEXT_LIMITS } from '#/shared/limits'
import { isUsername } from './username'

export interface SignUpValues {
  fullName: string
  username: string
  email: string
  password: string
}

/** Error messages by field. */
export type FieldErrors = Partial<Record<'fullName' | 'username' | 'email', string>>

/** Validation before the request. Texts that are too long are reported, never truncated. */
export function checkSignUp({ fullName, username, email }: SignUpValues): FieldErrors {
  return {
    ...(codePoints(fullName) > TEXT_LIMITS.fullName && { fullName: texts.limits.fullName }),
    ...(!isUsername(username) && { username: texts.auth.usernameInvalid }),
    ...(email.length > EMAIL_MAX && { email: texts.limits.email }),
  }
}
