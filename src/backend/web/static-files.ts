import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { contentSecurityPolicy } from '#/shared/csp'

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

const COMPRESSED = /^(text\/|application\/(json|manifest|wasm)|image\/svg)/
const COMPRESSED_FROM = 1_024

type Encoding = 'br' | 'gzip' | 'identity'

const compress: Record<Encoding, (content: Buffer) => Promise<Buffer>> = {
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
  identity: async (content) => content,
}

/**
 * Answers with the built renderer: files below /assets/ for ever, since their names carry a hash; files at the top as
 * they are; index.html for every other path, which the app's router reads.
 * @param root folder of the build
 */
export function createStaticFiles(root: string) {
  const cache = new Map<string, Promise<Buffer>>()

  const encoded = (path: string, content: Buffer, encoding: Encoding): Promise<Buffer> => {
    const key = `${encoding}:${path}`
    const known = cache.get(key) ?? compress[encoding](content)
    cache.set(key, known)
    return known
  }

  /** `connect` is the server that the page's Content-Security-Policy names besides its own origin. */
  return async (request: Request, connect: string | undefined): Promise<Response> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return new Response('Method not allowed', { status: 405, headers: { allow: 'GET, HEAD' } })
    }
    const { pathname } = new URL(request.url)
    const isAsset = pathname.startsWith('/assets/')
    const asked = safePath(pathname)
    const found = asked === null ? null : await read(join(root, asked))
    if (found === null && isAsset) return new Response('Not found', { status: 404 })
    const content = found ?? (await read(join(root, 'index.html')))
    if (content === null) {
      return new Response('The app is not built yet: run npm run build.', { status: 503 })
    }

    const path = found === null || asked === null ? 'index.html' : asked
    const type = TYPES[extname(path)] ?? 'application/octet-stream'
    const isCompressed = isAsset && COMPRESSED.test(type) && content.byteLength >= COMPRESSED_FROM
    const encoding = isCompressed ? preferredEncoding(request) : 'identity'
    const body = isCompressed ? await encoded(path, content, encoding) : content
    const headers = new Headers({
      'content-type': type,
      'content-length': String(body.byteLength),
      'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    if (isCompressed) headers.set('vary', 'Accept-Encoding')
    if (encoding !== 'identity') headers.set('content-encoding', encoding)
    if (type.startsWith('text/html')) headers.set('content-security-policy', contentSecurityPolicy(connect))
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), { headers })
  }
}

/** A path below the root, in the file system's form; null for anything that would leave it or hides something. */
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

async function read(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch {
    return null
  }
}

function preferredEncoding(request: Request): Encoding {
  const accepted = (request.headers.get('accept-encoding') ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';')[0])
  if (accepted.includes('br')) return 'br'
  return accepted.includes('gzip') ? 'gzip' : 'identity'
}
