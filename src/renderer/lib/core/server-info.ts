import { create } from 'zustand'
import type { ServerInfo } from '#/shared/server'

interface ServerInfoStore {
  /** `ServerInfo.storageKey`, which is known before the embedded server has started. */
  storageKey: string | null
  /** The server in use; null until the host has provided it. */
  server: ServerInfo | null
  isConnecting: boolean
  /** The host could not provide a server. */
  isUnavailable: boolean
}

export const useServerInfo = create<ServerInfoStore>(() => ({
  storageKey: null,
  server: null,
  isConnecting: false,
  isUnavailable: false,
}))
