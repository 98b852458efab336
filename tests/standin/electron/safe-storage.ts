import type { SafeStorage } from 'electron'
import { hasBecomeReady, knowsOnly, strict, type Unknown } from './life'

/**
 * State of the keychain. `weak`: none, so Linux encrypts with a public key. `denied`: the same although there is a
 * keychain, because it is locked or its prompt was dismissed; data that it encrypted does not decrypt. `late`: waits for
 * the member to unlock it. `busy`: reports a temporary failure.
 */
export type KeychainMode = 'open' | 'weak' | 'denied' | 'late' | 'busy'

const WEAK = 'v10'
const STRONG = 'v11'

type Answer = Exclude<KeychainMode, 'late'>

let mode: KeychainMode = process.argv.includes('--password-store=basic')
  ? 'weak'
  : ((process.env.STANDIN_KEYCHAIN ?? 'open') as KeychainMode)
let answered: Answer | null = null
const waiting: (() => void)[] = []

/** Changes the keychain while the app runs. A process that has its answer does not notice. */
export function setKeychain(next: KeychainMode): void {
  mode = next
  if (mode === 'late') return
  for (const done of waiting.splice(0)) done()
}

function requireStarted(): void {
  if (!hasBecomeReady()) throw new Error('safeStorage cannot be used before app is ready')
}

/**
 * The keychain's first answer, which holds until the process ends: Electron assigns its encryptor once, and Chromium's
 * os_crypt_async.cc hands out clones of the first instance.
 */
async function answer(): Promise<Answer> {
  if (answered === null && mode === 'late') await new Promise<void>((resolve) => waiting.push(resolve))
  answered ??= mode as Answer
  return answered
}

/** Inverts the bytes, so that encrypted text differs from plain text. */
function scramble(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ 0x5a))
}

// Messages and order match Electron's shell/browser/api/electron_api_safe_storage.cc.
const standin = {
  getSelectedStorageBackend(): ReturnType<SafeStorage['getSelectedStorageBackend']> {
    if (process.platform !== 'linux')
      throw new TypeError('safeStorage.getSelectedStorageBackend is not a function')
    return hasBecomeReady() ? 'gnome_libsecret' : 'unknown'
  },

  async isAsyncEncryptionAvailable(): Promise<boolean> {
    if (!hasBecomeReady()) return false
    await answer()
    return true
  },

  async encryptStringAsync(text: string): Promise<Buffer> {
    requireStarted()
    const keychain = await answer()
    if (keychain === 'busy')
      throw new Error('Error while encrypting the text provided to safeStorage.encryptStringAsync.')
    const prefix = keychain === 'open' ? STRONG : WEAK
    return Buffer.concat([Buffer.from(prefix), scramble(Buffer.from(text))])
  },

  async decryptStringAsync(bytes: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> {
    requireStarted()
    const keychain = await answer()
    if (keychain === 'busy')
      throw new Error('safeStorage.decryptStringAsync is temporarily unavailable. Please try again.')
    const prefix = bytes.subarray(0, 3).toString()
    if (prefix !== WEAK && (prefix !== STRONG || keychain !== 'open')) {
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.')
    }
    return { result: scramble(bytes.subarray(3)).toString(), shouldReEncrypt: false }
  },
} satisfies Partial<SafeStorage>

knowsOnly<Unknown<typeof standin, SafeStorage>>()

export const safeStorage = strict('safeStorage', standin)
