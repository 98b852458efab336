import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { backgroundFor, setupWindow, showWindow, windowOptions } from '#/main/window'
import { asElectron, FakeApp } from './support/fake-app'

let app: FakeApp
beforeEach(() => {
  app = new FakeApp()
})

class FakeWindow extends EventEmitter {
  did: string[] = []
  isGone = false
  isSmall = false
  show = () => void this.did.push('show')
  hide = () => void this.did.push('hide')
  focus = () => void this.did.push('focus')
  restore = () => void this.did.push('restore')
  isMinimized = () => this.isSmall
  isDestroyed = () => this.isGone
  setBackgroundColor = (color: string) => void this.did.push(color)

  /** Whether the window closed: nobody held it back. */
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
  function setup(platform: NodeJS.Platform, isQuitting = false) {
    const window = new FakeWindow()
    const nativeTheme = Object.assign(new EventEmitter(), { shouldUseDarkColors: false })
    setupWindow(window as unknown as Electron.BrowserWindow, {
      app: asElectron(app),
      nativeTheme: nativeTheme as unknown as Electron.NativeTheme,
      platform,
      isQuitting: () => isQuitting,
    })
    return { window, nativeTheme }
  }

  test('is locked down, kept by name, and hidden until drawn', () => {
    expect(windowOptions('/out/preload/index.cjs', '#131110', true)).toMatchObject({
      name: 'main',
      windowStatePersistence: true,
      show: false,
      backgroundColor: '#131110',
      webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, devTools: false },
    })
    expect(windowOptions('', '', false).webPreferences?.devTools).toBe(true)
  })

  test('shows when its first page is drawn, not again at the next', () => {
    const { window } = setup('linux')
    expect(window.did).toEqual([])
    window.emit('ready-to-show')
    window.emit('ready-to-show')
    expect(window.did).toEqual(['show'])
  })

  test('its background follows the theme, while it is there', () => {
    const { window, nativeTheme } = setup('linux')
    nativeTheme.shouldUseDarkColors = true
    nativeTheme.emit('updated')
    window.isGone = true
    nativeTheme.emit('updated')
    expect(window.did).toEqual(['#131110'])
    expect(backgroundFor({ shouldUseDarkColors: false })).toBe('#FBF9F6')
  })

  test('closing it quits, on Windows and Linux', () => {
    for (const platform of ['win32', 'linux'] as const) expect(setup(platform).window.closes()).toBe(true)
    app.emit('window-all-closed')
    expect(app.hasQuit).toBe(true)
  })

  test('closing it hides it on macOS, and the Dock brings it back; quitting closes it', () => {
    const { window } = setup('darwin')
    expect(window.closes()).toBe(false)
    app.emit('activate')
    expect(window.did).toEqual(['hide', 'show', 'focus'])
    expect(setup('darwin', true).window.closes()).toBe(true)
  })

  test('comes to the front from the taskbar too', () => {
    const window = new FakeWindow()
    window.isSmall = true
    showWindow(window)
    expect(window.did).toEqual(['restore', 'show', 'focus'])
  })
})
