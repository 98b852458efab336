import * as z from 'zod'
import type { SessionPersistence } from '#/shared/bridge'
import { BridgeError } from '#/shared/bridge-error'
import { sessionKey } from '#/shared/server'
import type { DocumentFile } from './document-file'
import type { HandlersOf } from './ipc'
import type { Log } from './log'
import { texts } from './texts'
import type { Schedule } from './timers'
import type { VaultCipher } from './vault-cipher'

const entrySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('sealed'), data: z.base64() }),
  z.strictObject({ kind: z.literal('plain'), value: z.string() }),
])

/** sessions.json: the member's choice to keep sessions without a keychain, and the sessions by their keys. */
export const sessionsSchema = z.strictObject({
  keepPlain: z.boolean(),
  entries: z.record(z.string(), entrySchema),
})

type Entry = z.infer<typeof entrySchema>
export type Sessions = z.infer<typeof sessionsSchema>
export const NO_SESSIONS: Sessions = { keepPlain: false, entries: {} }

/** What supabase-js stores beside the session itself: the PKCE verifier and, if so configured, the user. */
const KEY_SUFFIXES = ['', '-code-verifier', '-user']

/** Whether a key belongs to this server's session: a page that came to a bad server reaches no other one's. */
export function isSessionKey(key: string, storageKey: string): boolean {
  return KEY_SUFFIXES.some((suffix) => key === `${sessionKey({ storageKey })}${suffix}`)
}

export interface VaultParts {
  cipher: VaultCipher
  file: DocumentFile<Sessions>
  /** Whether the page may use this key now. */
  mayUse(key: string): boolean
  schedule: Schedule
  /** A stored session opened that could not be opened before: the page should read it again. */
  recovered(): void
  log: Pick<Log, 'warn' | 'error' | 'info'>
}

/** When to ask the keychain again, in milliseconds after each failure; the last one repeats. */
const ASK_AGAIN_MS = [15_000, 60_000, 300_000, 1_800_000] as const

export interface SessionVault {
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<undefined>
  removeItem(key: string): Promise<undefined>
  persistence(): Promise<SessionPersistence>
  keepAnyway(): Promise<undefined>
  /** Resolves when everything asked for so far is done. */
  settled(): Promise<unknown>
}

/**
 * Keeps supabase-js's sessions: sealed on disk where the system has a keychain, in memory where it has none, in
 * plain text only if the member chose that. Everything happens in turn, so two writes never interleave and a read
 * sees the write before it. A keychain that is locked or late erases nothing: only signing out removes a sealed
 * session, and only a newer one that the keychain encrypted, or the member's choice of plain text, replaces it.
 */
