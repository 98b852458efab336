import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { watchPresence } from '#/main/session/presence'
import {
  backgroundColorFor,
  hidesOnClose,
  setupWindow,
  showWindow,
  watchWindowState,
  windowOptions,
  windowState,
} from '#/main/window/window'
import type { WindowState } from '#/shared/bridge'
import { asElectron, FakeApp } from '../support/fake-app'
import { FakePower } from '../support/fake-power'
import { manualClock } from '../support/manual-clock'

let app: FakeApp
beforeEach(() => {
  app = new FakeApp()
})

class FakeWindow extends EventEmitter {
  readonly webContents = new EventEmitter()
  did: string[] = []
  fillsScreen = false
  isGone = false
  isSmall = false
  isSeen = true
  isInFront = true
  show = () => {
    this.did.push('show')
    this.emit('show')
  }
  isFullScreen = () => this.fillsScreen
  /** Like macOS, leaves full screen only after an animation. */
  setFullScreen = (fills: boolean) => void this.did.push(fills ? 'enter full screen' : 'leave full screen')
  hide = () => void this.did.push('hide')
  focus = () => void this.did.push('focus')
  restore = () => void this.did.push('restore')
  isMinimized = () => this.isSmall
  isVisible = () => this.isSeen
  isFocused = () => this.isInFront
  isDestroyed = () => this.isGone
  setBackgroundColor = (color: string) => void this.did.push(color)

  asElectron(): Electron.BrowserWindow {
    return this as unknown as Electron.BrowserWindow
  }

  /** Whether the window closed, because nothing prevented it. */
  closes(): boolean {
    let isPrevented = false
    this.emit('close', {
      preventDefault: () => {
        isPrevented = true
      },
    })
    return !isPrevented
  }
}

describe('the window', () => {
  function setup({
    hides = false,
    isQuitting = false,
    startsHidden = false,
    platform = 'linux' as NodeJS.Platform,
  } = {}) {
    const clock = manualClock()
    const window = new FakeWindow()
    const nativeTheme = Object.assign(new EventEmitter(), { shouldUseDarkColors: false })
    setupWindow(window.asElectron(), {
      app: asElectron(app),
      platform,
      schedule: clock.schedule,
      nativeTheme: nativeTheme as unknown as Electron.NativeTheme,
      isQuitting: () => isQuitting,
      startsHidden,
      hidesOnClose: () => hides,
      hidden: () => void window.did.push('hidden'),
      show: () => void window.did.push('come up'),
    })
    return { window, nativeTheme, clock }
  }

  test('DESK-06 has secure web preferences, opens at its last position, and is hidden until the first paint', () => {
    const look = {
      preload: '/out/preload/index.cjs',
      backgroundColor: '#131110',
      isPackaged: true,
      icon: null,
      bounds: {},
    }
    expect(windowOptions(look)).not.toHaveProperty('icon')
    expect(windowOptions({ ...look, icon: '/icon.png' }).icon).toBe('/icon.png')
    expect(windowOptions(look)).toMatchObject({
      width: 1180,
      height: 860,
      show: false,
      backgroundColor: '#131110',
      webPreferences: {
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        devTools: false,
        backgroundThrottling: false,
      },
    })
    const bounds = { x: 40, y: 50, width: 900, height: 700 }
    expect(windowOptions({ ...look, bounds })).toMatchObject(bounds)
    expect(windowOptions({ ...look, isPackaged: false }).webPreferences?.devTools).toBe(true)
  })

  const ABORTED = -3
  const REFUSED = -102
  test.each([
    ['ready-to-show', (window: FakeWindow) => window.emit('ready-to-show'), true],
    ['a page that has loaded', (window: FakeWindow) => window.webContents.emit('did-finish-load'), true],
    [
      'a page that cannot load',
      (window: FakeWindow) =>
        window.webContents.emit('did-fail-load', {}, REFUSED, 'ERR', 'app://bundle/', true),
      true,
    ],
    [
      'a load that another one replaced',
      (window: FakeWindow) =>
        window.webContents.emit('did-fail-load', {}, ABORTED, 'ERR', 'app://bundle/', true),
      false,
    ],
    [
      'a frame that cannot load',
      (window: FakeWindow) =>
        window.webContents.emit('did-fail-load', {}, REFUSED, 'ERR', 'app://bundle/', false),
      false,
    ],
  ])(
    'DESK-09 is shown at the first load event, or after 4 s without any: %s',
    async (_what, happen, isSign) => {
      const { window, clock } = setup()
      happen(window)
      expect(window.did).toEqual(isSign ? ['show'] : [])
      await clock.advance(3_999)
      expect(window.did).toEqual(isSign ? ['show'] : [])
      await clock.advance(1)
      window.emit('ready-to-show')
      window.webContents.emit('did-finish-load')
      expect(window.did).toEqual(['show'])
    },
  )

  test('DESK-09 stays hidden if the member hid it before its page loaded', async () => {
    const { window, clock } = setup({ hides: true })
    window.show()
    window.closes()
    window.emit('ready-to-show')
    await clock.advance(10_000)
    expect(window.did).toEqual(['show', 'hide', 'hidden'])
  })

  test('leaves full screen before hiding on macOS; just hides elsewhere', () => {
    const { window } = setup({ hides: true, platform: 'darwin' })
    window.fillsScreen = true
    window.closes()
    expect(window.did).toEqual(['leave full screen', 'hidden'])
    window.emit('leave-full-screen')
    window.emit('leave-full-screen')
    expect(window.did).toEqual(['leave full screen', 'hidden', 'hide'])

    const other = setup({ hides: true, platform: 'win32' }).window
    other.fillsScreen = true
    other.closes()
    expect(other.did).toEqual(['hide', 'hidden'])
  })

  test('its background follows the theme until it is destroyed', () => {
    const { window, nativeTheme } = setup()
    nativeTheme.shouldUseDarkColors = true
    nativeTheme.emit('updated')
    window.isGone = true
    nativeTheme.emit('updated')
    expect(window.did).toEqual(['#131110'])
    expect(backgroundColorFor({ shouldUseDarkColors: false })).toBe('#FBF9F6')
  })

  test('DESK-04 closing quits or hides it by platform; quitting always closes it', () => {
    const closed = setup()
    // The page may have pending work: the window closes when the app quits.
    expect(closed.window.closes()).toBe(false)
    expect({ hasQuit: app.hasQuit, did: closed.window.did }).toEqual({ hasQuit: true, did: [] })
    app.hasQuit = false
    app.emit('window-all-closed')
    expect(app.hasQuit).toBe(true)

    const { window } = setup({ hides: true })
    expect(window.closes()).toBe(false)
    expect(window.did).toEqual(['hide', 'hidden'])
    expect(setup({ hides: true, isQuitting: true }).window.closes()).toBe(true)
  })

  test('the Dock shows it again', () => {
    const { window } = setup({ hides: true })
    app.emit('activate')
    expect(window.did).toEqual(['come up'])
    window.isGone = true
    app.emit('activate')
    expect(window.did).toEqual(['come up'])
  })

  test('showWindow restores and focuses it, and activates the app on macOS', () => {
    const window = new FakeWindow()
    window.isSmall = true
    showWindow(window, app, 'linux')
    expect(window.did).toEqual(['restore', 'show', 'focus'])
    expect(app.focused).toEqual([])
    showWindow(window, app, 'darwin')
    expect(app.focused).toEqual([{ steal: true }])
  })
})

