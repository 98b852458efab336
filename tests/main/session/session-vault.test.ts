import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import {
  createSessionVault,
  isSessionKey,
  NO_SESSIONS,
  type Sessions,
  sessionsSchema,
} from '#/main/session/session-vault'
import type { VaultCipher } from '#/main/session/vault-cipher'
import { manualClock } from '../support/manual-clock'
import { memoryDocument } from '../support/memory-document'
import { recordingLog } from '../support/recording-log'

const KEY = 'vignette.session.embedded'

/** A cipher whose strength can be changed while the vault uses it. */
function fakeCipher(mode: 'strong' | 'weak' | 'locked' | 'pending' = 'strong') {
  const cipher = {
    mode,
    seals: 0,
    isStale: false,
    isUnreadable: false,
    seal: async (value: string) => {
      cipher.seals += 1
      // Later calls would finish first if the vault did not serialize them.
      for (let turns = 10 - (cipher.seals % 10); turns > 0; turns--) await Promise.resolve()
      return cipher.mode === 'strong'
        ? { data: Buffer.from(`sealed ${value}`).toString('base64') }
        : cipher.mode
    },
    unseal: async (data: string) => {
      if (cipher.isUnreadable) return 'unreadable' as const
      if (cipher.mode === 'locked' || cipher.mode === 'pending') return cipher.mode
      if (cipher.mode === 'weak') return 'locked' as const
      return { value: Buffer.from(data, 'base64').toString().replace('sealed ', ''), isStale: cipher.isStale }
    },
  }
  return cipher satisfies VaultCipher
}

function createTestVault(cipher = fakeCipher(), sessions: Sessions = NO_SESSIONS) {
  const file = memoryDocument(sessions)
  const log = recordingLog()
  const clock = manualClock()
  const recovered = vi.fn()
  const signedOut = vi.fn()
  const vault = createSessionVault({
    cipher,
    file,
    mayUse: (key) => isSessionKey(key, 'embedded'),
    schedule: clock.schedule,
    recovered,
    signedOut,
    log,
  })
  return {
    vault,
    file,
    cipher,
    log,
    clock,
    recovered,
    signedOut,
    restarted: () => createTestVault(cipher, file.read()).vault,
  }
}

const onDisk = (sessions: Sessions) => JSON.stringify(sessions)

