import type { SafeStorage } from 'electron'
import { hasBecomeReady, knowsOnly, strict, type Unknown } from './life'

/**
 * State of the keychain. `weak`: none, so Linux encrypts with a public key. `denied`: the same for this process
 * although there is a keychain, and its encrypted data does not decrypt. `late`: waits for the member to unlock it.
 * `busy`: reports a temporary failure.
 */
export type KeychainMode = 'open' | 'weak' | 'denied' | 'late' | 'busy'

const WEAK = 'v10'
const STRONG = 'v11'

let mode: KeychainMode = process.argv.includes('--password-store=basic')
  ? 'weak'
  : ((process.env.STANDIN_KEYCHAIN ?? 'open') as KeychainMode)
const waiting: (() => void)[] = []

/** Changes the keychain while the app runs. */
export function setKeychain(next: KeychainMode): void {
  mode = next
  if (mode === 'late') return
  for (const done of waiting.splice(0)) done()
}

function requireStarted(): void {
  if (!hasBecomeReady()) throw new Error('safeStorage cannot be used before app is ready')
}

/** Resolves when Chromium has an encryption key, with or without a keychain. */
async function keyThere(): Promise<void> {
  if (mode === 'late') await new Promise<void>((resolve) => waiting.push(resolve))
}

/** Inverts the bytes, so that encrypted text differs from plain text. */
function scramble(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ 0x5a))
}

// Messages and order match Electron's shell/browser/api/electron_api_safe_storage.cc.
const standin = {
  async isAsyncEncryptionAvailable(): Promise<boolean> {
    if (!hasBecomeReady()) return false
    await keyThere()
    return true
  },

  async encryptStringAsync(text: string): Promise<Buffer> {
    requireStarted()
    await keyThere()
    if (mode === 'busy')
      throw new Error('Error while encrypting the text provided to safeStorage.encryptStringAsync.')
    const prefix = mode === 'open' ? STRONG : WEAK
    return Buffer.concat([Buffer.from(prefix), scramble(Buffer.from(text))])
  },

  async decryptStringAsync(bytes: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> {
    requireStarted()
    await keyThere()
    if (mode === 'busy')
      throw new Error('safeStorage.decryptStringAsync is temporarily unavailable. Please try again.')
    const prefix = bytes.subarray(0, 3).toString()
    if (prefix !== WEAK && (prefix !== STRONG || mode !== 'open')) {
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.')
    }
    return { result: scramble(bytes.subarray(3)).toString(), shouldReEncrypt: false }
  },
} satisfies Partial<SafeStorage>

knowsOnly<Unknown<typeof standin, SafeStorage>>()

export const safeStorage = strict('safeStorage', standin)