describe('DESK-04 hidesOnClose', () => {
  const custom = { keepRunningInTray: true, hasTray: true, isSignedIn: true } as const

  test.each(['win32', 'linux'] as const)(
    'on %s it hides only into a tray, if so set, for a member',
    (platform) => {
      expect(hidesOnClose({ platform, ...custom })).toBe(true)
      expect(hidesOnClose({ platform, ...custom, keepRunningInTray: false })).toBe(false)
      expect(hidesOnClose({ platform, ...custom, hasTray: false })).toBe(false)
      expect(hidesOnClose({ platform, ...custom, isSignedIn: false })).toBe(false)
    },
  )

  test('always hides on macOS', () => {
    const nothing = { keepRunningInTray: false, hasTray: false, isSignedIn: false }
    expect(hidesOnClose({ platform: 'darwin', ...nothing })).toBe(true)
  })
})

/** A window whose states are reported. */
function watched() {
  const [window, power, clock] = [new FakeWindow(), new FakePower(), manualClock()]
  const states: WindowState[] = []
  const presence = watchPresence({
    powerMonitor: power.asElectron(),
    window: window.asElectron(),
    schedule: clock.schedule,
    now: clock.now,
  })
  watchWindowState(window.asElectron(), presence, (state) => states.push(state))
  return { window, power, states, presence }
}

test('reports each change of visibility and focus to the page once', () => {
  const { window, states } = watched()
  window.emit('focus')
  window.isInFront = false
  window.emit('blur')
  window.isSmall = true
  window.emit('minimize')
  window.emit('blur')
  window.isSmall = false
  window.emit('restore')
  window.isSeen = false
  window.emit('hide')
  expect(states).toEqual([
    { isVisible: true, isFocused: false },
    { isVisible: false, isFocused: false },
    { isVisible: true, isFocused: false },
    { isVisible: false, isFocused: false },
  ])
})

test('DESK-14 is not visible while the member is away', () => {
  const { window, power, states, presence } = watched()
  power.emit('lock-screen')
  expect(windowState(window.asElectron(), presence.isAway())).toEqual({ isVisible: false, isFocused: false })
  power.emit('unlock-screen')
  expect(states).toEqual([
    { isVisible: false, isFocused: false },
    { isVisible: true, isFocused: true },
  ])
})
