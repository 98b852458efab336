import { describe, expect, test } from 'vitest'
import { createVaultCipher, type SystemCipher } from '#/main/vault-cipher'
import { manualClock } from './support/manual-clock'
import { recordingLog } from './support/recording-log'

const PLAIN = 'a session'
const bytesOf = (prefix: string) => Buffer.from(`${prefix}sealed`)

/** A keychain that works; each test breaks what it is about. */
function keychain(own: Partial<SystemCipher> = {}): SystemCipher {
  return {
    isAsyncEncryptionAvailable: async () => true,
    encryptStringAsync: async () => bytesOf('v11'),
    decryptStringAsync: async () => ({ result: PLAIN, shouldReEncrypt: false }),
    ...own,
  }
}

function cipherOn(system: SystemCipher, platform: NodeJS.Platform = 'linux') {
  const clock = manualClock()
  const log = recordingLog()
  return { cipher: createVaultCipher({ system, platform, wait: clock.wait, log }), clock, log }
}

const UNAVAILABLE = () => Promise.reject(new Error('Encryption is temporarily unavailable'))

describe('sealing', () => {
  test.each(['v11', 'v12'])('the secret service’s %s is strong', async (prefix) => {
    const { cipher } = cipherOn(keychain({ encryptStringAsync: async () => bytesOf(prefix) }))
    expect(await cipher.seal(PLAIN)).toEqual({ data: bytesOf(prefix).toString('base64') })
  })

  test('v10 on Linux is a key that everybody has', async () => {
    const { cipher } = cipherOn(keychain({ encryptStringAsync: async () => bytesOf('v10') }))
    expect(await cipher.seal(PLAIN)).toBe('weak')
  })

  test.each(['win32', 'darwin'] as const)('v10 on %s is the system’s own key', async (platform) => {
    const { cipher } = cipherOn(keychain({ encryptStringAsync: async () => bytesOf('v10') }), platform)
    expect(await cipher.seal(PLAIN)).toEqual({ data: bytesOf('v10').toString('base64') })
  })

  test('no encryption, or one that fails, is weak', async () => {
    const none = cipherOn(keychain({ isAsyncEncryptionAvailable: async () => false }))
    expect(await none.cipher.seal(PLAIN)).toBe('weak')
    const denied = cipherOn(
      keychain({ encryptStringAsync: () => Promise.reject(new Error('denied')) }),
      'darwin',
    )
    expect(await denied.cipher.seal(PLAIN)).toBe('weak')
  })

  test('one that comes back is unavailable, and so is one that never answers', async () => {
    const locked = cipherOn(keychain({ encryptStringAsync: UNAVAILABLE }))
    expect(await locked.cipher.seal(PLAIN)).toBe('unavailable')
    const silent = cipherOn(keychain({ encryptStringAsync: () => new Promise(() => undefined) }))
    const sealed = silent.cipher.seal(PLAIN)
    await silent.clock.advance(30_000)
    expect(await sealed).toBe('unavailable')
  })
})

describe('unsealing', () => {
  const DATA = bytesOf('v11').toString('base64')

  test('gives the text, and says when it should be sealed anew', async () => {
    const system = keychain({ decryptStringAsync: async () => ({ result: PLAIN, shouldReEncrypt: true }) })
    expect(await cipherOn(system).cipher.unseal(DATA)).toEqual({ value: PLAIN, isStale: true })
  })

  test('hands the keychain the bytes that were sealed', async () => {
    const seen: Buffer[] = []
    const system = keychain({
      decryptStringAsync: async (bytes) => {
        seen.push(bytes)
        return { result: PLAIN, shouldReEncrypt: false }
      },
    })
    await cipherOn(system).cipher.unseal(DATA)
    expect(seen).toEqual([bytesOf('v11')])
  })

  test('tries again while the keychain is temporarily unavailable', async () => {
    let tries = 0
    const system = keychain({
      decryptStringAsync: async () => {
        tries += 1
        return tries < 3 ? UNAVAILABLE() : { result: PLAIN, shouldReEncrypt: false }
      },
    })
    const { cipher, clock } = cipherOn(system)
    const opened = cipher.unseal(DATA)
    await clock.advance(2_000)
    expect(await opened).toEqual({ value: PLAIN, isStale: false })
    expect(tries).toBe(3)
  })

  test('says so when it stays unavailable', async () => {
    const { cipher, clock } = cipherOn(keychain({ decryptStringAsync: UNAVAILABLE }))
    const opened = cipher.unseal(DATA)
    await clock.advance(5_000)
    expect(await opened).toBe('unavailable')
  })

  const broken = () =>
    keychain({ decryptStringAsync: () => Promise.reject(new Error('Error while decrypting')) })

  test.each(['win32', 'darwin'] as const)(
    'any other failure is unreadable, at once, on %s',
    async (platform) => {
      expect(await cipherOn(broken(), platform).cipher.unseal(DATA)).toBe('unreadable')
    },
  )

  test('on Linux a failure reported as permanent may be a locked or late keyring', async () => {
    const { cipher, clock } = cipherOn(broken())
    const opened = cipher.unseal(DATA)
    await clock.advance(5_000)
    expect(await opened).toBe('unavailable')
    const failing = keychain({
      encryptStringAsync: () => Promise.reject(new Error('Error while encrypting')),
    })
    expect(await cipherOn(failing).cipher.seal(PLAIN)).toBe('unavailable')
  })
})
