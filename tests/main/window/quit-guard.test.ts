import { beforeEach, describe, expect, test, vi } from 'vitest'
import { setupQuitGuard } from '#/main/window/quit-guard'
import { gate } from '#tests/gate'
import { asElectron, FakeApp } from '../support/fake-app'
import { manualClock } from '../support/manual-clock'
import { recordingLog } from '../support/recording-log'

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

let app: FakeApp
beforeEach(() => {
  app = new FakeApp()
})

describe('quitting', () => {
  function guarded(stop: () => Promise<unknown>) {
    const clock = manualClock()
    const log = recordingLog()
    const left: string[] = []
    const restart = vi.fn(async () => undefined)
    const guard = setupQuitGuard({
      app: asElectron(app),
      stop,
      restart,
      leave: () => left.push('left'),
      wait: clock.wait,
      log,
    })
    return { guard, clock, log, left, restart }
  }

  test('does not delay a quit after release, as for an update', async () => {
    let stops = 0
    const { guard, left } = guarded(async () => {
      stops += 1
    })
    await guard.release()
    expect(guard.isQuitting()).toBe(true)
    app.quit()
    expect({ hasQuit: app.hasQuit, stops, left }).toEqual({ hasQuit: true, stops: 1, left: [] })
  })

  test('cancelQuit restarts the app parts and delays the next quit', async () => {
    let stops = 0
    const { guard, restart } = guarded(async () => {
      stops += 1
    })
    guard.cancelQuit()
    expect(restart).not.toHaveBeenCalled()
    await guard.release()
    guard.cancelQuit()
    expect({ isQuitting: guard.isQuitting(), restarts: restart.mock.calls.length }).toEqual({
      isQuitting: false,
      restarts: 1,
    })
    app.quit()
    expect({ hasQuit: app.hasQuit, stops }).toEqual({ hasQuit: false, stops: 2 })
    await settle()
    expect(app.hasQuit).toBe(true)
  })

  test('waits for the shutdown once, however often quitting is requested', async () => {
    const { opened, open: done } = gate()
    let stops = 0
    const { guard, left } = guarded(() => {
      stops += 1
      return opened
    })
    expect(guard.isQuitting()).toBe(false)
    app.quit()
    app.quit()
    await settle()
    expect({ hasQuit: app.hasQuit, stops, left, isQuitting: guard.isQuitting() }).toEqual({
      hasQuit: false,
      stops: 1,
      left: ['left'],
      isQuitting: true,
    })
    done()
    await settle()
    expect(app.hasQuit).toBe(true)
  })

  test('quits and logs the reason when the shutdown fails', async () => {
    const { log } = guarded(() => Promise.reject(new Error('disk gone')))
    app.quit()
    await settle()
    expect(app.hasQuit).toBe(true)
    expect(log.lines.join()).toContain('disk gone')
  })

  test('quits after a timeout', async () => {
    const { clock } = guarded(() => new Promise(() => undefined))
    app.quit()
    await clock.advance(29_000)
    expect(app.hasQuit).toBe(false)
    await clock.advance(1_000)
    await settle()
    expect(app.hasQuit).toBe(true)
  })
})
