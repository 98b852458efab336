import type { SafeStorage } from 'electron'
import type { Log } from '#/main/log'

/** Electron's asynchronous safeStorage API. The synchronous one is deprecated in 45 and removed in 46. */
export type SystemCipher = Pick<
  SafeStorage,
  'encryptStringAsync' | 'decryptStringAsync' | 'isAsyncEncryptionAvailable'
>

/**
 * `weak`: no keychain protects data in this run, because there is none or it stays locked; `locked`: the keychain
 * exists, but refuses until the app restarts; `pending`: it has not answered yet.
 */
export type Sealed = { data: string } | 'weak' | 'locked' | 'pending'

/** `unreadable`: the data cannot be decrypted; `locked`: not in this run; `pending`: the keychain has not answered yet. */
export type Unsealed = { value: string; isStale: boolean } | 'unreadable' | 'locked' | 'pending'

export interface VaultCipher {
  seal(value: string): Promise<Sealed>
  unseal(data: string): Promise<Unsealed>
}

export interface CipherParts {
  system: SystemCipher
  platform: NodeJS.Platform
  /** Resolves after a delay in milliseconds. */
  wait(milliseconds: number): Promise<void>
  log: Pick<Log, 'warn'>
}

/** A keyring may prompt the member or hang. After this time it counts as pending. */
const TIMEOUT_MS = 30_000

/**
 * On Linux without a keyring, Chromium encrypts with a hard-coded key and marks the data only by this prefix.
 * getSelectedStorageBackend() merely guesses from the desktop's name.
 */
const WEAK_PREFIX = 'v10'

class NoAnswer extends Error {}

/**
 * Whether the keychain may open in another run. Chromium's secret service provider can report a locked, dismissed or
 * slow keyring as a permanent failure, so on Linux every failure may be one of these.
 */
function mayBeLocked(cause: unknown, platform: NodeJS.Platform): boolean {
  return platform === 'linux' || (cause instanceof Error && cause.message.includes('temporarily unavailable'))
}

/**
 * Encrypts text with the system's keychain, as base64, and distinguishes the kinds of failure. The keychain's first
 * answer holds for the process: Electron assigns its encryptor once (electron_api_safe_storage.cc), so only an answer
 * that is still pending can change.
 */
export function createVaultCipher({ system, platform, wait, log }: CipherParts): VaultCipher {
  const withTimeout = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([
      work,
      wait(TIMEOUT_MS).then(() => Promise.reject(new NoAnswer('the keychain did not answer'))),
    ])

  async function seal(value: string): Promise<Sealed> {
    try {
      if (!(await withTimeout(system.isAsyncEncryptionAvailable()))) return 'weak'
      const bytes = await withTimeout(system.encryptStringAsync(value))
      const isWeak =
        platform === 'linux' && bytes.subarray(0, WEAK_PREFIX.length).toString('latin1') === WEAK_PREFIX
      return isWeak ? 'weak' : { data: bytes.toString('base64') }
    } catch (cause) {
      log.warn('the keychain did not encrypt', cause)
      if (cause instanceof NoAnswer) return 'pending'
      return mayBeLocked(cause, platform) ? 'locked' : 'weak'
    }
  }

  async function unseal(data: string): Promise<Unsealed> {
    try {
      const opened = await withTimeout(system.decryptStringAsync(Buffer.from(data, 'base64')))
      return { value: opened.result, isStale: opened.shouldReEncrypt }
    } catch (cause) {
      log.warn('the keychain did not decrypt', cause)
      if (cause instanceof NoAnswer) return 'pending'
      return mayBeLocked(cause, platform) ? 'locked' : 'unreadable'
    }
  }

  return { seal, unseal }
}
