import type { SafeStorage } from 'electron'
import type { Log } from './log'

/** The asynchronous half of Electron's safeStorage; the synchronous one is deprecated in 45 and gone in 46. */
export type SystemCipher = Pick<
  SafeStorage,
  'encryptStringAsync' | 'decryptStringAsync' | 'isAsyncEncryptionAvailable'
>

/** `weak`: nothing protects it, for now at least; `unavailable`: the keychain did not encrypt. */
export type Sealed = { data: string } | 'weak' | 'unavailable'

/** `unreadable`: this data will not open; `unavailable`: it may, later. */
export type Unsealed = { value: string; isStale: boolean } | 'unreadable' | 'unavailable'

export interface VaultCipher {
  seal(value: string): Promise<Sealed>
  unseal(data: string): Promise<Unsealed>
}

export interface CipherParts {
  system: SystemCipher
  platform: NodeJS.Platform
  /** Resolves after so many milliseconds. */
  wait(milliseconds: number): Promise<void>
  log: Pick<Log, 'warn'>
}

/** A keyring may ask the member to unlock it, or hang; after this many milliseconds it counts as unavailable. */
const PATIENCE_MS = 30_000
const RETRY_DELAYS_MS = [250, 1_000]

/**
 * Without a keyring, Linux encrypts with a key that is in every copy of Chromium and says so by this prefix only;
 * getSelectedStorageBackend() is a guess from the desktop's name.
 */
const WEAK_PREFIX = 'v10'

/**
 * Whether asking again may help. Chromium's secret service provider can report a locked, dismissed or late keyring as a
 * permanent failure, so on Linux every failure counts as temporary.
 */
function isTemporary(cause: unknown, platform: NodeJS.Platform): boolean {
  return platform === 'linux' || (cause instanceof Error && cause.message.includes('temporarily unavailable'))
}

/** Seals text with the system's keychain, as base64, and tells apart what 'it did not work' means. */
export function createVaultCipher({ system, platform, wait, log }: CipherParts): VaultCipher {
  const patiently = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([
      work,
      wait(PATIENCE_MS).then(() => Promise.reject(new Error('keychain temporarily unavailable: no answer'))),
    ])

  async function seal(value: string): Promise<Sealed> {
    try {
      if (!(await patiently(system.isAsyncEncryptionAvailable()))) return 'weak'
      const bytes = await patiently(system.encryptStringAsync(value))
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
      const opened = await patiently(system.decryptStringAsync(Buffer.from(data, 'base64')))
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
