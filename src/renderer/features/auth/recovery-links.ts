import type { DesktopBridge } from '#/shared/bridge'
import { takeLinks } from './take-links'

/** Opens links from recovery mails (AUTH-17). Returns an unsubscribe function. */
export function handleRecoveryLinks(authLinks: DesktopBridge['authLinks']): () => void {
  return takeLinks(authLinks, 'take recovery link', async (fragment) => {
    // No other start needs it.
    const { openRecoveryLink } = await import('./recovery-link')
    await openRecoveryLink(fragment)
  })
}
