import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import {
  createSessionVault,
  isSessionKey,
  NO_SESSIONS,
  type Sessions,
  sessionsSchema,
} from '#/main/session-vault'
import type { VaultCipher } from '#/main/vault-cipher'
import { manualClock } from './support/manual-clock'
import { memoryDocument } from './support/memory-document'
import { recordingLog } from './support/recording-log'

const KEY = 'vignette.session.embedded'

/** A cipher whose strength can be changed while the vault uses it. */
function fakeCipher(mode: 'strong' | 'weak' | 'unavailable' = 'strong') {
  const cipher = {
    mode,
    seals: 0,
    isStale: false,
    isUnreadable: false,
    seal: async (value: string) => {
      cipher.seals += 1
      // Later calls end first, unless the vault keeps them in turn.
      for (let turns = 10 - (cipher.seals % 10); turns > 0; turns--) await Promise.resolve()
      return cipher.mode === 'strong'
        ? { data: Buffer.from(`sealed ${value}`).toString('base64') }
        : cipher.mode
    },
    unseal: async (data: string) => {
      if (cipher.isUnreadable) return 'unreadable' as const
      if (cipher.mode === 'unavailable') return cipher.mode
      return { value: Buffer.from(data, 'base64').toString().replace('sealed ', ''), isStale: cipher.isStale }
    },
  }
  return cipher satisfies VaultCipher
}

function vaultWith(cipher = fakeCipher(), sessions: Sessions = NO_SESSIONS) {
  const file = memoryDocument(sessions)
  const log = recordingLog()
  const clock = manualClock()
  const recovered = vi.fn()
  const vault = createSessionVault({
    cipher,
    file,
    mayUse: (key) => isSessionKey(key, 'embedded'),
    schedule: clock.schedule,
    recovered,
    log,
  })
  return { vault, file, cipher, log, clock, recovered, restarted: () => vaultWith(cipher, file.read()).vault }
}

const onDisk = (sessions: Sessions) => JSON.stringify(sessions)

