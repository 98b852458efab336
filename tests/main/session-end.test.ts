import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { handleSessionEnd } from '#/main/session-end'
import { asElectron, FakeApp } from './support/fake-app'

let app: FakeApp
beforeEach(() => {
  app = new FakeApp()
})

function sessionWith({ hasPendingWork = false } = {}) {
  const window = new EventEmitter()
  const powerMonitor = new EventEmitter()
  const did: string[] = []
  handleSessionEnd({
    app: asElectron(app),
    window: window as unknown as Electron.BrowserWindow,
    powerMonitor,
    hasPendingWork: () => hasPendingWork,
    flush: () => did.push('flush'),
    preventInstall: () => did.push('forbid installing'),
  })
  /** Whether the app delays it. */
  const query = (...reasons: Electron.WindowSessionEndEvent['reasons']) => {
    let isDelayed = false
    window.emit('query-session-end', {
      reasons,
      preventDefault: () => {
        isDelayed = true
      },
    })
    return isDelayed
  }
  return { window, powerMonitor, did, query }
}

describe('a Windows logoff', () => {
  test('flushes at once and does not wait when nothing is being sent', () => {
    const { did, query, window } = sessionWith()
    expect(query('logoff')).toBe(false)
    expect(did).toEqual(['forbid installing', 'flush'])
    window.emit('session-end', {})
    expect({ did, hasQuit: app.hasQuit }).toEqual({
      did: ['forbid installing', 'flush', 'flush'],
      hasQuit: false,
    })
  })

  test('is delayed while something is being sent, until the app has quit by itself', () => {
    const { query } = sessionWith({ hasPendingWork: true })
    expect(query('shutdown')).toBe(true)
    expect(app.hasQuit).toBe(true)
  })

  test('is never delayed when it is critical', () => {
    const { did, query } = sessionWith({ hasPendingWork: true })
    expect(query('critical', 'shutdown')).toBe(false)
    expect({ did, hasQuit: app.hasQuit }).toEqual({ did: ['forbid installing', 'flush'], hasQuit: false })
  })
})

test('Linux and macOS are held back until the app has quit by itself, and install nothing', () => {
  const { did, powerMonitor } = sessionWith()
  let isHeld = false
  powerMonitor.emit('shutdown', {
    preventDefault: () => {
      isHeld = true
    },
  })
  expect({ isHeld, hasQuit: app.hasQuit, did }).toEqual({
    isHeld: true,
    hasQuit: true,
    did: ['forbid installing'],
  })
})
