import * as z from 'zod'
import { SCHEMA_VERSION } from './schema-version'
import { parseServerUrl, type ServerAddress, type ServerCheck, type ServerProblem } from './server'

type Fetch = typeof globalThis.fetch

/** How long each of the two requests may take, its whole response included, in milliseconds. */
const ANSWER_MS = 10_000
/** The most bytes read of a response: GoTrue's settings are about 2 KB, and a hostile server's may never end. */
const ANSWER_BYTES_MAX = 64 * 1024

/** The part of GoTrue's settings that every version has, and whether new addresses need no confirmation. */
const settingsSchema = z.object({
  external: z.record(z.string(), z.unknown()),
  disable_signup: z.boolean(),
  mailer_autoconfirm: z.optional(z.boolean()),
})

/** The result of the database function `setup_status`. */
const statusSchema = z.object({
  version: z.nullable(z.string()),
  changes: z.boolean(),
  channels: z.boolean(),
})

/** What a server says about itself to anybody who has its key. */
export interface ServerReport {
  /** The first problem; null if the app can use the server. */
  problem: ServerProblem | null
  /** Null if it did not answer as Supabase Auth. */
  settings: z.infer<typeof settingsSchema> | null
  /** Null if it did not say. */
  status: z.infer<typeof statusSchema> | null
}

/**
 * Tries a server before it is saved: is the address one we may use, does it answer, as a Supabase, does it take the
 * key, and is it set up for us? Gives the address in its normal form.
 */
export async function checkServer(
  typed: ServerAddress,
  fetch: Fetch = globalThis.fetch,
): Promise<ServerCheck> {
  const parsed = parseServerUrl(typed.url)
  if (!parsed.ok) return parsed
  const address = { url: parsed.url, publishableKey: typed.publishableKey.trim() }
  const { problem } = await inspectServer(address, fetch)
  return problem === null ? { ok: true, address } : { ok: false, problem }
}

/** Asks a server for its settings and its set-up. The address is in its normal form. Never rejects. */
export async function inspectServer(
  address: ServerAddress,
  fetch: Fetch = globalThis.fetch,
): Promise<ServerReport> {
  const report = { settings: null, status: null }
  if (!/^[\x21-\x7e]+$/.test(address.publishableKey)) return { ...report, problem: 'key' }
  const answer = await ask(fetch, address, '/auth/v1/settings')
  if (answer === null || answer.status >= 500) return { ...report, problem: 'unreachable' }
  if (answer.status === 401 || answer.status === 403) return { ...report, problem: 'key' }
  const settings = settingsSchema.safeParse(answer.body)
  if (!settings.success) return { ...report, problem: 'not-supabase' }
  return { settings: settings.data, ...(await inspectSchema(address, fetch)) }
}

async function inspectSchema(
  address: ServerAddress,
  fetch: Fetch,
): Promise<Pick<ServerReport, 'problem' | 'status'>> {
  const answer = await ask(fetch, address, '/rest/v1/rpc/setup_status', {})
  if (answer === null || answer.status >= 500) return { problem: 'unreachable', status: null }
  const status = statusSchema.safeParse(answer.body)
  if (status.success) return { problem: problemWithStatus(status.data), status: status.data }
  if (isRefusedKey(answer)) return { problem: 'key', status: null }
  // Servers with migrations from before `setup_status` have this function.
  const older = await ask(fetch, address, '/rest/v1/rpc/username_available', { name: 'vignette' })
  if (older === null || older.status >= 500) return { problem: 'unreachable', status: null }
  return { problem: typeof older.body === 'boolean' ? 'outdated' : 'schema', status: null }
}

function problemWithStatus({
  version,
  changes,
  channels,
}: z.infer<typeof statusSchema>): ServerProblem | null {
  if (version === null || version < SCHEMA_VERSION) return 'outdated'
  if (!changes) return 'changes'
  return channels ? null : 'channels'
}

/** 42501: the function is there but not granted, so it is not ours as we made it. */
function isRefusedKey({ status, body }: Answer): boolean {
  return status === 401 && codeOf(body) !== '42501'
}

function codeOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
}

interface Answer {
  status: number
  /** Parsed JSON; undefined when it is none. */
  body: unknown
}

async function ask(
  fetch: Fetch,
  { url, publishableKey }: ServerAddress,
  path: string,
  argument?: object,
): Promise<Answer | null> {
  try {
    const response = await fetch(`${url}${path}`, {
      method: argument === undefined ? 'GET' : 'POST',
      headers: { apikey: publishableKey, 'content-type': 'application/json' },
      body: argument === undefined ? null : JSON.stringify(argument),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    return { status: response.status, body: parseJson(await readText(response)) }
  } catch {
    return null
  }
}

/** The text of a response; empty if it is longer than any answer of a Supabase server. */
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
    if (length > ANSWER_BYTES_MAX) {
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
