import { describe, expect, test } from 'vitest'
import { createVaultCipher, type SystemCipher } from '#/main/vault-cipher'
import { manualClock } from './support/manual-clock'
import { recordingLog } from './support/recording-log'

const PLAIN = 'a session'
const bytesOf = (prefix: string) => Buffer.from(`${prefix}sealed`)

/** A working keychain; each test overrides what it needs. */
function keychain(own: Partial<SystemCipher> = {}): SystemCipher {
  return {
    isAsyncEncryptionAvailable: async () => true,
    encryptStringAsync: async () => bytesOf('v11'),
    decryptStringAsync: async () => ({ result: PLAIN, shouldReEncrypt: false }),
    ...own,
  }
}

function createTestCipher(system: SystemCipher, platform: NodeJS.Platform = 'linux') {
  const clock = manualClock()
  const log = recordingLog()
  return { cipher: createVaultCipher({ system, platform, wait: clock.wait, log }), clock, log }
}

const UNAVAILABLE = () => Promise.reject(new Error('Encryption is temporarily unavailable'))

describe('seal', () => {
  test.each(['v11', 'v12'])('%s of the secret service is strong', async (prefix) => {
    const { cipher } = createTestCipher(keychain({ encryptStringAsync: async () => bytesOf(prefix) }))
    expect(await cipher.seal(PLAIN)).toEqual({ data: bytesOf(prefix).toString('base64') })
  })

  test('v10 on Linux is weak, because its key is public', async () => {
    const { cipher } = createTestCipher(keychain({ encryptStringAsync: async () => bytesOf('v10') }))
    expect(await cipher.seal(PLAIN)).toBe('weak')
  })

  test.each(['win32', 'darwin'] as const)('v10 on %s is strong', async (platform) => {
    const { cipher } = createTestCipher(
      keychain({ encryptStringAsync: async () => bytesOf('v10') }),
      platform,
    )
    expect(await cipher.seal(PLAIN)).toEqual({ data: bytesOf('v10').toString('base64') })
  })

  test('no encryption, or a permanent failure, is weak', async () => {
    const none = createTestCipher(keychain({ isAsyncEncryptionAvailable: async () => false }))
    expect(await none.cipher.seal(PLAIN)).toBe('weak')
    const denied = createTestCipher(
      keychain({ encryptStringAsync: () => Promise.reject(new Error('denied')) }),
      'darwin',
    )
    expect(await denied.cipher.seal(PLAIN)).toBe('weak')
  })

  test('a temporary failure and a timeout are unavailable', async () => {
    const locked = createTestCipher(keychain({ encryptStringAsync: UNAVAILABLE }))
    expect(await locked.cipher.seal(PLAIN)).toBe('unavailable')
    const silent = createTestCipher(keychain({ encryptStringAsync: () => new Promise(() => undefined) }))
    const sealed = silent.cipher.seal(PLAIN)
    await silent.clock.advance(30_000)
    expect(await sealed).toBe('unavailable')
  })
})

describe('unseal', () => {
  const DATA = bytesOf('v11').toString('base64')

  test('returns the text, and whether it should be encrypted again', async () => {
    const system = keychain({ decryptStringAsync: async () => ({ result: PLAIN, shouldReEncrypt: true }) })
    expect(await createTestCipher(system).cipher.unseal(DATA)).toEqual({ value: PLAIN, isStale: true })
  })

  test('passes the encrypted bytes to the keychain', async () => {
    const seen: Buffer[] = []
    const system = keychain({
      decryptStringAsync: async (bytes) => {
        seen.push(bytes)
        return { result: PLAIN, shouldReEncrypt: false }
      },
    })
    await createTestCipher(system).cipher.unseal(DATA)
    expect(seen).toEqual([bytesOf('v11')])
  })

  test('retries while the keychain is temporarily unavailable', async () => {
    let tries = 0
    const system = keychain({
      decryptStringAsync: async () => {
        tries += 1
        return tries < 3 ? UNAVAILABLE() : { result: PLAIN, shouldReEncrypt: false }
      },
    })
    const { cipher, clock } = createTestCipher(system)
    const opened = cipher.unseal(DATA)
    await clock.advance(2_000)
    expect(await opened).toEqual({ value: PLAIN, isStale: false })
    expect(tries).toBe(3)
  })

  test('returns unavailable after the last retry', async () => {
    const { cipher, clock } = createTestCipher(keychain({ decryptStringAsync: UNAVAILABLE }))
    const opened = cipher.unseal(DATA)
    await clock.advance(5_000)
    expect(await opened).toBe('unavailable')
  })

  const broken = () =>
    keychain({ decryptStringAsync: () => Promise.reject(new Error('Error while decrypting')) })

  test.each(['win32', 'darwin'] as const)(
    'any other failure is unreadable without a retry on %s',
    async (platform) => {
      expect(await createTestCipher(broken(), platform).cipher.unseal(DATA)).toBe('unreadable')
    },
  )

  test('treats a permanent failure on Linux as temporary, because the keyring may be locked or slow', async () => {
    const { cipher, clock } = createTestCipher(broken())
    const opened = cipher.unseal(DATA)
    await clock.advance(5_000)
    expect(await opened).toBe('unavailable')
    const failing = keychain({
      encryptStringAsync: () => Promise.reject(new Error('Error while encrypting')),
    })
    expect(await createTestCipher(failing).cipher.seal(PLAIN)).toBe('unavailable')
  })
})