describe('with a keychain', () => {
  test('DESK-19 says that the member signed out, even if the disk refuses to remove the session', async () => {
    const { vault, file, signedOut } = createTestVault()
    await vault.setItem(KEY, 'tokens')
    expect(signedOut).not.toHaveBeenCalled()
    await vault.removeItem(KEY)
    expect(signedOut).toHaveBeenCalledTimes(1)
    await vault.setItem(KEY, 'tokens')
    file.write = () => {
      throw new Error('the disk is full')
    }
    await vault.removeItem(KEY)
    expect(signedOut).toHaveBeenCalledTimes(2)
  })

  test('DESK-01 a session is encrypted on disk and survives a restart', async () => {
    const { vault, file, restarted } = createTestVault()
    await vault.setItem(KEY, 'tokens')
    expect(onDisk(file.read())).not.toContain('tokens')
    expect(sessionsSchema.safeParse(file.read()).success).toBe(true)
    expect(await restarted().getItem(KEY)).toBe('tokens')
    expect(await vault.persistence()).toBe('secure')
  })

  test('AUTH-11 removing a session deletes it from disk, with any damaged copy', async () => {
    const { vault, file } = createTestVault()
    await vault.setItem(KEY, 'tokens')
    await vault.removeItem(KEY)
    expect(file.read().entries).toEqual({})
    expect(file.discarded).toBe(1)
    expect(await vault.getItem(KEY)).toBeNull()
  })

  test('encrypts a session again if its key is old', async () => {
    const { vault, cipher } = createTestVault()
    await vault.setItem(KEY, 'tokens')
    cipher.isStale = true
    await vault.getItem(KEY)
    expect(cipher.seals).toBe(2)
  })

  test.each(['unreadable', 'locked', 'pending'] as const)(
    'keeps a stored session that the keychain reports as %s, until the member signs out',
    async (outcome) => {
      const { vault, file, cipher } = createTestVault()
      await vault.setItem(KEY, 'tokens')
      if (outcome === 'unreadable') cipher.isUnreadable = true
      else cipher.mode = outcome
      expect(await vault.getItem(KEY)).toBeNull()
      expect(Object.keys(file.read().entries)).toEqual([KEY])
      await vault.removeItem(KEY)
      expect(file.read().entries).toEqual({})
    },
  )

  test('DESK-11 decrypts the stored session once a late keychain answers, and notifies the page once', async () => {
    const { vault, cipher, clock, recovered } = createTestVault()
    await vault.setItem(KEY, 'tokens')
    cipher.mode = 'pending'
    expect(await vault.getItem(KEY)).toBeNull()
    expect(await vault.persistence()).toBe('locked')
    await clock.advance(15_000)
    expect(recovered).not.toHaveBeenCalled()
    cipher.mode = 'strong'
    await clock.advance(60_000)
    expect(recovered).toHaveBeenCalledTimes(1)
    expect(await vault.getItem(KEY)).toBe('tokens')
    expect(clock.next()).toBeNull()
  })

  test('DESK-11 encrypts the newer session in memory once a late keychain answers', async () => {
    const { vault, cipher, clock, recovered, restarted } = createTestVault()
    await vault.setItem(KEY, 'old')
    cipher.mode = 'pending'
    await vault.setItem(KEY, 'new')
    cipher.mode = 'strong'
    await clock.advance(15_000)
    expect(await restarted().getItem(KEY)).toBe('new')
    expect(recovered).not.toHaveBeenCalled()
    expect(clock.next()).toBeNull()
  })

  test('asks a silent keychain less and less often', async () => {
    const { vault, cipher, clock } = createTestVault(fakeCipher('pending'))
    await vault.setItem(KEY, 'tokens')
    await clock.advance(2 * 3_600_000)
    expect(cipher.seals).toBeLessThan(9)
    expect(clock.next()).toBeGreaterThan(0)
  })

  test('does not retry the session of a server that is no longer in use', async () => {
    const file = memoryDocument<Sessions>({
      keepPlain: false,
      entries: { [KEY]: { kind: 'sealed', data: 'c2VhbGVkIHRva2Vucw==' } },
    })
    const cipher = fakeCipher('pending')
    const clock = manualClock()
    const recovered = vi.fn()
    let storageKey = 'embedded'
    const mayUse = (key: string) => isSessionKey(key, storageKey)
    const { schedule } = clock
    const vault = createSessionVault({
      cipher,
      file,
      mayUse,
      schedule,
      recovered,
      signedOut: () => undefined,
      log: recordingLog(),
    })
    await vault.getItem(KEY)
    storageKey = 'example.com'
    cipher.mode = 'strong'
    await clock.advance(60_000)
    expect(recovered).not.toHaveBeenCalled()
    expect(clock.next()).toBeNull()
  })

  test('keeps the encrypted session on disk while the keychain is unavailable', async () => {
    const { vault, file, cipher } = createTestVault()
    await vault.setItem(KEY, 'old')
    const sealed = file.read().entries
    cipher.mode = 'pending'
    await vault.setItem(KEY, 'new')
    await vault.setItem(`${KEY}-user`, 'somebody')
    expect(file.read().entries).toEqual(sealed)
  })

  test('keeps the session in memory if the disk refuses', async () => {
    const { vault, file, log, restarted } = createTestVault()
    file.failure = new Error('ENOSPC: no space left')
    await vault.setItem(KEY, 'tokens')
    expect(await vault.getItem(KEY)).toBe('tokens')
    expect(await restarted().getItem(KEY)).toBeNull()
    expect(log.lines.join()).toContain('ENOSPC')
    expect(log.lines.join()).not.toContain('tokens')
  })

  test('AUTH-11 a session that the disk refuses to remove is gone for the app, and deleted with the next write', async () => {
    const { vault, file, log, restarted } = createTestVault()
    await vault.setItem(KEY, 'tokens')
    file.failure = new Error('ENOSPC: no space left')
    await vault.removeItem(KEY)
    expect(await vault.getItem(KEY)).toBeNull()
    expect(log.lines.join()).toContain('ENOSPC')

    file.failure = null
    await vault.setItem(`${KEY}-user`, 'somebody')
    expect(await restarted().getItem(KEY)).toBeNull()
  })
})