export function createSessionVault(parts: VaultParts): SessionVault {
  const { cipher, file, mayUse, log } = parts
  /** Null for what is gone, though the disk still has it. */
  const memory = new Map<string, string | null>()
  /** Keys of stored sessions that the keychain did not open. */
  const unopened = new Set<string>()
  let failures = 0
  let willAsk = false
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = last.then(task)
    last = turn.catch(() => undefined)
    return turn
  }

  /** The same for a key that the page may use by then. */
  function inTurnFor<T>(key: string, task: () => Promise<T>): Promise<T> {
    return inTurn(() => {
      if (!mayUse(key)) throw new BridgeError('refused', texts.bridge.refused)
      return task()
    })
  }

  function put(key: string, entry: Entry | null): void {
    const { keepPlain, entries } = file.read()
    const others = Object.entries(entries).filter(([name]) => name !== key && memory.get(name) !== null)
    file.write({
      keepPlain,
      entries: Object.fromEntries(entry === null ? others : [...others, [key, entry]]),
    })
  }

  /** Puts the value where it may go; where the disk refuses, memory holds it until the app closes. */
  async function keep(key: string, value: string): Promise<undefined> {
    unopened.delete(key)
    const sealed = await cipher.seal(value)
    const { keepPlain, entries } = file.read()
    try {
      if (typeof sealed === 'object') put(key, { kind: 'sealed', data: sealed.data })
      else if (keepPlain && entries[key]?.kind !== 'sealed') put(key, { kind: 'plain', value })
      else {
        memory.set(key, value)
        askLater()
        return
      }
      memory.delete(key)
    } catch (cause) {
      log.error('a session could not be written', cause)
      memory.set(key, value)
    }
  }

  /** Takes the value away; where the disk refuses, memory knows until the app closes. */
  async function forget(key: string): Promise<undefined> {
    memory.delete(key)
    unopened.delete(key)
    try {
      if (Object.hasOwn(file.read().entries, key)) put(key, null)
      file.discardDamaged()
    } catch (cause) {
      log.error('a session could not be removed', cause)
      memory.set(key, null)
    }
  }

  async function find(key: string): Promise<string | null> {
    const remembered = memory.get(key)
    if (remembered !== undefined) return remembered
    const { entries } = file.read()
    const entry = Object.hasOwn(entries, key) ? entries[key] : undefined
    if (entry === undefined) return null
    if (entry.kind === 'plain') {
      // A keychain may have come since.
      await keep(key, entry.value)
      return entry.value
    }
    const opened = await cipher.unseal(entry.data)
    if (typeof opened === 'object') {
      unopened.delete(key)
      if (opened.isStale) await keep(key, opened.value)
      return opened.value
    }
    if (opened === 'unavailable') {
      unopened.add(key)
      askLater()
    }
    return null
  }

  function askLater(): void {
    if (willAsk) return
    willAsk = true
    const delay = ASK_AGAIN_MS[Math.min(failures, ASK_AGAIN_MS.length - 1)] ?? 0
    failures += 1
    parts.schedule(delay, () => {
      willAsk = false
      void inTurn(askAgain)
    })
  }

  /** Seals what memory holds and opens what did not open; `keep` and `find` ask again when that fails. */
  async function askAgain(): Promise<void> {
    for (const [key, value] of [...memory]) if (value !== null) await keep(key, value)
    for (const key of [...unopened]) {
      if (!mayUse(key)) unopened.delete(key)
      else if ((await find(key)) !== null) {
        log.info('the keychain opened a session that it did not open before')
        parts.recovered()
      }
    }
    if (!willAsk) failures = 0
  }

  async function hasKeychain(): Promise<boolean> {
    return typeof (await cipher.seal('probe')) === 'object'
  }

  /** Chosen plainly: what memory holds goes to disk as it is. */
  async function keepPlainly(): Promise<undefined> {
    if (await hasKeychain()) return
    const { entries } = file.read()
    const others = Object.entries(entries).filter(([key]) => !memory.has(key))
    const remembered = [...memory].flatMap(([key, value]): [string, Entry][] =>
      value === null ? [] : [[key, { kind: 'plain', value }]],
    )
    file.write({ keepPlain: true, entries: Object.fromEntries([...others, ...remembered]) })
    memory.clear()
  }

  return {
    getItem: (key) => inTurnFor(key, () => find(key)),
    setItem: (key, value) => inTurnFor(key, () => keep(key, value)),
    removeItem: (key) => inTurnFor(key, () => forget(key)),
    persistence: () =>
      inTurn(async () => {
        if (await hasKeychain()) return 'secure'
        const isInMemory = [...memory.values()].some((value) => value !== null)
        return file.read().keepPlain && !isInMemory ? 'plain' : 'memory'
      }),
    keepAnyway: () => inTurn(keepPlainly),
    settled: () => last,
  }
}

export function sessionHandlers(vault: SessionVault): HandlersOf<'session'> {
  return {
    'session.getItem': vault.getItem,
    'session.setItem': vault.setItem,
    'session.removeItem': vault.removeItem,
    'session.persistence': vault.persistence,
    'session.keepAnyway': vault.keepAnyway,
  }
}
