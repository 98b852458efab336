import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allFinished } from '#/renderer/lib/core/pending-work-store'
import { createToggleSync, type StoredToggle, type ToggleStore } from '#/renderer/lib/queries/toggle-sync'

/** A server with one switch, which answers when the test says so. */
function createServer(isOn: boolean) {
  const waiting: { target: boolean; settle: (refusal?: Error) => void }[] = []
  const server = {
    isOn,
    calls: [] as boolean[],
    atOnce: 0,
    mostAtOnce: 0,
    send: (target: boolean) => {
      server.calls.push(target)
      server.atOnce += 1
      server.mostAtOnce = Math.max(server.mostAtOnce, server.atOnce)
      return new Promise<void>((resolve, reject) => {
        waiting.push({
          target,
          settle: (refusal) => {
            server.atOnce -= 1
            if (refusal) return reject(refusal)
            server.isOn = target
            resolve()
          },
        })
      })
    },
    /** Completes the oldest call; false if there is none. */
    answer: async (refusal?: Error): Promise<boolean> => {
      const next = waiting.shift()
      next?.settle(refusal)
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
      return next !== undefined
    },
  }
  return server
}

const unexpected = (_: boolean, cause: unknown) => {
  throw cause
}

describe('FEED-04 FEED-05 a toggle and its server', () => {
  test('is newer than a read that was sent before the server confirmed it, not than a later one', async () => {
    const server = createServer(false)
    const sync = createToggleSync()
    const calls = { send: server.send, onFailed: unexpected }
    const before = performance.now() - 1
    expect(sync.newerThan(before, 'like:1')).toBeUndefined()
    const liked = sync.set('like:1', false, true, calls)
    expect(sync.newerThan(performance.now(), 'like:1')).toBe(true)
    await server.answer()
    await liked
    const unliked = sync.set('like:1', true, false, calls)
    await server.answer()
    await unliked
    expect(sync.newerThan(before, 'like:1')).toBe(false)
    expect(sync.newerThan(before, 'like:2')).toBeUndefined()
    expect(sync.newerThan(performance.now() + 1, 'like:1')).toBeUndefined()
  })

  test('quitting waits until the server has confirmed the last press', async () => {
    const server = createServer(false)
    const sync = createToggleSync()
    const calls = { send: server.send, onFailed: unexpected }
    void sync.set('like:1', false, true, calls)
    void sync.set('like:1', true, false, calls)
    const end = allFinished().then(() => server.calls.length)
    await server.answer()
    await server.answer()
    expect(await end).toBe(2)
    expect(server.isOn).toBe(false)
  })

  test('sends no second request when the press was undone in time', async () => {
    const server = createServer(false)
    const sync = createToggleSync()
    const calls = { send: server.send, onFailed: unexpected }
    const done = sync.set('like:1', false, true, calls)
    void sync.set('like:1', true, false, calls)
    void sync.set('like:1', false, true, calls)
    await server.answer()
    await done
    expect(server.calls).toEqual([true])
  })

  test('different toggles do not wait for each other', () => {
    const server = createServer(false)
    const sync = createToggleSync()
    void sync.set('like:1', false, true, { send: server.send, onFailed: unexpected })
    void sync.set('save:1', false, true, { send: server.send, onFailed: unexpected })
    expect(server.atOnce).toBe(2)
  })

  const step = fc.constantFrom('press', 'press', 'answer', 'refuse')

  test('screen and server end in the same state at any timing, and in that of the last press if none was refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { maxLength: 30 }), async (start, steps) => {
        const server = createServer(start)
        const sync = createToggleSync()
        let screen = start
        let lastPress = start
        let refusals = 0
        const calls = {
          send: server.send,
          onFailed: (confirmed: boolean) => {
            screen = confirmed
          },
        }
        for (const what of steps) {
          if (what === 'press') {
            const from = screen
            screen = !from
            lastPress = screen
            void sync.set('like:1', from, screen, calls)
          } else if (what === 'answer') {
            await server.answer()
          } else if (await server.answer(new Error('refused'))) {
            refusals += 1
          }
        }
        while (await server.answer()) {
          // Continue until no call is pending.
        }
        expect(server.isOn).toBe(screen)
        expect(server.mostAtOnce).toBeLessThanOrEqual(1)
        if (refusals === 0) expect(server.isOn).toBe(lastPress)
      }),
    )
  })
})

