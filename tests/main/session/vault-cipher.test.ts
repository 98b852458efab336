import { describe, expect, test } from 'vitest'
import { createVaultCipher, type SystemCipher } from '#/main/session/vault-cipher'
import { manualClock } from '../support/manual-clock'
import { recordingLog } from '../support/recording-log'

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

  test('a keychain that refuses may open in the next run; one that is silent may still answer', async () => {
    const locked = createTestCipher(keychain({ encryptStringAsync: UNAVAILABLE }))
    expect(await locked.cipher.seal(PLAIN)).toBe('locked')
    const silent = createTestCipher(keychain({ encryptStringAsync: () => new Promise(() => undefined) }))
    const sealed = silent.cipher.seal(PLAIN)
    await silent.clock.advance(30_000)
    expect(await sealed).toBe('pending')
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

  test('DESK-11 asks once: the keychain’s first answer holds until the process ends', async () => {
    let questions = 0
    const system = keychain({
      decryptStringAsync: () => {
        questions += 1
        return UNAVAILABLE()
      },
    })
    const { cipher, clock } = createTestCipher(system)
    const opened = cipher.unseal(DATA)
    await clock.advance(5_000)
    expect(await opened).toBe('locked')
    expect(questions).toBe(1)
  })

  test('a silent keychain is pending after 30 seconds', async () => {
    const silent = createTestCipher(keychain({ decryptStringAsync: () => new Promise(() => undefined) }))
    const opened = silent.cipher.unseal(DATA)
    await silent.clock.advance(30_000)
    expect(await opened).toBe('pending')
  })

  const broken = () =>
    keychain({ decryptStringAsync: () => Promise.reject(new Error('Error while decrypting')) })

  test.each(['win32', 'darwin'] as const)('any other failure is unreadable on %s', async (platform) => {
    expect(await createTestCipher(broken(), platform).cipher.unseal(DATA)).toBe('unreadable')
  })

  test('on Linux any failure may be a locked keyring', async () => {
    expect(await createTestCipher(broken()).cipher.unseal(DATA)).toBe('locked')
    const failing = keychain({
      encryptStringAsync: () => Promise.reject(new Error('Error while encrypting')),
    })
    expect(await createTestCipher(failing).cipher.seal(PLAIN)).toBe('locked')
  })
})
