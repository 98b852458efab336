import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Protocol } from 'electron'
import { APP_HOST, APP_SCHEME } from './origin'

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/**
 * A path to a built file, decoded: segments of plain characters, none beginning with a dot. What could climb out of
 * the folder or mean something to a file system ('..', '\', ':', NUL) is not among them.
 */
const ASSET_PATH = /^\/assets\/(?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*$/

/** Files beside index.html; every other path outside /assets/ is a route (usernames have dots). */
const ROOT_FILES: ReadonlySet<string> = new Set(['/favicon.svg'])

type Target = { file: string } | { status: number }

function targetOf(url: URL): Target {
  let path: string
  try {
    path = decodeURIComponent(url.pathname)
  } catch {
    return { status: 400 }
  }
  if (path.startsWith('/assets/')) return ASSET_PATH.test(path) ? { file: path } : { status: 403 }
  return { file: ROOT_FILES.has(path) ? path : '/index.html' }
}

/**
 * Answers requests for `app://bundle/…` with the built renderer.
 * @param root folder of index.html.
 * @param policy the Content-Security-Policy, asked at each answer: it names the server in use.
 */
export function createAppHandler(
  root: string,
  policy: () => string,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url)
    if (url.protocol !== `${APP_SCHEME}:` || url.host !== APP_HOST) return new Response(null, { status: 404 })
    if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405 })
    const target = targetOf(url)
    if ('status' in target) return new Response(null, target)
    try {
      const body = await readFile(join(root, target.file))
      return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), {
        headers: {
          'content-type': CONTENT_TYPES[extname(target.file)] ?? 'application/octet-stream',
          'content-security-policy': policy(),
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-cache',
        },
      })
    } catch {
      return new Response(null, { status: 404 })
    }
  }
}

/** Makes `app:` a scheme with an origin and a secure context. Before the app is ready, once. */
export function registerAppScheme(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: APP_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ])
}

/** Serves the built renderer at `app://bundle`. */
export function setupAppProtocol(
  protocol: Pick<Protocol, 'handle'>,
  root: string,
  policy: () => string,
): void {
  protocol.handle(APP_SCHEME, createAppHandler(root, policy))
}
