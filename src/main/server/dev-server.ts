import type { Session } from 'electron'
import { contentSecurityPolicy, policyFor } from '#/shared/csp'

/**
 * The app's policy, relaxed by what hot reload needs: its inline preamble and its WebSocket. Not used in a packaged
 * app.
 */
export function devPolicy(devServer: string, server: string): string {
  const socket = new URL(devServer).origin.replace(/^http/, 'ws')
  return contentSecurityPolicy(server)
    .replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
    .replace("connect-src 'self'", `connect-src 'self' ${socket}`)
}

/** Replaces the Content-Security-Policy of the development server's responses. */
export function setupDevServer(
  session: Pick<Session, 'webRequest'>,
  devServer: string,
  server: () => string,
): void {
  const { origin } = new URL(devServer)
  session.webRequest.onHeadersReceived({ urls: [`${origin}/*`] }, (details, callback) => {
    const headers = Object.entries(details.responseHeaders ?? {}).filter(
      ([name]) => name.toLowerCase() !== 'content-security-policy',
    )
    callback({
      responseHeaders: {
        ...Object.fromEntries(headers),
        'content-security-policy': [policyFor(new URL(details.url).pathname, devPolicy(devServer, server()))],
      },
    })
  })
}
