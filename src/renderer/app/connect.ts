import {
  endRefusedSession,
  failRestored,
  followSession,
  followSignOut,
  handleRecoveryLinks,
  handleServerLinks,
  leavePage,
  onSignedOut,
  pageOver,
  restoreSession,
  retryEnter,
} from '#/renderer/features/auth'
import { desktop } from '#/renderer/features/desktop'
import { logFailure, logIfFails } from '#/renderer/lib/core/logger'
import { wait } from '#/renderer/lib/core/schedule'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { closeAndClear } from '#/renderer/lib/disk-cache/opened-store'
import { checkConnection, handleSocketClosed, handleVersions } from '#/renderer/lib/live'
import { askVersions, connectSupabase, selectSession, storedUser } from '#/renderer/lib/server/supabase'
import { openMemberCache, ownProfileOf } from './cached-queries'
import { forgetVisited } from './visited'

/** The longest that the session waits for the disk, in milliseconds. */
const DISK_MS = 2_000

/**
 * Asks the host which server to use, and opens its session.
 * @param shown resolves when the cached content is on screen: with a faster server, the feed would start at its top
 * instead of at the last position
 */
export async function connect(shown: Promise<void> = Promise.resolve()): Promise<void> {
  // Two clients with the same stored session would invalidate each other's refresh tokens.
  if (useServerInfo.getState().isConnecting) return
  useServerInfo.setState({ isConnecting: true })
  try {
    const server = await desktop.server.current()
    useServerInfo.setState({ server, storageKey: server.storageKey, isUnavailable: false })
    await Promise.race([shown, wait(DISK_MS)])
    const client = connectSupabase(server, desktop.session, {
      onSocketClosed: handleSocketClosed,
      onSlowResponse: checkConnection,
      onSessionRefused: endRefusedSession,
      onOthersSession: leavePage,
      onSignedOut: followSignOut,
      onVersions: handleVersions,
    })
    void askVersions()
    followSession(client)
    handleRecoveryLinks(desktop.authLinks)
    handleServerLinks(desktop.serverLinks)
  } catch (cause) {
    logFailure('find the server', cause)
    useServerInfo.setState({ isUnavailable: true })
    failRestored()
  } finally {
    useServerInfo.setState({ isConnecting: false })
  }
}

/** Tries again to reach the server of a restored session. */
export function reconnect(): Promise<void> {
  return useServerInfo.getState().server === null ? connect() : retryEnter()
}

/**
 * Runs when nobody is signed in. Reloads a page that was a member's, which ends their requests, timers and stores, at the
 * start.
 */
async function endPage(wasMember: boolean): Promise<void> {
  // Also without their pages, as after a start without the server, whose notifications an earlier run has shown.
  logIfFails('dismiss notifications', desktop.notifications.dismiss(null))
  if (wasMember) logIfFails('forget opened files', desktop.files.forgetOpened())
  const { storageKey } = useServerInfo.getState()
  // A start without a session clears it again.
  if (storageKey !== null) await Promise.race([closeAndClear(storageKey), wait(DISK_MS)])
  if (!(await pageOver())) return
  await forgetVisited()
  window.location.reload()
}

/**
 * Shows the cached content of the stored session's member, if there is any, before the server responds. Resolves with
 * whether it did. Never rejects.
 */
export async function restoreFromDisk(): Promise<boolean> {
  // First: the host may fail to say which server it uses, and say it later to `connect`.
  onSignedOut((wasMember) => void endPage(wasMember))
  try {
    const storageKey = await desktop.server.storageKey()
    useServerInfo.setState({ storageKey })
    selectSession({ storageKey }, desktop.session, followSignOut)
    const user = await storedUser()
    if (user === null) return false
    const { first } = await openMemberCache({ server: storageKey, member: user.id })
    const profile = ownProfileOf(first)
    if (profile !== null) restoreSession(user, profile)
    return profile !== null
  } catch (cause) {
    logFailure('restore from disk', cause)
    return false
  }
}
