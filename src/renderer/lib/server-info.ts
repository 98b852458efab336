import { create } from 'zustand'
import type { ServerInfo } from '#/shared/server'

interface ServerInfoStore {
  /** The server in use; null until the host has provided it. */
  server: ServerInfo | null
  isConnecting: boolean
  /** The host could not provide a server. */
  isUnavailable: boolean
}

export const useServerInfo = create<ServerInfoStore>(() => ({
  server: null,
  isConnecting: false,
  isUnavailable: false,
}))