describe('with a keychain', () => {
  test('DESK-01 a session is sealed on disk and survives a restart', async () => {
    const { vault, file, restarted } = vaultWith()
    await vault.setItem(KEY, 'tokens')
    expect(onDisk(file.read())).not.toContain('tokens')
    expect(sessionsSchema.safeParse(file.read()).success).toBe(true)
    expect(await restarted().getItem(KEY)).toBe('tokens')
    expect(await vault.persistence()).toBe('secure')
  })

  test('AUTH-11 a removed session is gone from disk, and so is a damaged copy of it', async () => {
    const { vault, file } = vaultWith()
    await vault.setItem(KEY, 'tokens')
    await vault.removeItem(KEY)
    expect(file.read().entries).toEqual({})
    expect(file.discarded).toBe(1)
    expect(await vault.getItem(KEY)).toBeNull()
  })

  test('what never was is null', async () => {
    expect(await vaultWith().vault.getItem(KEY)).toBeNull()
  })

  test('a session sealed with an old key is sealed again', async () => {
    const { vault, cipher } = vaultWith()
    await vault.setItem(KEY, 'tokens')
    cipher.isStale = true
    await vault.getItem(KEY)
    expect(cipher.seals).toBe(2)
  })

  test.each(['unreadable', 'unavailable'] as const)(
    'keeps a stored session that the keychain reports as %s, until the member signs out',
    async (outcome) => {
      const { vault, file, cipher } = vaultWith()
      await vault.setItem(KEY, 'tokens')
      if (outcome === 'unreadable') cipher.isUnreadable = true
      else cipher.mode = 'unavailable'
      expect(await vault.getItem(KEY)).toBeNull()
      expect(Object.keys(file.read().entries)).toEqual([KEY])
      await vault.removeItem(KEY)
      expect(file.read().entries).toEqual({})
    },
  )

  test('opens the stored session once the keychain is unlocked, and tells the page once', async () => {
    const { vault, cipher, clock, recovered } = vaultWith()
    await vault.setItem(KEY, 'tokens')
    cipher.mode = 'unavailable'
    expect(await vault.getItem(KEY)).toBeNull()
    await clock.advance(15_000)
    expect(recovered).not.toHaveBeenCalled()
    cipher.mode = 'strong'
    await clock.advance(60_000)
    expect(recovered).toHaveBeenCalledTimes(1)
    expect(await vault.getItem(KEY)).toBe('tokens')
    expect(clock.next()).toBeNull()
  })

  test.each(['weak', 'unavailable'] as const)(
    'seals the newer session, held in memory, once a keychain that was %s encrypts again',
    async (mode) => {
      const { vault, cipher, clock, recovered, restarted } = vaultWith()
      await vault.setItem(KEY, 'old')
      cipher.mode = mode
      await vault.setItem(KEY, 'new')
      cipher.mode = 'strong'
      await clock.advance(15_000)
      expect(await restarted().getItem(KEY)).toBe('new')
      expect(recovered).not.toHaveBeenCalled()
      expect(clock.next()).toBeNull()
    },
  )

  test('asks a keychain that stays away less and less often', async () => {
    const { vault, cipher, clock } = vaultWith(fakeCipher('unavailable'))
    await vault.setItem(KEY, 'tokens')
    await clock.advance(2 * 3_600_000)
    expect(cipher.seals).toBeLessThan(9)
    expect(clock.next()).toBeGreaterThan(0)
  })

  test('does not ask for the session of a server that is no longer in use', async () => {
    const file = memoryDocument<Sessions>({
      keepPlain: false,
      entries: { [KEY]: { kind: 'sealed', data: 'c2VhbGVkIHRva2Vucw==' } },
    })
    const cipher = fakeCipher('unavailable')
    const clock = manualClock()
    const recovered = vi.fn()
    let storageKey = 'embedded'
    const mayUse = (key: string) => isSessionKey(key, storageKey)
    const { schedule } = clock
    const vault = createSessionVault({ cipher, file, mayUse, schedule, recovered, log: recordingLog() })
    await vault.getItem(KEY)
    storageKey = 'example.com'
    cipher.mode = 'strong'
    await clock.advance(60_000)
    expect(recovered).not.toHaveBeenCalled()
    expect(clock.next()).toBeNull()
  })

  test('a session that cannot be opened at the moment is kept', async () => {
    const { vault, file, cipher } = vaultWith()
    await vault.setItem(KEY, 'tokens')
    cipher.mode = 'unavailable'
    expect(await vault.getItem(KEY)).toBeNull()
    expect(Object.keys(file.read().entries)).toEqual([KEY])
    cipher.mode = 'strong'
    expect(await vault.getItem(KEY)).toBe('tokens')
  })

  test('a newer session is not lost while the keychain is away', async () => {
    const { vault, cipher } = vaultWith()
    await vault.setItem(KEY, 'old')
    cipher.mode = 'unavailable'
    await vault.setItem(KEY, 'new')
    cipher.mode = 'strong'
    expect(await vault.getItem(KEY)).toBe('new')
  })

  test('keeps the sealed session on disk while the keychain is unavailable', async () => {
    const { vault, file, cipher } = vaultWith()
    await vault.setItem(KEY, 'old')
    const sealed = file.read().entries
    cipher.mode = 'unavailable'
    await vault.setItem(KEY, 'new')
    await vault.setItem(`${KEY}-user`, 'somebody')
    expect(file.read().entries).toEqual(sealed)
  })

  test('a disk that refuses costs the restart, not the session', async () => {
    const { vault, file, log, restarted } = vaultWith()
    file.failure = new Error('ENOSPC: no space left')
    await vault.setItem(KEY, 'tokens')
    expect(await vault.getItem(KEY)).toBe('tokens')
    expect(await restarted().getItem(KEY)).toBeNull()
    expect(log.lines.join()).toContain('ENOSPC')
    expect(log.lines.join()).not.toContain('tokens')
  })

  test('AUTH-11 what a disk refuses to remove is gone for the app, and from disk with its next write', async () => {
    const { vault, file, log, restarted } = vaultWith()
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
  test('a session lives in memory, never on disk', async () => {
    const { vault, file, restarted } = vaultWith(fakeCipher('weak'))
    await vault.setItem(KEY, 'tokens')
    expect(await vault.getItem(KEY)).toBe('tokens')
    expect(file.written).toEqual([])
    expect(await vault.persistence()).toBe('memory')
    expect(await restarted().getItem(KEY)).toBeNull()
  })

  test('a member may keep it anyway, as it is, now and from then on', async () => {
    const { vault, file, restarted } = vaultWith(fakeCipher('weak'))
    await vault.setItem(KEY, 'tokens')
    await vault.keepAnyway()
    expect(file.read().entries[KEY]).toEqual({ kind: 'plain', value: 'tokens' })
    expect(await vault.persistence()).toBe('plain')
    expect(await restarted().getItem(KEY)).toBe('tokens')
    await vault.setItem(KEY, 'newer')
    expect(await restarted().getItem(KEY)).toBe('newer')
  })

  test('keeping a session anyway leaves the stored sessions of other servers alone', async () => {
    const others = { 'vignette.session.example.com': { kind: 'sealed' as const, data: 'c2VhbGVk' } }
    const { vault, file } = vaultWith(fakeCipher('weak'), { keepPlain: false, entries: others })
    await vault.setItem(KEY, 'tokens')
    await vault.keepAnyway()
    expect(file.read().entries).toEqual({ ...others, [KEY]: { kind: 'plain', value: 'tokens' } })
  })

  test('once there is a keychain, what was plain is sealed', async () => {
    const { vault, file, cipher } = vaultWith(fakeCipher('weak'))
    await vault.setItem(KEY, 'tokens')
    await vault.keepAnyway()
    cipher.mode = 'strong'
    expect(await vault.getItem(KEY)).toBe('tokens')
    expect(file.read().entries[KEY]?.kind).toBe('sealed')
    expect(onDisk(file.read())).not.toContain('tokens')
    expect(await vault.persistence()).toBe('secure')
  })

  test.each([true, false])(
    'does not replace a sealed session before encryption succeeds; plain text chosen before: %s',
    async (keepPlain) => {
      const before = { kind: 'sealed', data: Buffer.from('sealed old').toString('base64') } as const
      const { vault, file } = vaultWith(fakeCipher('weak'), { keepPlain, entries: { [KEY]: before } })
      await vault.setItem(KEY, 'new')
      expect(file.read().entries).toEqual({ [KEY]: before })
      expect(await vault.getItem(KEY)).toBe('new')
      expect(await vault.persistence()).toBe('memory')
      await vault.keepAnyway()
      expect(file.read().entries).toEqual({ [KEY]: { kind: 'plain', value: 'new' } })
      expect(await vault.persistence()).toBe('plain')
    },
  )

  test('with a keychain, nobody can choose plain text', async () => {
    const { vault, file } = vaultWith()
    await vault.setItem(KEY, 'tokens')
    await vault.keepAnyway()
    expect(file.read().keepPlain).toBe(false)
    expect(file.read().entries[KEY]?.kind).toBe('sealed')
  })
})

describe('keys', () => {
  test('a page reaches the sessions of its own server only', async () => {
    const { vault } = vaultWith()
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

  test('the PKCE verifier is kept beside the session', async () => {
    const { vault } = vaultWith()
    await vault.setItem(`${KEY}-code-verifier`, 'verifier')
    expect(await vault.getItem(`${KEY}-code-verifier`)).toBe('verifier')
    expect(await vault.getItem(KEY)).toBeNull()
  })

  test('one server’s key is no prefix that opens another’s', () => {
    expect(isSessionKey('vignette.session.a.co', 'a.co')).toBe(true)
    expect(isSessionKey('vignette.session.a.co-evil.com', 'a.co')).toBe(false)
  })
})

describe('order', () => {
  test('refuses calls that wait in the queue when the app switches to another server', async () => {
    let storageKey = 'embedded'
    const sealed = { kind: 'sealed', data: Buffer.from('sealed tokens').toString('base64') } as const
    const file = memoryDocument<Sessions>({ keepPlain: false, entries: { [KEY]: sealed } })
    const vault = createSessionVault({
      cipher: fakeCipher(),
      file,
      mayUse: (key) => isSessionKey(key, storageKey),
      schedule: manualClock().schedule,
      recovered: () => undefined,
      log: recordingLog(),
    })
    const first = vault.setItem(`${KEY}-code-verifier`, 'verifier')
    const waiting = [vault.getItem(KEY), vault.setItem(KEY, 'other tokens'), vault.removeItem(KEY)]
    const refusals = Promise.all(
      waiting.map((call) => expect(call).rejects.toMatchObject({ code: 'refused' })),
    )
    // The first call is sealing its value by now; the others are still waiting for their turn.
    await Promise.resolve()
    storageKey = 'example.com'
    await first
    await refusals
    expect(file.read().entries[KEY]).toEqual(sealed)
  })

  test('two writes at once leave the later one, in memory and on disk', async () => {
    const { vault, restarted } = vaultWith()
    await Promise.all([vault.setItem(KEY, 'first'), vault.setItem(KEY, 'second')])
    expect(await vault.getItem(KEY)).toBe('second')
    expect(await restarted().getItem(KEY)).toBe('second')
  })

  test('whatever is asked for at once happens in the order asked, whatever the keychain’s mood', async () => {
    const step = fc.record({
      key: fc.constantFrom(KEY, `${KEY}-code-verifier`),
      act: fc.constantFrom('set', 'remove', 'get'),
      mode: fc.constantFrom('strong', 'weak', 'unavailable'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const { vault, cipher } = vaultWith()
        const model = new Map<string, string>()
        const expected: (string | null)[] = []
        const pending: Promise<string | null>[] = []
        for (const [index, { key, act, mode }] of steps.entries()) {
          if (act === 'set') {
            // Reading while it is away is another matter (above); here everything written can be read back.
            cipher.mode = mode === 'unavailable' ? 'strong' : mode
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

  test('one that fails does not hold up those after it', async () => {
    const { vault } = vaultWith()
    const failing = vault.getItem('not.allowed')
    const after = vault.setItem(KEY, 'tokens')
    await expect(failing).rejects.toThrow()
    await after
    expect(await vault.getItem(KEY)).toBe('tokens')
  })

  test('settled waits for what was asked for', async () => {
    const { vault, file } = vaultWith()
    void vault.setItem(KEY, 'tokens')
    await vault.settled()
    expect(Object.keys(file.read().entries)).toEqual([KEY])
  })
})
