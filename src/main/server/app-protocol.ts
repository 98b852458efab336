import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Protocol } from 'electron'
import { getMimeType } from 'hono/utils/mime'
import { LIBHEIF_FOLDER, policyFor } from '#/shared/csp'
import { OPENED_FOLDER } from '#/shared/opened-folder'
import { APP_HOST, APP_SCHEME } from './origin'

/**
 * Decoded path of a built file. No segment starts with a dot, and characters that could escape the folder or mean
 * something to a file system ('..', '\', ':', NUL) are not allowed.
 */
const ASSET_PATH = /^\/assets\/(?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*$/

/** Files next to index.html. Any other path outside /assets/ is a client-side route (usernames may contain dots). */
const ROOT_FILES: ReadonlySet<string> = new Set(['/favicon.svg'])

type Target = { file: string; isLibheif?: true } | { status: number }

function resolveTarget(url: URL): Target {
  let path: string
  try {
    path = decodeURIComponent(url.pathname)
  } catch {
    return { status: 400 }
  }
  if (path.startsWith(LIBHEIF_FOLDER) && ASSET_PATH.test(path))
    return { file: path.slice(LIBHEIF_FOLDER.length), isLibheif: true }
  if (path.startsWith('/assets/')) return ASSET_PATH.test(path) ? { file: path } : { status: 403 }
  return { file: ROOT_FILES.has(path) ? path : '/index.html' }
}

export interface BuiltFolders {
  renderer: string
  libheif: string
}

/**
 * Serves the built renderer for `app://bundle/…`.
 * @param folders `renderer` contains index.html; `libheif`, outside of the archive, is what members can replace.
 * @param policy returns the Content-Security-Policy, evaluated per response because it names the current server.
 * @param answerVideo answers requests for videos that the app was opened with.
 */
export function createAppHandler(
  folders: BuiltFolders,
  policy: () => string,
  answerVideo: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url)
    if (url.protocol !== `${APP_SCHEME}:` || url.host !== APP_HOST) return new Response(null, { status: 404 })
    if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405 })
    if (url.pathname.startsWith(OPENED_FOLDER)) return answerVideo(request)
    const target = resolveTarget(url)
    if ('status' in target) return new Response(null, target)
    try {
      const body = await readFile(join(target.isLibheif ? folders.libheif : folders.renderer, target.file))
      return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), {
        headers: {
          'content-type': getMimeType(target.file) ?? 'application/octet-stream',
          'content-security-policy': policyFor(url.pathname, policy()),
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

/** Makes `app:` a standard, secure scheme. Call once, before the app is ready. */
export function registerAppScheme(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: APP_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ])
}

export function setupAppProtocol(
  protocol: Pick<Protocol, 'handle'>,
  folders: BuiltFolders,
  policy: () => string,
  answerVideo: (request: Request) => Promise<Response>,
): void {
  protocol.handle(APP_SCHEME, createAppHandler(folders, policy, answerVideo))
}
