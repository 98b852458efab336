import type { Session } from 'electron'
import type { PageOrigin } from './origin'

/**
 * The `network` ones Chromium asks for before a page that is not itself in the local network may fetch from 127.0.0.1 or a
 * server at home. A name does not tell where it leads (`nas.example.com` may be 192.168.1.2), so they are granted wherever the
 * server is: the Content-Security-Policy limits connections to the chosen server.
 */
const GRANTABLE: ReadonlySet<string> = new Set([
  'clipboard-sanitized-write',
  'local-network-access',
  'loopback-network',
  'local-network',
])

export function isGrantable(permission: string): boolean {
  return GRANTABLE.has(permission)
}

type GuardedSession = Pick<
  Session,
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
>

/** Electron grants everything by default; here only our own main frame gets anything, and little. */
export function setupPermissions(session: GuardedSession, origin: PageOrigin): void {
  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    callback(isGrantable(permission) && details.isMainFrame && origin.isPage(details.requestingUrl))
  })
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin, details) => {
    // Workers have no frame of their own; Electron names no URL for them. Foreign frames are told by their origin.
    const isOurs = details.isMainFrame || details.requestingUrl === undefined
    return isGrantable(permission) && isOurs && origin.isOrigin(requestingOrigin)
  })
  session.setDevicePermissionHandler(() => false)
  session.setDisplayMediaRequestHandler((_request, callback) => callback(null))
}
