import { readBody } from '#/backend/http/read-body'
import type { RunningBackend } from '#/shared/backend-messages'
import {
  parseServerUrl,
  type ServerAddress,
  type ServerCheck,
  type ServerInfo,
  serverAddressSchema,
} from '#/shared/server'
import { checkServer } from '#/shared/server-check'
import { chosenServer, chosenServerCookie } from './chosen-server'
import { createStaticFiles } from './static-files'

const CONFIG_BODY_MAX = 10_000

/** Paths of the Supabase interfaces, which are not the app's. */
const SUPABASE = /^\/(auth|rest|realtime|storage|functions)\/v1(\/|$)/

export interface WebRoutesOptions {
  /** Folder of the built renderer. */
  rendererDir: string
  /** A server set by the environment: it is the only one. */
  fixed: ServerAddress | null
  check?: (address: ServerAddress) => Promise<ServerCheck>
}

/** What the routes need of the embedded server; null when there is none because the environment fixes another. */
export type EmbeddedServer = Pick<RunningBackend, 'publishableKey' | 'demo' | 'mailFile'>

export type WebRoutes = (
  request: Request,
  port: number,
  embedded: EmbeddedServer | null,
) => Promise<Response | null>

/** The app itself and /config.json; null for the Supabase interfaces. */
export function createWebRoutes(options: WebRoutesOptions): WebRoutes {
  const { fixed, check = checkServer } = options
  const serveFile = createStaticFiles(options.rendererDir)

  const current = (request: Request, port: number, embedded: EmbeddedServer | null): ServerInfo | null => {
    if (fixed !== null) return remote(fixed, 'fixed')
    const chosen = chosenServer(request, port)
    if (chosen !== null) return remote(chosen, 'chosen')
    if (embedded === null) return null
    // The origin as the browser knows it, localhost or 127.0.0.1, which the page's policy calls 'self'.
    const { publishableKey, demo, mailFile } = embedded
    const url = new URL(request.url).origin
    return { kind: 'embedded', url, publishableKey, storageKey: 'embedded', demo, mailFile }
  }

  const config = async (request: Request, port: number, embedded: EmbeddedServer | null) => {
    switch (request.method) {
      case 'GET':
        return json(current(request, port, embedded))
      case 'DELETE':
        return json({ ok: true }, { 'set-cookie': chosenServerCookie(null, port) })
      case 'POST': {
        const typed = await readAddress(request)
        if (typed === null) return json({ ok: false, problem: 'url' } satisfies ServerCheck)
        const result = await check(typed)
        const isSaved = result.ok && !new URL(request.url).searchParams.has('check')
        return json(result, isSaved ? { 'set-cookie': chosenServerCookie(result.address, port) } : {})
      }
      default:
        return new Response('Method not allowed', { status: 405, headers: { allow: 'GET, POST, DELETE' } })
    }
  }

  return async (request, port, embedded) => {
    const { pathname } = new URL(request.url)
    if (SUPABASE.test(pathname)) return null
    if (pathname === '/config.json') return config(request, port, embedded)
    const server = current(request, port, embedded)
    return serveFile(request, server === null || server.kind === 'embedded' ? undefined : server.url)
  }
}

function remote(address: ServerAddress, kind: 'chosen' | 'fixed'): ServerInfo {
  return { ...address, kind, storageKey: new URL(address.url).host, demo: [], mailFile: null }
}

/** Null for a body that is no address, whatever is wrong with it. */
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
