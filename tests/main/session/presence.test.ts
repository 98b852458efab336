import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { watchPresence } from '#/main/session/presence'
import { FakePower } from '../support/fake-power'
import { manualClock } from '../support/manual-clock'

class FakeWindow extends EventEmitter {
  isGone = false
  isSeen = true
  isDestroyed = () => this.isGone
  isVisible = () => this.isSeen
  isMinimized = () => false
}

function setup() {
  const [power, window, clock] = [new FakePower(), new FakeWindow(), manualClock()]
  const { schedule, now } = clock
  const presence = watchPresence({
    powerMonitor: power.asElectron(),
    window: window as unknown as Electron.BrowserWindow,
    schedule,
    now,
  })
  const changes: boolean[] = []
  presence.onChange(() => changes.push(presence.isAway()))
  window.emit('show')
  return { power, window, clock, presence, changes }
}

describe('DESK-14 away', () => {
  test('after two minutes without input, until there is input', async () => {
    const { power, clock, presence, changes } = setup()
    power.idleTime = 119
    await clock.advance(10_000)
    expect(presence.isAway()).toBe(false)
    power.idleTime = 120
    expect(presence.isAway()).toBe(true)
    await clock.advance(2_000)
    power.idleTime = 0
    await clock.advance(2_000)
    expect(changes).toEqual([true, false])
  })

  test('while the screen is locked, of which Linux sends no event', async () => {
    const { power, clock, changes } = setup()
    power.isLocked = true
    await clock.advance(2_000)
    power.isLocked = false
    await clock.advance(2_000)
    expect(changes).toEqual([true, false])
  })

  test.each([
    ['lock-screen', 'unlock-screen'],
    ['suspend', 'resume'],
    ['user-did-resign-active', 'user-did-become-active'],
  ])('between %s and %s', async (leave, comeBack) => {
    const { power, clock, changes } = setup()
    power.emit(leave)
    power.idleTime = 60
    await clock.advance(60_000)
    power.emit(comeBack)
    expect(changes).toEqual([true, false])
  })

  test('a computer that wakes up behind a locked screen is still away', () => {
    const { power, presence } = setup()
    for (const event of ['lock-screen', 'suspend', 'resume']) power.emit(event)
    expect(presence.isAway()).toBe(true)
    power.emit('unlock-screen')
    expect(presence.isAway()).toBe(false)
  })

  test.each(['lock-screen', 'suspend'])('input ends it if the end of %s got lost', async (leave) => {
    const { power, clock, changes } = setup()
    power.emit(leave)
    // The key that locked the screen is no such input.
    power.idleTime = 2
    await clock.advance(2_000)
    expect(changes).toEqual([true])
    power.idleTime = 0
    await clock.advance(2_000)
    expect(changes).toEqual([true, false])
  })

  test('input behind a locked screen does not end it', async () => {
    const { power, clock, changes } = setup()
    power.emit('lock-screen')
    power.isLocked = true
    await clock.advance(10_000)
    expect(changes).toEqual([true])
  })

  test.each(['lock-screen', 'suspend', 'user-did-resign-active'])(
    'focus ends it if the end of %s got lost',
    (leave) => {
      const { power, window, changes } = setup()
      power.emit(leave)
      window.emit('focus')
      expect(changes).toEqual([true, false])
    },
  )

  test('a hidden window asks for nothing, and a shown one asks again', async () => {
    const { power, window, clock, changes } = setup()
    window.isSeen = false
    await clock.advance(2_000)
    expect(clock.next()).toBeNull()
    window.isSeen = true
    window.emit('show')
    window.emit('focus')
    power.idleTime = 300
    await clock.advance(2_000)
    expect(changes).toEqual([true])
    window.isGone = true
    await clock.advance(2_000)
    expect(clock.next()).toBeNull()
  })
})

describe('DESK-17 a locked screen', () => {
  test('counts while the system says so, and while the computer sleeps or belongs to another user', () => {
    const { power, presence } = setup()
    expect(presence.isLocked()).toBe(false)
    power.isLocked = true
    expect(presence.isLocked()).toBe(true)
    power.isLocked = false
    power.idleTime = 60
    for (const [leave, comeBack] of [
      ['lock-screen', 'unlock-screen'],
      ['suspend', 'resume'],
      ['user-did-resign-active', 'user-did-become-active'],
    ] as const) {
      power.emit(leave)
      expect(presence.isLocked()).toBe(true)
      power.emit(comeBack)
      expect(presence.isLocked()).toBe(false)
    }
  })

  test('is not the same as an idle computer, whose screen anybody can use', () => {
    const { power, presence } = setup()
    power.idleTime = 600
    expect([presence.isAway(), presence.isLocked()]).toEqual([true, false])
  })
})
