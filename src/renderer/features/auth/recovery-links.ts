import { logFailure } from '#/renderer/lib/logger'
import type { DesktopBridge } from '#/shared/bridge'

/**
 * Handles links from recovery mails (AUTH-17): the one that started the app, and later ones. Returns an unsubscribe
 * function.
 */
export function handleRecoveryLinks(authLinks: DesktopBridge['authLinks']): () => void {
  const open = async () => {
    const fragment = await authLinks.take()
    if (fragment === null) return
    // No other start needs it.
    const { openRecoveryLink } = await import('./recovery-link')
    await openRecoveryLink(fragment)
  }
  const take = () => void open().catch((cause: unknown) => logFailure('take recovery link', cause))
  take()
  return authLinks.onOpened(take)
}
