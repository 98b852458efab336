import { isUuid } from '#/renderer/lib/core/uuid'
import { isObject } from './checked-values'

function isAccount(value: unknown): boolean {
  return isObject(value) && typeof value.id === 'string' && isUuid(value.id)
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}

/** Characters of a token, whose claims are parsed again and again. A member's has about a thousand. */
const TOKEN_CHARACTERS_MAX = 16_384

function isToken(value: unknown): boolean {
  return typeof value === 'string' && value.length <= TOKEN_CHARACTERS_MAX
}

/** Whether GoTrue may have sent this: a session with its account, or the account alone. */
function isAnswer(value: unknown): boolean {
  if (!isObject(value)) return false
  if (value.access_token === undefined) return isAccount(value)
  const { access_token, refresh_token, expires_in, expires_at, user } = value
  return (
    isToken(access_token) &&
    isToken(refresh_token) &&
    isTime(expires_in) &&
    (expires_at === undefined || expires_at === null || isTime(expires_at)) &&
    isAccount(user)
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The same response of GoTrue, or a failure of the server if it contains neither a session nor an account. */
export async function checkedAnswer(response: Response): Promise<Response> {
  const text = await response.text()
  const { status, statusText, headers } = response
  if (isAnswer(parse(text))) return new Response(text, { status, statusText, headers })
  // auth-js keeps the session after this status.
  return Response.json({ message: '' }, { status: 502, statusText: 'Bad Gateway' })
}
