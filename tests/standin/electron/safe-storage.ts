import type { SafeStorage } from 'electron'
import { hasBecomeReady, knowsOnly, strict, type Unknown } from './life'

/** As the Linux keychain marks what it encrypted; `v10` is the key that everybody knows. */
const isWeak = process.env.STANDIN_KEYCHAIN === 'weak' || process.argv.includes('--password-store=basic')
const prefix = isWeak ? 'v10' : 'v11'

async function whenReady(): Promise<void> {
  if (!hasBecomeReady()) throw new Error('safeStorage cannot be used before app is ready')
}

/** Turns the bytes round: enough to tell sealed text from plain. */
function scramble(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ 0x5a))
}

const standin = {
  async isAsyncEncryptionAvailable(): Promise<boolean> {
    await whenReady()
    return true
  },

  async encryptStringAsync(text: string): Promise<Buffer> {
    await whenReady()
    return Buffer.concat([Buffer.from(prefix), scramble(Buffer.from(text))])
  },

  async decryptStringAsync(bytes: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> {
    await whenReady()
    if (bytes.subarray(0, 3).toString() !== prefix) throw new Error('Error while decrypting the ciphertext')
    return { result: scramble(bytes.subarray(3)).toString(), shouldReEncrypt: false }
  },
} satisfies Partial<SafeStorage>

knowsOnly<Unknown<typeof standin, SafeStorage>>()

export const safeStorage = strict('safeStorage', standin)
