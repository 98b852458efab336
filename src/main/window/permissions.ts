import type { Session } from 'electron'
import type { PageOrigin } from '#/main/server/origin'

/**
 * Chromium requires the `network` permissions before a page outside the local network may fetch from 127.0.0.1 or a
 * local server. Electron 45 turns that check off (`kLocalNetworkAccessChecks` in shell/browser/feature_list.cc), Electron
 * 43 had it: granting them costs nothing and keeps working when it returns. A host name does not reveal its address
 * (`nas.example.com` may be 192.168.1.2), so they are granted for any server; the Content-Security-Policy limits
 * connections to the chosen one. macOS asks for its own local network permission, which no handler answers: where
 * Chromium requires it, Electron 45 denies it (`OnPlatformLocalNetworkPermissionRequired` in
 * shell/browser/net/url_loader_network_observer.cc), and a server in the member's network is unreachable.
 */
const GRANTABLE: ReadonlySet<string> = new Set([
  'clipboard-sanitized-write',
  // The light table's.
  'fullscreen',
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

/** Electron grants every permission by default. This grants a few, and only to the app's main frame. */
export function setupPermissions(session: GuardedSession, origin: PageOrigin): void {
  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    callback(isGrantable(permission) && details.isMainFrame && origin.isPage(details.requestingUrl))
  })
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin, details) => {
    // Workers have no frame, and Electron gives no URL for them. Foreign frames are recognized by their origin.
    const isOurs = details.isMainFrame || details.requestingUrl === undefined
    return isGrantable(permission) && isOurs && origin.isOrigin(requestingOrigin)
  })
  session.setDevicePermissionHandler(() => false)
  session.setDisplayMediaRequestHandler((_request, callback) => callback(null))
}
