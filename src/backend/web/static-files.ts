import { stat } from 'node:fs/promises'
import { basename, join, normalize, sep } from 'node:path'
import { getMimeType } from 'hono/utils/mime'
import { streamFile } from '#/backend/base/stream-of'
import { contentSecurityPolicy, LIBHEIF_FOLDER, policyFor } from '#/shared/csp'

/**
 * Serves the built renderer: files below /assets/ are immutable, because their names contain a hash (but libheif, which the build puts
 * beside the renderer, so that it can be replaced); paths without a file
 * get index.html, for the app's router.
 * @param root folder of the build
 */
export function createStaticFiles(root: string) {
  const find = async (path: string): Promise<{ path: string; size: number } | null> => {
    const stats = await stat(path).catch(() => null)
    return stats?.isFile() === true ? { path, size: stats.size } : null
  }

  /** @param connect server that the page's Content-Security-Policy allows besides the page's origin */
  return async (request: Request, connect: string | undefined): Promise<Response> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return new Response('Method not allowed', { status: 405, headers: { allow: 'GET, HEAD' } })
    }
    const { pathname } = new URL(request.url)
    const isAsset = pathname.startsWith('/assets/')
    const isLibheif = pathname.startsWith(LIBHEIF_FOLDER)
    const requested = safePath(pathname)
    const found =
      requested === null
        ? null
        : await find(isLibheif ? join(root, '../libheif', basename(requested)) : join(root, requested))
    if (found === null && isAsset) return new Response('Not found', { status: 404 })
    const file = found ?? (await find(join(root, 'index.html')))
    if (file === null) {
      return new Response('The app is not built yet: run npm run build.', { status: 503 })
    }

    const path = found === null || requested === null ? 'index.html' : requested
    const type = getMimeType(path) ?? 'application/octet-stream'
    const headers = new Headers({
      'content-type': type,
      'content-length': String(file.size),
      'cache-control': isAsset && !isLibheif ? 'public, max-age=31536000, immutable' : 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    // A worker has the policy of its script. None of them connects to a server.
    if (type.startsWith('text/javascript'))
      headers.set('content-security-policy', policyFor(pathname, contentSecurityPolicy()))
    if (type.startsWith('text/html')) {
      headers.set('content-security-policy', contentSecurityPolicy(connect))
      // The page asks for it as soon as its script has loaded.
      headers.set('link', '</config.json>; rel=preload; as=fetch; crossorigin')
    }
    return new Response(request.method === 'HEAD' ? null : streamFile(file.path, 0, file.size), { headers })
  }
}

/** The normalized path below the root; null if it leaves the root or contains a NUL, backslash or colon. */
function safePath(pathname: string): string | null {
  let decoded: string
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    return null
  }
  const path = normalize(decoded.replace(/^\/+/, ''))
  const isOutside = path.split(sep).includes('..') || /[\0\\:]/.test(decoded)
  return path === '.' || path === '' || isOutside ? null : path
}