describe('without a keychain', () => {
  test('keeps a session in memory, never on disk', async () => {
    const { vault, file, restarted } = createTestVault(fakeCipher('weak'))
    await vault.setItem(KEY, 'tokens')
    expect(await vault.getItem(KEY)).toBe('tokens')
    expect(file.written).toEqual([])
    expect(await vault.persistence()).toBe('memory')
    expect(await restarted().getItem(KEY)).toBeNull()
  })

  test('stores it as plain text from then on if the member accepts that', async () => {
    const { vault, file, restarted } = createTestVault(fakeCipher('weak'))
    await vault.setItem(KEY, 'tokens')
    await vault.keepAnyway()
    expect(file.read().entries[KEY]).toEqual({ kind: 'plain', value: 'tokens' })
    expect(await vault.persistence()).toBe('plain')
    expect(await restarted().getItem(KEY)).toBe('tokens')
    await vault.setItem(KEY, 'newer')
    expect(await restarted().getItem(KEY)).toBe('newer')
  })

  test('storing plain text does not change the stored sessions of other servers', async () => {
    const others = { 'vignette.session.example.com': { kind: 'plain' as const, value: 'other tokens' } }
    const { vault, file } = createTestVault(fakeCipher('weak'), { keepPlain: false, entries: others })
    await vault.setItem(KEY, 'tokens')
    await vault.keepAnyway()
    expect(file.read().entries).toEqual({ ...others, [KEY]: { kind: 'plain', value: 'tokens' } })
  })

  test('encrypts plain sessions once there is a keychain', async () => {
    const { vault, file, cipher } = createTestVault(fakeCipher('weak'))
    await vault.setItem(KEY, 'tokens')
    await vault.keepAnyway()
    cipher.mode = 'strong'
    expect(await vault.getItem(KEY)).toBe('tokens')
    expect(file.read().entries[KEY]?.kind).toBe('sealed')
    expect(onDisk(file.read())).not.toContain('tokens')
    expect(await vault.persistence()).toBe('secure')
  })

  test.each([true, false])(
    'does not replace an encrypted session before encryption succeeds; plain text chosen before: %s',
    async (keepPlain) => {
      const before = { kind: 'sealed', data: Buffer.from('sealed old').toString('base64') } as const
      const { vault, file } = createTestVault(fakeCipher('weak'), { keepPlain, entries: { [KEY]: before } })
      await vault.setItem(KEY, 'new')
      await vault.keepAnyway()
      expect(file.read()).toEqual({ keepPlain, entries: { [KEY]: before } })
      expect(await vault.getItem(KEY)).toBe('new')
      expect(await vault.persistence()).toBe('locked')
    },
  )

  test('plain text cannot be chosen if there is a keychain', async () => {
    const { vault, file } = createTestVault()
    await vault.setItem(KEY, 'tokens')
    await vault.keepAnyway()
    expect(file.read().keepPlain).toBe(false)
    expect(file.read().entries[KEY]?.kind).toBe('sealed')
  })
})

describe('DESK-19 with a locked keyring', () => {
  const sealed = { kind: 'sealed', data: Buffer.from('sealed old').toString('base64') } as const

  test.each(['weak', 'locked'] as const)(
    'says so, keeps a sign-in in memory and never asks again in this run (the keychain says %s)',
    async (mode) => {
      const cipher = fakeCipher(mode)
      const { vault, file, clock } = createTestVault(cipher, { keepPlain: false, entries: { [KEY]: sealed } })
      expect(await vault.getItem(KEY)).toBeNull()
      await vault.setItem(KEY, 'new')
      await vault.keepAnyway()
      expect(await vault.persistence()).toBe('locked')
      expect(await vault.getItem(KEY)).toBe('new')
      expect(file.written).toEqual([])
      expect(clock.next()).toBeNull()
    },
  )

  test('a session of another server shows that there is a keyring', async () => {
    const others = { 'vignette.session.example.com': sealed }
    const { vault, file } = createTestVault(fakeCipher('weak'), { keepPlain: false, entries: others })
    await vault.setItem(KEY, 'tokens')
    await vault.keepAnyway()
    expect(await vault.persistence()).toBe('locked')
    expect(file.read()).toEqual({ keepPlain: false, entries: others })
  })

  test('AUTH-11 signing out deletes the sealed session, and the keyring still counts as locked', async () => {
    const { vault, file, restarted } = createTestVault(fakeCipher('weak'), {
      keepPlain: false,
      entries: { [KEY]: sealed },
    })
    await vault.setItem(KEY, 'new')
    await vault.removeItem(KEY)
    expect(file.read().entries).toEqual({})
    expect(await vault.persistence()).toBe('locked')
    // Without a sealed session nothing tells a locked keyring from none.
    expect(await restarted().persistence()).toBe('memory')
  })

  test('a session that the member keeps as plain text stays current', async () => {
    const { vault, restarted } = createTestVault(fakeCipher('weak'), {
      keepPlain: true,
      entries: { [KEY]: { kind: 'plain', value: 'old' }, 'vignette.session.example.com': sealed },
    })
    await vault.setItem(KEY, 'new')
    expect(await restarted().getItem(KEY)).toBe('new')
  })
})

