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

/** What is wrong with a field, in words; nothing for a field that is right. */
export type FieldErrors = Partial<Record<'fullName' | 'username' | 'email', string>>

/** What the form can tell before the server is asked. Texts that are too long are told, never cut: nothing typed is lost. */
export function checkSignUp({ fullName, username, email }: SignUpValues): FieldErrors {
  return {
    ...(codePoints(fullName) > TEXT_LIMITS.fullName && { fullName: texts.limits.fullName }),
    ...(!isUsername(username) && { username: texts.auth.usernameInvalid }),
    ...(email.length > EMAIL_MAX && { email: texts.limits.email }),
  }
}
