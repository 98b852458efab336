import { create } from 'zustand'
import { toAppError } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'
import { showToast } from '#/renderer/lib/toasts'
import type { DesktopBridge } from '#/shared/bridge'
import { RECOVERY_LINK_HOURS } from '#/shared/limits'
import { LINK_SCHEME } from '#/shared/routes'
import { type AuthProblem, describeAuthError } from './model'
import { openRecoverySession } from './mutations'
import { holdRecovery, releaseHold, sessionKnown } from './session-store'

/** Storage key of the address for which this app requested a recovery mail. */
const ASKED_KEY = 'vignette.recovery'
/** GoTrue's links are valid for at most a day. */
const ACCEPTED_MS = RECOVERY_LINK_HOURS * 60 * 60_000

/** Why the last recovery link failed, until the member leaves the recovery screen. */
export const useRecoveryLink = create<{ problem: AuthProblem | null }>(() => ({ problem: null }))

/** The target of the link in a recovery mail: the app, or this page in a browser. */
export function recoveryRedirect(host: DesktopBridge['host']): string {
  return host === 'electron' ? `${LINK_SCHEME}://auth` : `${location.origin}/login`
}

/**
 * Remembers that this app requested a recovery mail. Links for other accounts are refused: an attacker could send a
 * link that signs the member in to the attacker's account.
 */
export function rememberRecovery(email: string): void {
  try {
    localStorage.setItem(ASKED_KEY, JSON.stringify({ email: email.toLowerCase(), at: Date.now() }))
  } catch (cause) {
    logFailure('remember recovery', cause)
  }
}

function hasAskedFor(email: string | null): boolean {
  const stored: unknown = JSON.parse(localStorage.getItem(ASKED_KEY) ?? 'null')
  if (typeof stored !== 'object' || stored === null || !('email' in stored) || !('at' in stored)) return false
  return stored.email === email && typeof stored.at === 'number' && Date.now() - stored.at < ACCEPTED_MS
}

/** The e-mail address in an access token, before the server verifies it; null if there is none. */
function emailOf(accessToken: string): string | null {
  try {
    const payload = accessToken.split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    const email = typeof claims === 'object' && claims !== null && 'email' in claims ? claims.email : null
    return typeof email === 'string' ? email.toLowerCase() : null
  } catch {
    return null
  }
}

/**
 * Handles links from recovery mails (AUTH-17): the one that started the app, and later ones. Returns an unsubscribe
 * function.
 */
export function handleRecoveryLinks(authLinks: DesktopBridge['authLinks']): () => void {
  const take = () => {
    authLinks.take().then(
      (fragment) => {
        if (fragment !== null) void openRecoveryLink(fragment)
      },
      (cause: unknown) => logFailure('take recovery link', cause),
    )
  }
  take()
  return authLinks.onOpened(take)
}

/**
 * Opens the session of a recovery link, so that the member can set a new password. Shows an error if that fails. Never
 * rejects.
 */
export async function openRecoveryLink(fragment: string): Promise<void> {
  const values = new URLSearchParams(fragment)
  const [access_token, refresh_token] = [values.get('access_token'), values.get('refresh_token')]
  if (values.get('type') !== 'recovery' && !values.has('error_code')) return
  if ((await sessionKnown()).status !== 'signed-out') return showToast({ text: texts.access.linkSignedIn })
  if (access_token === null || refresh_token === null) return refuse(texts.access.linkExpired)
  if (!hasAskedFor(emailOf(access_token))) return refuse(texts.access.linkNotAsked)
  holdRecovery()
  try {
    await openRecoverySession({ access_token, refresh_token })
    localStorage.removeItem(ASKED_KEY)
    useRecoveryLink.setState({ problem: null })
  } catch (cause) {
    const error = toAppError(cause)
    logFailure('open recovery link', error)
    releaseHold()
    useRecoveryLink.setState({ problem: describeAuthError(error, texts.access.linkExpired) })
  }
}

function refuse(message: string): void {
  useRecoveryLink.setState({ problem: { message, advice: null } })
}
