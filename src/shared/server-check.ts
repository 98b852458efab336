import * as z from 'zod'
import { parseServerUrl, type ServerAddress, type ServerCheck, type ServerProblem } from './server'

type Fetch = typeof globalThis.fetch

/** How long each of the two requests may take, its whole response included, in milliseconds. */
const ANSWER_MS = 10_000
/** The most bytes read of a response: GoTrue's settings are about 2 KB, and a hostile server's may never end. */
const ANSWER_BYTES_MAX = 64 * 1024

/** The part of GoTrue's settings that every version has. */
const settingsSchema = z.object({ external: z.record(z.string(), z.unknown()), disable_signup: z.boolean() })

/**
 * Tries a server before it is saved: is the address one we may use, does it answer, as a Supabase, does it take the
 * key, and are our migrations on it? Gives the address in its normal form.
 */
export async function checkServer(
  typed: ServerAddress,
  fetch: Fetch = globalThis.fetch,
): Promise<ServerCheck> {
  const parsed = parseServerUrl(typed.url)
  if (!parsed.ok) return parsed
  const address = { url: parsed.url, publishableKey: typed.publishableKey.trim() }
  if (!/^[\x21-\x7e]+$/.test(address.publishableKey)) return { ok: false, problem: 'key' }
  const problem = (await problemWithAuth(address, fetch)) ?? (await problemWithSchema(address, fetch))
  return problem === null ? { ok: true, address } : { ok: false, problem }
}

async function problemWithAuth(address: ServerAddress, fetch: Fetch): Promise<ServerProblem | null> {
  const answer = await ask(fetch, address, '/auth/v1/settings')
  if (answer === null || answer.status >= 500) return 'unreachable'
  if (answer.status === 401 || answer.status === 403) return 'key'
  return settingsSchema.safeParse(answer.body).success ? null : 'not-supabase'
}

async function problemWithSchema(address: ServerAddress, fetch: Fetch): Promise<ServerProblem | null> {
  const answer = await ask(fetch, address, '/rest/v1/rpc/username_available', { name: 'vignette' })
  if (answer === null || answer.status >= 500) return 'unreachable'
  if (typeof answer.body === 'boolean') return null
  // 42501: the function is there but not granted, so it is not ours as we made it.
  const isRefusedKey = answer.status === 401 && codeOf(answer.body) !== '42501'
  return isRefusedKey ? 'key' : 'schema'
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
