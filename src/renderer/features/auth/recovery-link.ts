import { create } from 'zustand'
import { serverNow } from '#/renderer/lib/core/clock-store'
import { toAppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { showToast } from '#/renderer/lib/core/toasts'
import { tokenClaims } from '#/renderer/lib/server/session/token-claims'
import type { Session } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import type { DesktopBridge } from '#/shared/bridge'
import { LINK_SCHEME } from '#/shared/routes'
import { isLoopbackHost } from '#/shared/server'
import { type AuthProblem, describeAuthError } from './model'
import { openRecoverySession } from './mutations'
import { forgetRecovery, requestedEmail } from './recovery-request'
import { holdRecovery, releaseHold, sessionKnown, signOut } from './session-store'
import { type Tokens, verifyLink } from './verify-link'

/** Why the last recovery link failed, until the member leaves the recovery screen. */
export const useRecoveryLink = create<{ problem: AuthProblem | null }>(() => ({ problem: null }))

/** The target of the link in a recovery mail: the app, or this page in a browser. */
export function recoveryRedirect(host: DesktopBridge['host']): string {
  return host === 'electron' ? `${LINK_SCHEME}://auth` : `${location.origin}/login`
}

/** The e-mail address, expiry in seconds and issuer in an unverified access token; null if the address or the expiry is missing. */
function claimsOf(accessToken: string): { email: string; exp: number; iss: unknown } | null {
  const { email, exp, iss } = tokenClaims(accessToken) ?? {}
  return typeof email === 'string' && typeof exp === 'number'
    ? { email: email.toLowerCase(), exp, iss }
    : null
}

/** The host in an address; null if it is none. One computer's own addresses are the same host. */
function hostOf(address: unknown): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return null
  const { host, hostname, port } = new URL(address)
  return isLoopbackHost(hostname) ? `localhost:${port}` : host || null
}

/**
 * Whether an access token names another server as its issuer. This server could have made that server send its mail, and would get
 * its tokens. Auth names its own public address; a token that names no address is left to the other checks.
 */
function isOfOtherServer(iss: unknown): boolean {
  const issuer = hostOf(iss)
  return issuer !== null && issuer !== hostOf(useServerInfo.getState().server?.url)
}

/**
 * Opens the session of a recovery link, so that the member can set a new password. Stores and shows nothing of it until
 * the server has said that it belongs to the account for which the mail was requested. Shows an error if that fails.
 * Never rejects.
 */
export async function openRecoveryLink(fragment: string): Promise<void> {
  const values = new URLSearchParams(fragment)
  const [access_token, refresh_token] = [values.get('access_token'), values.get('refresh_token')]
  const hasFailed = values.has('error_code')
  if (values.get('type') !== 'recovery' && !hasFailed) return
  if (!(await canOpen())) return
  if (hasFailed || access_token === null || refresh_token === null) return refuse(texts.access.linkExpired)
  try {
    const session = await verifiedSession({ access_token, refresh_token })
    if (typeof session === 'string') return refuse(session)
    if (await canOpen()) await openVerified(session)
  } catch (cause) {
    const error = toAppError(cause)
    logFailure('open recovery link', error)
    useRecoveryLink.setState({ problem: describeAuthError(error, texts.access.linkExpired) })
  }
}

/** The session of a link, or why it is refused. */
async function verifiedSession(link: Tokens): Promise<Session | string> {
  const email = requestedEmail()
  const claims = claimsOf(link.access_token)
  if (email === null || claims?.email !== email) return texts.access.linkNotAsked
  // Before its tokens are sent anywhere.
  if (isOfOtherServer(claims.iss)) return texts.access.linkOfOtherServer
  const session = await verifyLink(link, email)
  if (session === 'other-account') return texts.access.linkNotAsked
  // After the responses, which have the server's time.
  return session === 'invalid' || claims.exp * 1_000 <= serverNow() ? texts.access.linkExpired : session
}

async function openVerified(session: Session): Promise<void> {
  holdRecovery(session.user.id)
  try {
    const opened = await openRecoverySession(session)
    if (opened === session.user.id) {
      forgetRecovery()
      return useRecoveryLink.setState({ problem: null })
    }
  } catch (cause) {
    releaseHold()
    throw cause
  }
  await signOut()
  refuse(texts.access.linkNotAsked)
}

/** Whether nobody is signed in; otherwise says why the link does not open. */
async function canOpen(): Promise<boolean> {
  const isOpen = (await sessionKnown()).status === 'signed-out'
  if (!isOpen) showToast({ text: texts.access.linkSignedIn })
  return isOpen
}

function refuse(message: string): void {
  useRecoveryLink.setState({ problem: { message, advice: null } })
}
