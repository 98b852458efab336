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

/** The script of the worker that decodes what Chromium cannot: as the build names it, and as the development server does. */
const DECODER_SCRIPT = /^\/(?:assets\/decoder\.worker-[\w-]+\.js|lib\/media\/decode\/decoder\.worker\.ts)$/

/** Folder of the page's server with libheif, which is not part of the bundle: docs/decisions/0070-photo-formats.md. */
export const LIBHEIF_FOLDER = '/assets/libheif/'

/**
 * The Content-Security-Policy of a response. A worker has the one of its script: only the decoder may compile WebAssembly, and it may
 * not connect to anything.
 * @param page policy of the page
 */
export function policyFor(pathname: string, page: string): string {
  return DECODER_SCRIPT.test(pathname) ? "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'" : page
}
