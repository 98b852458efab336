import { stopwatch } from '#/renderer/lib/core/clock-store'
import { logFailure } from '#/renderer/lib/core/logger'
import type { ServerAddress } from '#/shared/server-address'
import { type Mismatch, mismatchOf } from '#/shared/version-fit'
import { isObject } from './checks/checked-values'

/** The codes of PostgreSQL and PostgREST for a table, column, function or relation that does not exist. */
const MISSING: ReadonlySet<unknown> = new Set([
  '42P01',
  '42703',
  '42883',
  'PGRST200',
  'PGRST202',
  'PGRST204',
  'PGRST205',
])

/** Pause between two questions that nobody asked for, in milliseconds. */
const PAUSE_MS = 60_000

/** What the answer of `setup_status` says; null if they fit, undefined if it is another answer. */
function answerOf(status: unknown): Mismatch | null | undefined {
  if (!isObject(status) || typeof status.version !== 'string') return undefined
  const serves = typeof status.serves === 'string' ? status.serves : undefined
  return mismatchOf({ version: status.version, serves })
}

async function lacksSomething(response: Response): Promise<boolean> {
  if (response.ok) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return isObject(body) && MISSING.has(body.code)
}

/** The message is one of a failed fetch: see `toAppError`. */
const unsent = () => new TypeError('fetch failed: it is not known that this server and this app fit')

interface VersionQuestion {
  /**
   * A `fetch` that fails as without a network while server and app do not fit; signing in and out goes on, and so do links to photos.
   * Writes wait for the first answer. An answer that something is missing counts only once the server has said that they fit.
   */
  send: typeof fetch
  /** Asks the server now. Never rejects: without an answer everything goes on as before. */
  ask: () => Promise<void>
}

/** Asks a server which schema it has and which apps it serves (docs/decisions/0105). */
export function createVersionQuestion(
  send: typeof fetch,
  { url, publishableKey }: ServerAddress,
  onAnswer: (mismatch: Mismatch | null) => void,
): VersionQuestion {
  let mismatch: Mismatch | null = null
  /** Whether the last question was answered. */
  let isAnswered = false
  let sinceAsked = () => Number.POSITIVE_INFINITY
  let asking: Promise<void> | null = null

  const askOnce = async () => {
    isAnswered = false
    sinceAsked = stopwatch()
    try {
      const headers = { apikey: publishableKey }
      const response = await send(`${url}/rest/v1/rpc/setup_status`, { headers, cache: 'no-store' })
      const answer = answerOf(await response.json())
      if (answer === undefined) throw new Error(`unexpected response ${response.status}`)
      mismatch = answer
      isAnswered = true
      onAnswer(answer)
    } catch (cause) {
      logFailure('ask for versions', cause)
    }
  }
  const ask = () => {
    asking ??= askOnce().finally(() => {
      asking = null
    })
    return asking
  }
  const askIfDue = async () => {
    if (asking !== null || sinceAsked() >= PAUSE_MS) await ask()
  }

  return {
    send: async (input, init) => {
      const address = input instanceof Request ? input.url : String(input)
      const isRead = (init?.method ?? 'GET') === 'GET'
      const isLink = address.includes('/object/sign/')
      // The browser's cache answers a link that it has opened, and stored objects never change.
      if (address.includes('/auth/v1/') || (isRead && isLink)) return send(input, init)
      // Links are asked for by POST.
      if (!isRead && !isLink && !isAnswered) await askIfDue()
      if (mismatch !== null) throw unsent()
      const response = await send(input, init)
      if (!(await lacksSomething(response))) return response
      await askIfDue()
      if (mismatch === null && isAnswered) return response
      throw unsent()
    },
    ask,
  }
}
