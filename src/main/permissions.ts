import type { Session } from 'electron'
import { isLoopbackHost } from '#/shared/server'
import type { PageOrigin } from './origin'

const ALWAYS: ReadonlySet<string> = new Set(['clipboard-sanitized-write'])

/** Chromium asks for these before a page that is not on loopback itself may fetch from 127.0.0.1. */
const LOOPBACK: ReadonlySet<string> = new Set(['local-network-access', 'loopback-network', 'local-network'])

/** Decides by permission alone; @param server the URL of the server in use. */
export function isGrantable(permission: string, server: string): boolean {
  if (ALWAYS.has(permission)) return true
  return LOOPBACK.has(permission) && isLoopbackHost(new URL(server).hostname)
}

type GuardedSession = Pick<
  Session,
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
>

/** Electron grants everything by default; here only our own main frame gets anything, and little. */
export function setupPermissions(session: GuardedSession, origin: PageOrigin, server: () => string): void {
  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    callback(isGrantable(permission, server()) && details.isMainFrame && origin.isPage(details.requestingUrl))
  })
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin, details) => {
    // Workers have no frame of their own; Electron names no URL for them. Foreign frames are told by their origin.
    const isOurs = details.isMainFrame || details.requestingUrl === undefined
    return isGrantable(permission, server()) && isOurs && origin.isOrigin(requestingOrigin)
  })
  session.setDevicePermissionHandler(() => false)
  session.setDisplayMediaRequestHandler((_request, callback) => callback(null))
}
