import type { Protocol } from 'electron'
import { hasBecomeReady, knowsOnly, requireReady, strict, type Unknown } from './life'
import { record } from './record'

type Handler = (request: Request) => Response | Promise<Response>

const handlers = new Map<string, Handler>()

export function isHandled(scheme: string): boolean {
  return handlers.has(scheme)
}

/** The response of the app's protocol. */
export async function answerFor(url: string, init?: RequestInit): Promise<Response> {
  const handler = handlers.get(url.slice(0, url.indexOf(':')))
  if (handler === undefined) throw new Error(`ERR_UNKNOWN_URL_SCHEME loading '${url}'`)
  return handler(new Request(url, init))
}

const standin = {
  registerSchemesAsPrivileged(schemes: Electron.CustomScheme[]): void {
    if (hasBecomeReady())
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
    if (record.privilegedSchemes.length > 0) throw new Error('schemes are registered as privileged once')
    record.privilegedSchemes.push(...schemes)
  },

  handle(scheme: string, handler: Handler): void {
    requireReady('protocol.handle')
    if (handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`)
    handlers.set(scheme, handler)
  },
}

knowsOnly<Unknown<typeof standin, Protocol>>()

export const protocol = strict('protocol', standin)
