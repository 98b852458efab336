import * as z from 'zod'
import type { DocumentFile } from '#/main/files/document-file'
import type { HandlersOf } from '#/main/ipc'
import type { Log } from '#/main/log'
import { texts } from '#/main/texts'
import type { Schedule } from '#/main/timers'
import type { SessionPersistence } from '#/shared/bridge'
import { BridgeError } from '#/shared/bridge-error'
import { sessionKey } from '#/shared/server'
import type { Sealed, VaultCipher } from './vault-cipher'

const entrySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('sealed'), data: z.base64() }),
  z.strictObject({ kind: z.literal('plain'), value: z.string() }),
])

/** sessions.json: whether the member accepted storing sessions without a keychain, and the sessions by key. */
export const sessionsSchema = z.strictObject({
  keepPlain: z.boolean(),
  entries: z.record(z.string(), entrySchema),
})

type Entry = z.infer<typeof entrySchema>
export type Sessions = z.infer<typeof sessionsSchema>
export const NO_SESSIONS: Sessions = { keepPlain: false, entries: {} }

/** Keys that supabase-js stores next to the session: the PKCE verifier and, if configured, the user. */
const KEY_SUFFIXES = ['', '-code-verifier', '-user']

/**
 * Whether a key belongs to this server's session. A page connected to a malicious server cannot read the sessions of
 * others.
 */
export function isSessionKey(key: string, storageKey: string): boolean {
  return KEY_SUFFIXES.some((suffix) => key === `${sessionKey({ storageKey })}${suffix}`)
}

export interface VaultParts {
  cipher: VaultCipher
  file: DocumentFile<Sessions>
  /** Whether the page may currently use this key. */
  mayUse(key: string): boolean
  schedule: Schedule
  /** The keychain has answered late and decrypted a stored session: the page should reload it. */
  recovered(): void
  /** A session, or what supabase-js stores with it, was removed: the member signed out. */
  signedOut(): void
  log: Pick<Log, 'warn' | 'error' | 'info'>
}

/** Delays between questions to a keychain that has not answered, in milliseconds. The last one repeats. */
const RETRY_DELAYS_MS = [15_000, 60_000, 300_000, 1_800_000] as const

export interface SessionVault {
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<undefined>
  removeItem(key: string): Promise<undefined>
  persistence(): Promise<SessionPersistence>
  keepAnyway(): Promise<undefined>
  /** Resolves when all calls so far have finished. */
  settled(): Promise<unknown>
}

/**
 * Stores supabase-js's sessions: encrypted on disk if the system has a keychain, otherwise in memory, or as plain text
 * if the member chose that. Calls run one after another, so writes do not interleave and a read sees the write before
 * it. A locked or slow keychain never loses a session: only signing out removes an encrypted one, and only a newer
 * encrypted one replaces it. A locked keychain opens in the next run only (vault-cipher.ts).
 */
