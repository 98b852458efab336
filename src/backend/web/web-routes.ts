import { readBody } from '#/backend/base/read-body'
import type { RunningBackend } from '#/shared/backend-messages'
import type { ServerAddress, ServerCheck, ServerInfo } from '#/shared/server'
import { EMBEDDED_KEY, parseServerUrl, storageKeyOf } from '#/shared/server'
import { serverAddressSchema } from '#/shared/server-address'
import { checkServer } from '#/shared/server-check'
import { chosenServer, chosenServerCookie } from './chosen-server'
import { createStaticFiles } from './static-files'

const CONFIG_BODY_MAX = 10_000

/** Paths of the Supabase interfaces. */
const SUPABASE = /^\/(auth|rest|realtime|storage|functions)\/v1(\/|$)/

export interface WebRoutesOptions {
  /** Folder of the built renderer. */
  rendererDir: string
  /** A server set by the environment; members cannot choose another. */
  fixed: ServerAddress | null
  check?: (address: ServerAddress) => Promise<ServerCheck>
}

export type EmbeddedServer = Pick<RunningBackend, 'publishableKey' | 'demo' | 'mailFile'>

/** `embedded` is null if the environment sets another server; `signingKey` signs cookies. */
export type WebRoutes = (
  request: Request,
  port: number,
  embedded: EmbeddedServer | null,
  signingKey: Uint8Array,
) => Promise<Response | null>

/** Serves the app and /config.json; returns null for the Supabase interfaces. */
export function createWebRoutes(options: WebRoutesOptions): WebRoutes {
  const { fixed, check = checkServer } = options
  const serveFile = createStaticFiles(options.rendererDir)

  const current = (...[request, port, embedded, signingKey]: Parameters<WebRoutes>): ServerInfo | null => {
    if (fixed !== null) return remote(fixed, 'fixed')
    const chosen = chosenServer(request, port, signingKey)
    if (chosen !== null) return remote(chosen, 'chosen')
    if (embedded === null) return null
    // The origin that the browser uses (localhost or 127.0.0.1), because the page's policy allows only 'self'.
    const { publishableKey, demo, mailFile } = embedded
    const url = new URL(request.url).origin
    return { kind: 'embedded', url, publishableKey, storageKey: EMBEDDED_KEY, demo, mailFile }
  }

  const config = async (...[request, port, embedded, signingKey]: Parameters<WebRoutes>) => {
    const isOwnPage = request.headers.get('origin') === new URL(request.url).origin
    if (request.method !== 'GET' && !isOwnPage)
      return Response.json({ message: 'Only a page of this server may do this' }, { status: 403 })
    switch (request.method) {
      case 'GET':
        return json(current(request, port, embedded, signingKey))
      case 'DELETE':
        return json({ ok: true }, { 'set-cookie': chosenServerCookie(null, port, signingKey) })
      case 'POST': {
        const typed = await readAddress(request)
        if (typed === null) return json({ ok: false, problem: 'url' } satisfies ServerCheck)
        const result = await check(typed)
        const isSaved = result.ok && !new URL(request.url).searchParams.has('check')
        if (!isSaved) return json(result)
        return json(result, { 'set-cookie': chosenServerCookie(result.address, port, signingKey) })
      }
      default:
        return new Response('Method not allowed', { status: 405, headers: { allow: 'GET, POST, DELETE' } })
    }
  }

  return async (request, port, embedded, signingKey) => {
    const { pathname } = new URL(request.url)
    if (SUPABASE.test(pathname)) return null
    if (pathname === '/config.json') return config(request, port, embedded, signingKey)
    const server = current(request, port, embedded, signingKey)
    return serveFile(request, server === null || server.kind === 'embedded' ? undefined : server.url)
  }
}

function remote(address: ServerAddress, kind: 'chosen' | 'fixed'): ServerInfo {
  return { ...address, kind, storageKey: storageKeyOf(address), demo: [], mailFile: null }
}

/** Null if the body is not a valid address. */
async function readAddress(request: Request): Promise<ServerAddress | null> {
  try {
    const body = await readBody(request, CONFIG_BODY_MAX)
    return serverAddressSchema.parse(JSON.parse(new TextDecoder().decode(body ?? new Uint8Array())))
  } catch {
    return null
  }
}

function json(body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { headers: { 'cache-control': 'no-store', ...headers } })
}

/** The server of SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY; null when neither is set. */
export function serverFromEnvironment(environment: NodeJS.ProcessEnv): ServerAddress | null {
  const { SUPABASE_URL: url = '', SUPABASE_PUBLISHABLE_KEY: publishableKey = '' } = environment
  if (url === '' && publishableKey === '') return null
  const parsed = parseServerUrl(url)
  if (!parsed.ok || publishableKey === '') {
    throw new Error(
      'SUPABASE_URL must be https (or http on this machine), with SUPABASE_PUBLISHABLE_KEY beside it.',
    )
  }
  return { url: parsed.url, publishableKey }
}