describe('keys', () => {
  test('a page can only access the sessions of the server it uses', async () => {
    const { vault } = createTestVault()
    for (const key of [
      'vignette.session.example.com',
      'vignette.session.embedded.evil',
      '__proto__',
      'embedded',
    ]) {
      await expect(vault.getItem(key)).rejects.toMatchObject({ code: 'refused' })
      await expect(vault.setItem(key, 'x')).rejects.toMatchObject({ code: 'refused' })
      await expect(vault.removeItem(key)).rejects.toMatchObject({ code: 'refused' })
    }
  })

  test('stores the PKCE verifier with the session', async () => {
    const { vault } = createTestVault()
    await vault.setItem(`${KEY}-code-verifier`, 'verifier')
    expect(await vault.getItem(`${KEY}-code-verifier`)).toBe('verifier')
    expect(await vault.getItem(KEY)).toBeNull()
  })

  test('a key prefix does not give access to another server’s session', () => {
    expect(isSessionKey('vignette.session.a.co', 'a.co')).toBe(true)
    expect(isSessionKey('vignette.session.a.co-evil.com', 'a.co')).toBe(false)
  })
})

describe('order', () => {
  test('rejects queued calls when the app switches to another server', async () => {
    let storageKey = 'embedded'
    const sealed = { kind: 'sealed', data: Buffer.from('sealed tokens').toString('base64') } as const
    const file = memoryDocument<Sessions>({ keepPlain: false, entries: { [KEY]: sealed } })
    const vault = createSessionVault({
      cipher: fakeCipher(),
      file,
      mayUse: (key) => isSessionKey(key, storageKey),
      schedule: manualClock().schedule,
      recovered: () => undefined,
      signedOut: () => undefined,
      log: recordingLog(),
    })
    const first = vault.setItem(`${KEY}-code-verifier`, 'verifier')
    const waiting = [vault.getItem(KEY), vault.setItem(KEY, 'other tokens'), vault.removeItem(KEY)]
    const refusals = Promise.all(
      waiting.map((call) => expect(call).rejects.toMatchObject({ code: 'refused' })),
    )
    // The first call is encrypting its value; the others are still queued.
    await Promise.resolve()
    storageKey = 'example.com'
    await first
    await refusals
    expect(file.read().entries[KEY]).toEqual(sealed)
  })

  test('runs concurrent calls in order, whatever the keychain does', async () => {
    const step = fc.record({
      key: fc.constantFrom(KEY, `${KEY}-code-verifier`),
      act: fc.constantFrom('set', 'remove', 'get'),
      mode: fc.constantFrom('strong', 'pending'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const { vault, cipher } = createTestVault()
        const model = new Map<string, string>()
        const expected: (string | null)[] = []
        const pending: Promise<string | null>[] = []
        for (const [index, { key, act, mode }] of steps.entries()) {
          if (act === 'set') {
            cipher.mode = mode
            model.set(key, String(index))
            void vault.setItem(key, String(index))
          } else if (act === 'remove') {
            model.delete(key)
            void vault.removeItem(key)
          } else {
            expected.push(model.get(key) ?? null)
            pending.push(vault.getItem(key))
          }
        }
        expect(await Promise.all(pending)).toEqual(expected)
      }),
    )
  })

  test('a failing call does not block later ones', async () => {
    const { vault } = createTestVault()
    const failing = vault.getItem('not.allowed')
    const after = vault.setItem(KEY, 'tokens')
    await expect(failing).rejects.toThrow()
    await after
    expect(await vault.getItem(KEY)).toBe('tokens')
  })

  test('settled waits for all calls', async () => {
    const { vault, file } = createTestVault()
    void vault.setItem(KEY, 'tokens')
    await vault.settled()
    expect(Object.keys(file.read().entries)).toEqual([KEY])
  })
})
