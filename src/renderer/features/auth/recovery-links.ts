import type { DesktopBridge } from '#/shared/bridge'
import { reportLostRecovery } from './lost-recovery'
import { takeLinks } from './take-links'

/** Opens links from recovery mails (AUTH-17), and says that a recovery has ended with the page before. Returns an unsubscribe function. */
export function handleRecoveryLinks(authLinks: DesktopBridge['authLinks']): () => void {
  reportLostRecovery()
  return takeLinks(authLinks, 'take recovery link', async (fragment) => {
    // No other start needs it.
    const { openRecoveryLink } = await import('./recovery-link')
    await openRecoveryLink(fragment)
  })
}
