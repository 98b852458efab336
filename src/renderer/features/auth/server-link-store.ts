import { create } from 'zustand'
import { logFailure } from '#/renderer/lib/logger'
import type { DesktopBridge } from '#/shared/bridge'
import type { ServerAddress } from '#/shared/server'

/** The server of a link that was opened, until the sign-in screen or, to a signed-in member, a message has shown it. */
export const useServerLink = create<{ address: ServerAddress | null }>(() => ({ address: null }))

export function forgetServerLink(): void {
  useServerLink.setState({ address: null })
}

/** Takes links to servers: the one that started the app, and later ones. Returns an unsubscribe function. */
export function handleServerLinks(serverLinks: DesktopBridge['serverLinks']): () => void {
  const open = async () => {
    const address = await serverLinks.take()
    if (address !== null) useServerLink.setState({ address })
  }
  const take = () => void open().catch((cause: unknown) => logFailure('take server link', cause))
  take()
  return serverLinks.onOpened(take)
}
