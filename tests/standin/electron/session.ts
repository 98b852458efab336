import { EventEmitter } from 'node:events'
import type { Session } from 'electron'
import { knowsOnly, requireReady, strict, type Unknown } from './life'

type RequestHandler = Parameters<Session['setPermissionRequestHandler']>[0]
type CheckHandler = Parameters<Session['setPermissionCheckHandler']>[0]
type DeviceHandler = Parameters<Session['setDevicePermissionHandler']>[0]
type DisplayHandler = Parameters<Session['setDisplayMediaRequestHandler']>[0]

/** The handlers the app set; null where Electron would say yes to everything. */
export const permissionHandlers = {
  request: null as RequestHandler,
  check: null as CheckHandler,
  device: null as DeviceHandler,
  display: null as DisplayHandler,
}

class StandinSession extends EventEmitter {
  setPermissionRequestHandler(handler: RequestHandler): void {
    permissionHandlers.request = handler
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    permissionHandlers.check = handler
  }

  setDevicePermissionHandler(handler: DeviceHandler): void {
    permissionHandlers.device = handler
  }

  setDisplayMediaRequestHandler(handler: DisplayHandler): void {
    permissionHandlers.display = handler
  }

  /** Pages keep what they keep in the test's browser, which outlives the app. */
  flushStorageData(): void {}
}

knowsOnly<Unknown<StandinSession, Session>>()

export const standinSession = new StandinSession()
const strictSession = strict('session.defaultSession', standinSession)

export const session = strict('session', {
  get defaultSession() {
    requireReady('Session')
    return strictSession
  },
})
