import { EventEmitter } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import Module, { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

/** As much of Electron as recorder.cjs touches. */
function fakeElectron() {
  const shown: unknown[] = []
  class Notification extends EventEmitter {
    static isSupported = () => true
    show() {
      shown.push(this)
      this.emit('show', {})
      this.emit('failed', {}, 'no permission')
    }
    close() {
      shown.splice(shown.indexOf(this), 1)
    }
  }
  class BrowserWindow {
    setOverlayIcon(_image: unknown, description: string) {
      shown.push(description)
    }
  }
  class Tray {
    setContextMenu() {}
    setToolTip() {}
  }
  const app = { setAsDefaultProtocolClient: () => false, setBadgeCount: () => false }
  return { app, BrowserWindow, dialog: {}, Notification, powerMonitor: {}, shell: {}, Tray, shown }
}

describe('the recorder', () => {
  let folder: string
  let report: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vignette-report-'))
    report = join(folder, 'system.txt')
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  })

  function load(systemReportFile: string, hasNotifications = true) {
    const electron = fakeElectron()
    electron.Notification.isSupported = () => hasNotifications
    vi.stubEnv('VIGNETTE_SYSTEM_REPORT', systemReportFile)
    // The imitation of a seat is another matter.
    vi.stubEnv('WAYLAND_DISPLAY', '')
    const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown }
    const original = loader._load
    loader._load = (request, ...rest) => (request === 'electron' ? electron : original(request, ...rest))
    try {
      const require = createRequire(import.meta.url)
      const path = require.resolve('../e2e/desktop/support/recorder.cjs')
      delete require.cache[path]
      require(path)
    } finally {
      loader._load = original
    }
    return electron
  }

  test('in CI gives notifications and badge to the system, whose answers do not reach the app', async () => {
    const { Notification, app, BrowserWindow, shown } = load(report)
    const events: string[] = []
    const notification = new Notification()
    for (const event of ['show', 'failed', 'click']) notification.on(event, () => events.push(event))
    notification.show()
    expect(shown).toEqual([notification])
    Notification.prototype.emit.call(notification, 'click', {})
    notification.close()
    expect(shown).toEqual([])
    expect(events).toEqual(['click'])
    expect(app.setBadgeCount()).toBe(true)
    new BrowserWindow().setOverlayIcon(null, '3 unread')
    expect(shown).toEqual(['3 unread'])
    const lines = (await readFile(report, 'utf8')).trim().split('\n')
    expect(new Set(lines)).toEqual(
      new Set([
        'notifications\tshown',
        'notifications\trefused (no permission)',
        'notifications\tgiven to the system',
        'badge\trefused (no desktop entry)',
        'badge\tshown',
      ]),
    )
  })

  test("shows nothing on a tester's desktop", () => {
    const { Notification, BrowserWindow, shown } = load('')
    new Notification().show()
    new BrowserWindow().setOverlayIcon(null, '3 unread')
    expect(shown).toEqual([])
  })

  test('says that a system has no notifications', async () => {
    const { Notification, shown } = load(report, false)
    expect(Notification.isSupported()).toBe(true)
    new Notification().show()
    expect(shown).toEqual([])
    expect(await readFile(report, 'utf8')).toBe('notifications\treplaced: the system has none\n')
  })
})