describe('FEED-18 a toggle that is stored', () => {
  /** A device whose connection is lost until the test restores it. */
  function createDevice(stored = new Map<string, StoredToggle>()) {
    let resume = (_isSignedIn: boolean): void => undefined
    const device = { stored, isReady: true, restore: (isSignedIn = true) => resume(isSignedIn) }
    const store: ToggleStore = {
      read: (key) => stored.get(key) ?? null,
      write: (key, toggle) => void (toggle === null ? stored.delete(key) : stored.set(key, toggle)),
      isReady: () => device.isReady,
      isLost: (cause) => cause === LOST,
      nextAttempt: () =>
        new Promise((resolve) => {
          resume = resolve
        }),
    }
    return { ...device, device, store }
  }

  const LOST = new Error('no connection')
  const turns = async () => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }

  test('is on disk from the press until the server has confirmed it', async () => {
    const server = createServer(false)
    const { store, stored } = createDevice()
    const done = createToggleSync(store).set('like:1', false, true, {
      send: server.send,
      onFailed: unexpected,
    })
    expect([...stored]).toEqual([['like:1', { from: false, to: true }]])
    await server.answer()
    await done
    expect(stored.size).toBe(0)
  })

  test('waits for the connection without a rollback, and sends only the last press', async () => {
    const server = createServer(false)
    const { store, stored, restore } = createDevice()
    const sync = createToggleSync(store)
    const calls = { send: server.send, onFailed: unexpected }
    const done = sync.set('like:1', false, true, calls)
    await server.answer(LOST)
    expect(sync.desired('like:1')).toBe(true)
    void sync.set('like:1', true, false, calls)
    void sync.set('like:1', false, true, calls)
    expect(stored.get('like:1')).toEqual({ from: false, to: true })
    restore()
    await turns()
    await server.answer()
    await done
    expect(server.calls).toEqual([true, true])
    expect(stored.size).toBe(0)
  })

  test('is not sent before the session is confirmed', async () => {
    const server = createServer(false)
    const { device, store, restore } = createDevice()
    device.isReady = false
    void createToggleSync(store).set('like:1', false, true, { send: server.send, onFailed: unexpected })
    await turns()
    expect(server.calls).toEqual([])
    device.isReady = true
    restore()
    await turns()
    expect(server.calls).toEqual([true])
  })

  test('follows another window that has changed or sent it meanwhile', async () => {
    const server = createServer(false)
    const { store, stored, restore } = createDevice()
    const sync = createToggleSync(store)
    const done = sync.set('like:1', false, true, { send: server.send, onFailed: unexpected })
    await server.answer(LOST)
    stored.delete('like:1')
    restore()
    await done
    expect(server.calls).toEqual([true])
  })

  test('stays on disk for its member when they sign out', async () => {
    const server = createServer(false)
    const { store, stored, restore } = createDevice()
    const sync = createToggleSync(store)
    const done = sync.set('like:1', false, true, { send: server.send, onFailed: unexpected })
    await server.answer(LOST)
    restore(false)
    await done
    expect([...stored]).toEqual([['like:1', { from: false, to: true }]])
    expect(sync.desired('like:1')).toBeUndefined()
  })

  test('is rolled back and leaves the disk when the server refuses it', async () => {
    const server = createServer(false)
    const { store, stored } = createDevice()
    const failures: boolean[] = []
    const done = createToggleSync(store).set('like:1', false, true, {
      send: server.send,
      onFailed: (confirmed) => failures.push(confirmed),
    })
    await server.answer(new Error('refused'))
    await done
    expect(failures).toEqual([false])
    expect(stored.size).toBe(0)
  })
})
