/**
 * The Content-Security-Policy of all pages, in Electron (app://) and in the browser host.
 * @param server origin of the chosen Supabase server, validated by `parseServerUrl`; omit it if the page's own origin
 * serves it.
 */
export function contentSecurityPolicy(server?: string): string {
  const connect = ["'self'"]
  const media = ["'self'", 'data:', 'blob:']
  if (server !== undefined) {
    const { origin } = new URL(server)
    connect.push(origin, origin.replace(/^http/, 'ws'))
    media.splice(1, 0, origin)
  }
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src ${media.join(' ')}`,
    `media-src ${media.join(' ')}`,
    "font-src 'self'",
    `connect-src ${connect.join(' ')}`,
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
