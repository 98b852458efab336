import type { SafeStorage } from 'electron'
import type { Log } from './log'

/** Electron's asynchronous safeStorage API. The synchronous one is deprecated in 45 and removed in 46. */
export type SystemCipher = Pick<
  SafeStorage,
  'encryptStringAsync' | 'decryptStringAsync' | 'isAsyncEncryptionAvailable'
>

/** `weak`: there is no keychain protection at the moment; `unavailable`: the keychain did not encrypt. */
export type Sealed = { data: string } | 'weak' | 'unavailable'

/** `unreadable`: the data cannot be decrypted; `unavailable`: a later attempt may succeed. */
export type Unsealed = { value: string; isStale: boolean } | 'unreadable' | 'unavailable'

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

/** A keyring may prompt the member or hang. After this time it counts as unavailable. */
const TIMEOUT_MS = 30_000
const RETRY_DELAYS_MS = [250, 1_000]

/**
 * On Linux without a keyring, Chromium encrypts with a hard-coded key and marks the data only by this prefix.
 * getSelectedStorageBackend() merely guesses from the desktop's name.
 */
const WEAK_PREFIX = 'v10'

/**
 * Whether a retry may help. Chromium's secret service provider can report a locked, dismissed or slow keyring as a
 * permanent failure, so on Linux every failure counts as temporary.
 */
function isTemporary(cause: unknown, platform: NodeJS.Platform): boolean {
  return platform === 'linux' || (cause instanceof Error && cause.message.includes('temporarily unavailable'))
}

/** Encrypts text with the system's keychain, as base64, and distinguishes the kinds of failure. */
export function createVaultCipher({ system, platform, wait, log }: CipherParts): VaultCipher {
  const withTimeout = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([
      work,
      wait(TIMEOUT_MS).then(() => Promise.reject(new Error('keychain temporarily unavailable: no answer'))),
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
      return isTemporary(cause, platform) ? 'unavailable' : 'weak'
    }
  }

  async function unsealOnce(data: string): Promise<Unsealed> {
    try {
      const opened = await withTimeout(system.decryptStringAsync(Buffer.from(data, 'base64')))
      return { value: opened.result, isStale: opened.shouldReEncrypt }
    } catch (cause) {
      log.warn('the keychain did not decrypt', cause)
      return isTemporary(cause, platform) ? 'unavailable' : 'unreadable'
    }
  }

  async function unseal(data: string): Promise<Unsealed> {
    let outcome = await unsealOnce(data)
    for (const delay of RETRY_DELAYS_MS) {
      if (outcome !== 'unavailable') break
      await wait(delay)
      outcome = await unsealOnce(data)
    }
    return outcome
  }

  return { seal, unseal }
}
