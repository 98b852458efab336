import * as z from 'zod'
import { parseServerUrl, type ServerAddress, type ServerCheck, type ServerProblem } from './server'
import { mismatchOf } from './version-fit'

type Fetch = typeof globalThis.fetch

/** Timeout of each request, including its body, in milliseconds. */
const TIMEOUT_MS = 10_000
/**
 * Limit on the response bytes that are read: GoTrue's settings are about 2 KB, and a hostile server may send endless
 * data.
 */
const RESPONSE_BYTES_MAX = 64 * 1024

/** The GoTrue settings that every version has, and whether sign-ups are confirmed automatically. */
const settingsSchema = z.object({
  external: z.record(z.string(), z.unknown()),
  disable_signup: z.boolean(),
  mailer_autoconfirm: z.optional(z.boolean()),
})

/** The result of the database function `setup_status`. */
const statusSchema = z.object({
  version: z.nullable(z.string()),
  /** The oldest app that the server serves. Older migrations do not report it. */
  serves: z.optional(z.string()),
  /** '0.2' of databases that have the schema of the baseline. Migrations before the last one of 0.1 do not report it. */
  shape: z.optional(z.string()),
  changes: z.boolean(),
  channels: z.boolean(),
  /** Of the bucket for pictures and videos. Migrations before resumable uploads do not report it. */
  bucket: z.optional(z.string()),
  /** Whether the hourly cleanup is scheduled. Migrations before 20261127140000 do not report it. */
  cleanup: z.optional(z.string()),
  /** Whether the project calls `private.before_request()`. Migrations before 20261204020000 do not report it. */
  before_request: z.optional(z.boolean()),
  /** Whether each column with keys of objects is described, and whether the server has an owner. Older migrations do not report it. */
  media_columns: z.optional(z.boolean()),
  owner: z.optional(z.boolean()),
  /** Of how many closed accounts objects wait for `npm run objects`. Migrations before 20261127190200 do not report it. */
  objects: z.optional(z.number()),
})

/** What a server reports about itself to any client with its key. */
export interface ServerReport {
  /** The first problem; null if the app can use the server. */
  problem: ServerProblem | null
  /** Null if the response is not from Supabase Auth. */
  settings: z.infer<typeof settingsSchema> | null
  /** Null if the server did not report it. */
  status: z.infer<typeof statusSchema> | null
}

/**
 * Checks a server before it is saved: whether its address is allowed, it responds as Supabase, it accepts the key, and
 * it has our schema. Returns the normalized address.
 */
export async function checkServer(
  input: ServerAddress,
  fetch: Fetch = globalThis.fetch,
): Promise<ServerCheck> {
  const parsed = parseServerUrl(input.url)
  if (!parsed.ok) return parsed
  const address = { url: parsed.url, publishableKey: input.publishableKey.trim() }
  const { problem, status } = await inspectServer(address, fetch)
  if (problem !== null) return { ok: false, problem }
  const hasStorage = status?.bucket !== 'no-storage' && status?.bucket !== 'missing'
  return { ok: true, address, ...(!hasStorage && { warning: 'storage' }) }
}

/** Requests a server's settings and setup status. The address must be normalized. Never rejects. */
export async function inspectServer(
  address: ServerAddress,
  fetch: Fetch = globalThis.fetch,
): Promise<ServerReport> {
  const report = { settings: null, status: null }
  if (!/^[\x21-\x7e]+$/.test(address.publishableKey)) return { ...report, problem: 'key' }
  const reply = await request(fetch, address, '/auth/v1/settings')
  if (reply === null || reply.status >= 500) return { ...report, problem: 'unreachable' }
  if (isRedirect(reply)) return { ...report, problem: 'redirect' }
  if (reply.status === 401 || reply.status === 403) return { ...report, problem: 'key' }
  const settings = settingsSchema.safeParse(reply.body)
  if (!settings.success) return { ...report, problem: 'not-supabase' }
  return { settings: settings.data, ...(await inspectSchema(address, fetch)) }
}

async function inspectSchema(
  address: ServerAddress,
  fetch: Fetch,
): Promise<Pick<ServerReport, 'problem' | 'status'>> {
  const reply = await request(fetch, address, '/rest/v1/rpc/setup_status')
  if (reply === null || reply.status >= 500) return { problem: 'unreachable', status: null }
  const status = statusSchema.safeParse(reply.body)
  if (status.success) return { problem: problemWithStatus(status.data), status: status.data }
  if (isRefusedKey(reply)) return { problem: 'key', status: null }
  // Servers with older migrations lack `setup_status` but have this function.
  const legacyReply = await request(fetch, address, '/rest/v1/rpc/username_available', { name: 'vignette' })
  if (legacyReply === null || legacyReply.status >= 500) return { problem: 'unreachable', status: null }
  return { problem: typeof legacyReply.body === 'boolean' ? 'outdated' : 'schema', status: null }
}

function problemWithStatus({
  version,
  serves,
  changes,
  channels,
}: z.infer<typeof statusSchema>): ServerProblem | null {
  const mismatch = version === null ? 'server' : mismatchOf({ version, serves })
  if (mismatch !== null) return mismatch === 'app' ? 'app' : 'outdated'
  if (!changes) return 'changes'
  return channels ? null : 'channels'
}

/** 42501: the function exists but is not granted, so the schema is not ours. */
function isRefusedKey({ status, body }: Reply): boolean {
  return status === 401 && errorCode(body) !== '42501'
}

function errorCode(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
}

/** Browsers hide a redirect behind the status 0. */
function isRedirect({ status }: Reply): boolean {
  return status === 0 || (status >= 300 && status < 400)
}

interface Reply {
  status: number
  /** Parsed JSON; undefined if it is not JSON. */
  body: unknown
}

async function request(
  fetch: Fetch,
  { url, publishableKey }: ServerAddress,
  path: string,
  argument?: object,
): Promise<Reply | null> {
  try {
    const response = await fetch(`${url}${path}`, {
      method: argument === undefined ? 'GET' : 'POST',
      headers: { apikey: publishableKey, 'content-type': 'application/json' },
      body: argument === undefined ? null : JSON.stringify(argument),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { status: response.status, body: parseJson(await readText(response)) }
  } catch (cause) {
    // Electron's net.fetch rejects instead of returning a redirect (lib/browser/api/net-client-request.ts).
    const isRedirected = cause instanceof Error && cause.message.includes('Redirect was cancelled')
    return isRedirected ? { status: 302, body: undefined } : null
  }
}

/** The text of a response; empty if it exceeds the limit. */
async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    length += value.byteLength
    if (length > RESPONSE_BYTES_MAX) {
      await reader.cancel()
      return ''
    }
    text += decoder.decode(value, { stream: true })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