export function createSessionVault(parts: VaultParts): SessionVault {
  const { cipher, file, mayUse, log } = parts
  /** Null marks a removed session that the disk still contains. */
  const memory = new Map<string, string | null>()
  /** Keys of stored sessions that wait for the keychain's answer. */
  const undecrypted = new Set<string>()
  /** A keychain has sealed sessions in an earlier run: if there is none now, it is locked. */
  const hadKeychain = Object.values(file.read().entries).some(({ kind }) => kind === 'sealed')
  let failures = 0
  let isRetryScheduled = false
  let last: Promise<unknown> = Promise.resolve()

  function enqueue<T>(task: () => Promise<T>): Promise<T> {
    const turn = last.then(task)
    last = turn.catch(() => undefined)
    return turn
  }

  /** Like `enqueue`, but checks that the page may use the key when the task runs. */
  function enqueueFor<T>(key: string, task: () => Promise<T>): Promise<T> {
    return enqueue(() => {
      if (!mayUse(key)) throw new BridgeError('refused', texts.bridge.refused)
      return task()
    })
  }

  function writeEntry(key: string, entry: Entry | null): void {
    const { keepPlain, entries } = file.read()
    const others = Object.entries(entries).filter(([name]) => name !== key && memory.get(name) !== null)
    file.write({
      keepPlain,
      entries: Object.fromEntries(entry === null ? others : [...others, [key, entry]]),
    })
  }

  function isLocked(sealed: Sealed): boolean {
    return sealed === 'locked' || sealed === 'pending' || (sealed === 'weak' && hadKeychain)
  }

  /** Stores the value. If the disk refuses, it stays in memory until the app quits. */
  async function store(key: string, value: string): Promise<undefined> {
    undecrypted.delete(key)
    const sealed = await cipher.seal(value)
    const { keepPlain, entries } = file.read()
    try {
      if (typeof sealed === 'object') writeEntry(key, { kind: 'sealed', data: sealed.data })
      else if (entries[key]?.kind === 'plain' || (keepPlain && !isLocked(sealed)))
        writeEntry(key, { kind: 'plain', value })
      else {
        memory.set(key, value)
        if (sealed === 'pending') scheduleRetry()
        return
      }
      memory.delete(key)
    } catch (cause) {
      log.error('could not write a session', cause)
      memory.set(key, value)
    }
  }

  /** Removes the value. If the disk refuses, memory marks it as removed until the app quits. */
  async function remove(key: string): Promise<undefined> {
    memory.delete(key)
    undecrypted.delete(key)
    try {
      if (Object.hasOwn(file.read().entries, key)) writeEntry(key, null)
      file.discardDamaged()
    } catch (cause) {
      log.error('could not remove a session', cause)
      memory.set(key, null)
    }
    parts.signedOut()
  }

  async function load(key: string): Promise<string | null> {
    const inMemory = memory.get(key)
    if (inMemory !== undefined) return inMemory
    const { entries } = file.read()
    const entry = Object.hasOwn(entries, key) ? entries[key] : undefined
    if (entry === undefined) return null
    if (entry.kind === 'plain') {
      // Encrypt it if a keychain has become available.
      await store(key, entry.value)
      return entry.value
    }
    const decrypted = await cipher.unseal(entry.data)
    if (typeof decrypted === 'object') {
      undecrypted.delete(key)
      if (decrypted.isStale) await store(key, decrypted.value)
      return decrypted.value
    }
    if (decrypted === 'pending') {
      undecrypted.add(key)
      scheduleRetry()
    }
    return null
  }

  function scheduleRetry(): void {
    if (isRetryScheduled) return
    isRetryScheduled = true
    const delay = RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)] ?? 0
    failures += 1
    parts.schedule(delay, () => {
      isRetryScheduled = false
      void enqueue(retry)
    })
  }

  /**
   * Retries encrypting the sessions in memory and decrypting the stored ones. `store` and `load` schedule the next
   * retry on failure.
   */
  async function retry(): Promise<void> {
    for (const [key, value] of [...memory]) if (value !== null) await store(key, value)
    for (const key of [...undecrypted]) {
      if (!mayUse(key)) undecrypted.delete(key)
      else if ((await load(key)) !== null) {
        log.info('the keychain answered late and decrypted a session')
        parts.recovered()
      }
    }
    if (!isRetryScheduled) failures = 0
  }

  const probe = () => cipher.seal('probe')

  /** Writes the sessions in memory to disk as plain text, unless there is a keychain. */
  async function storeAsPlainText(): Promise<undefined> {
    const sealed = await probe()
    if (typeof sealed === 'object' || isLocked(sealed)) return
    const { entries } = file.read()
    const others = Object.entries(entries).filter(([key]) => !memory.has(key))
    const inMemory = [...memory].flatMap(([key, value]): [string, Entry][] =>
      value === null ? [] : [[key, { kind: 'plain', value }]],
    )
    file.write({ keepPlain: true, entries: Object.fromEntries([...others, ...inMemory]) })
    memory.clear()
  }

  return {
    getItem: (key) => enqueueFor(key, () => load(key)),
    setItem: (key, value) => enqueueFor(key, () => store(key, value)),
    removeItem: (key) => enqueueFor(key, () => remove(key)),
    persistence: () =>
      enqueue(async () => {
        const sealed = await probe()
        if (typeof sealed === 'object') return 'secure'
        if (isLocked(sealed)) return 'locked'
        const isInMemory = [...memory.values()].some((value) => value !== null)
        return file.read().keepPlain && !isInMemory ? 'plain' : 'memory'
      }),
    keepAnyway: () => enqueue(storeAsPlainText),
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
