import { lookup } from 'node:dns/promises'
import { isLoopbackAddress } from '#/backend/http/network-address'
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

/** Who asks, and what the host signs cookies with. */
export interface WebCaller {
  /** Network address of the caller. */
  address: string
  signingKey: Uint8Array
}

export type WebRoutes = (
  request: Request,
  port: number,
  embedded: EmbeddedServer | null,
  caller: WebCaller,
) => Promise<Response | null>

/** The app itself and /config.json; null for the Supabase interfaces. */
export function createWebRoutes(options: WebRoutesOptions): WebRoutes {
  const { fixed, check = checkServer } = options
  const serveFile = createStaticFiles(options.rendererDir)

  let isChecking = false

  const current = (
    request: Request,
    port: number,
    embedded: EmbeddedServer | null,
    { address, signingKey }: WebCaller,
  ): ServerInfo | null => {
    if (fixed !== null) return remote(fixed, 'fixed')
    const chosen = chosenServer(request, port, signingKey)
    if (chosen !== null) return remote(chosen, 'chosen')
    if (embedded === null) return null
    // The origin as the browser knows it, localhost or 127.0.0.1, which the page's policy calls 'self'.
    const { publishableKey, demo } = embedded
    // The path names the operator's folders, and only this machine has the file.
    const mailFile = isLoopbackAddress(address) ? embedded.mailFile : null
    const url = new URL(request.url).origin
    return { kind: 'embedded', url, publishableKey, storageKey: 'embedded', demo, mailFile }
  }

  /** One check at a time, so that nobody can make this server send requests in bulk. */
  const tryServer = async (typed: ServerAddress, caller: WebCaller): Promise<ServerCheck | null> => {
    const url = parseServerUrl(typed.url)
    // A caller from elsewhere means a loopback of their own, and must not learn which ports answer here.
    if (url.ok && !isLoopbackAddress(caller.address) && (await leadsToThisMachine(url.url)))
      return { ok: false, problem: 'unreachable' }
    if (isChecking) return null
    isChecking = true
    try {
      return await check(typed)
    } finally {
      isChecking = false
    }
  }

  const config = async (
    request: Request,
    port: number,
    embedded: EmbeddedServer | null,
    caller: WebCaller,
  ) => {
    const isOwnPage = request.headers.get('origin') === new URL(request.url).origin
    if (request.method !== 'GET' && !isOwnPage)
      return Response.json({ message: 'Only a page of this server may do this' }, { status: 403 })
    switch (request.method) {
      case 'GET':
        return json(current(request, port, embedded, caller))
      case 'DELETE':
        return json({ ok: true }, { 'set-cookie': chosenServerCookie(null, port, caller.signingKey) })
      case 'POST': {
        const typed = await readAddress(request)
        if (typed === null) return json({ ok: false, problem: 'url' } satisfies ServerCheck)
        const result = await tryServer(typed, caller)
        if (result === null)
          return Response.json(
            { message: 'Another server is being checked' },
            { status: 503, headers: { 'retry-after': '1' } },
          )
        const isSaved = result.ok && !new URL(request.url).searchParams.has('check')
        if (!isSaved) return json(result)
        return json(result, { 'set-cookie': chosenServerCookie(result.address, port, caller.signingKey) })
      }
      default:
        return new Response('Method not allowed', { status: 405, headers: { allow: 'GET, POST, DELETE' } })
    }
  }

  return async (request, port, embedded, caller) => {
    const { pathname } = new URL(request.url)
    if (SUPABASE.test(pathname)) return null
    if (pathname === '/config.json') return config(request, port, embedded, caller)
    const server = current(request, port, embedded, caller)
    return serveFile(request, server === null || server.kind === 'embedded' ? undefined : server.url)
  }
}

/** Connecting to these reaches this machine. */
const UNSPECIFIED = ['0.0.0.0', '::']

/** Whether a host name, or one of its addresses, is loopback. */
async function leadsToThisMachine(url: string): Promise<boolean> {
  const hostname = new URL(url).hostname.replace(/^\[|\]$/g, '')
  // A name without an address cannot be reached.
  const addresses = await lookup(hostname, { all: true }).catch(() => [])
  return addresses.some(({ address }) => isLoopbackAddress(address) || UNSPECIFIED.includes(address))
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
