import { create } from 'zustand'
import type { DesktopBridge } from '#/shared/bridge'
import type { ServerAddress } from '#/shared/server'
import { takeLinks } from './take-links'

/** The server of a link that was opened, until the sign-in screen or, to a signed-in member, a message has shown it. */
export const useServerLink = create<{ address: ServerAddress | null }>(() => ({ address: null }))

export function forgetServerLink(): void {
  useServerLink.setState({ address: null })
}

/** Keeps links to servers for the sign-in screen. Returns an unsubscribe function. */
export function handleServerLinks(serverLinks: DesktopBridge['serverLinks']): () => void {
  return takeLinks(serverLinks, 'take server link', (address) => useServerLink.setState({ address }))
}
