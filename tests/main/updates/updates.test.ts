import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createUpdates, hasUpdateFeed, type UpdateFeed } from '#/main/updates/updates'
import type { UpdateState } from '#/shared/bridge'
import { manualClock } from '../support/manual-clock'
import { recordingLog } from '../support/recording-log'

function createTestUpdates(feed: Partial<UpdateFeed> = {}) {
  const clock = manualClock()
  const states: UpdateState[] = []
  const did: string[] = []
  const updates = createUpdates({
    load: async () => {
      did.push('load')
      return {
        check: async () => '2.0.0',
        download: async (progress) => {
          progress(33.4)
          progress(100)
        },
        install: () => {
          did.push('install')
          return new Promise(() => undefined)
        },
        disableInstallOnQuit: () => did.push('forbidden'),
        ...feed,
      }
    },
    prepareToQuit: async () => did.push('prepared'),
    cancelQuit: () => did.push('quit cancelled'),
    changed: (state) => states.push(state),
    schedule: clock.schedule,
    log: recordingLog(),
  })
  return { updates, clock, states, did, ...updates.handlers }
}

describe('DESK-08 updates', () => {
  test('installs nothing during a system shutdown, neither on quit nor on request', async () => {
    const { updates, did, ...handlers } = createTestUpdates()
    updates.preventInstall()
    expect(did).toEqual([])
    const ready = createTestUpdates()
    ready.updates.start()
    await ready['updates.check']()
    await ready['updates.download']()
    ready.updates.preventInstall()
    await ready['updates.install']()
    expect(ready.did).toEqual(['load', 'forbidden'])
    expect(handlers['updates.state']()).toEqual({ state: 'off' })
  })

  test('are off without a feed: loads and checks nothing', async () => {
    const { updates, clock, did, ...handlers } = createTestUpdates()
    await handlers['updates.check']()
    await handlers['updates.download']()
    await handlers['updates.install']()
    expect(updates.state()).toEqual({ state: 'off' })
    expect(did).toEqual([])
    expect(clock.next()).toBeNull()
  })

  test('are checked automatically, and downloaded and installed on request', async () => {
    const { updates, clock, states, did, ...handlers } = createTestUpdates()
    updates.start()
    await clock.advance(60_000)
    expect(states.slice(-2)).toEqual([{ state: 'checking' }, { state: 'available', version: '2.0.0' }])
    await handlers['updates.install']()
    await handlers['updates.download']()
    expect(states.slice(-4)).toEqual([
      { state: 'downloading', percent: 0 },
      { state: 'downloading', percent: 33 },
      { state: 'downloading', percent: 100 },
      { state: 'ready', version: '2.0.0' },
    ])
    // A second click has no effect.
    void handlers['updates.install']()
    void handlers['updates.install']()
    await clock.advance(1_000)
    expect(did).toEqual(['load', 'prepared', 'install'])
  })

  test.each([
    ['is refused', 0, () => Promise.reject(new Error('exited with code 126'))],
    ['does nothing', 60_000, () => new Promise<never>(() => undefined)],
  ])('reports an installer that %s and keeps the app running', async (_, after, install) => {
    const { updates, clock, did, ...handlers } = createTestUpdates({ install })
    updates.start()
    await handlers['updates.check']()
    await handlers['updates.download']()
    const installing = handlers['updates.install']()
    await clock.advance(after)
    await installing
    expect(did).toEqual(['load', 'prepared', 'quit cancelled'])
    expect(updates.state()).toEqual({ state: 'failed' })
    await handlers['updates.check']()
    expect(updates.state()).toEqual({ state: 'available', version: '2.0.0' })
  })

  test('checks again every six hours', async () => {
    let checks = 0
    const { updates, clock } = createTestUpdates({
      check: async () => {
        checks += 1
        return null
      },
    })
    updates.start()
    await clock.advance(60_000 + 12 * 60 * 60_000)
    expect(checks).toBe(3)
    expect(updates.state()).toEqual({ state: 'idle' })
  })

  test('reports a failure, which can be retried; does not check again while an update is ready', async () => {
    let isDown = true
    const { updates, clock, ...handlers } = createTestUpdates({
      check: async () => {
        if (isDown) throw new Error('ENOTFOUND')
        return '2.0.0'
      },
    })
    updates.start()
    await handlers['updates.check']()
    expect(updates.state()).toEqual({ state: 'failed' })
    isDown = false
    await handlers['updates.check']()
    await handlers['updates.download']()
    await clock.advance(60_000)
    expect(updates.state()).toEqual({ state: 'ready', version: '2.0.0' })
  })

  test('finds the feed configuration next to a packaged app', async () => {
    const resources = await mkdtemp(join(tmpdir(), 'vignette-updates-'))
    try {
      expect(await hasUpdateFeed(true, resources)).toBe(false)
      await writeFile(join(resources, 'app-update.yml'), 'provider: generic')
      expect(await hasUpdateFeed(true, resources)).toBe(true)
      expect(await hasUpdateFeed(false, resources)).toBe(false)
    } finally {
      await rm(resources, { recursive: true, force: true })
    }
  })
})
