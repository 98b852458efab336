import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { handleSessionEnd } from '#/main/launch/session-end'
import { asElectron, FakeApp } from '../support/fake-app'

let app: FakeApp
beforeEach(() => {
  app = new FakeApp()
})

function createTestSession({ hasPendingWork = false } = {}) {
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
  /** Whether the app prevented the default. */
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
  test('flushes at once and is not delayed without pending work', () => {
    const { did, query, window } = createTestSession()
    expect(query('logoff')).toBe(false)
    expect(did).toEqual(['forbid installing', 'flush'])
    window.emit('session-end', {})
    expect({ did, hasQuit: app.hasQuit }).toEqual({
      did: ['forbid installing', 'flush', 'flush'],
      hasQuit: false,
    })
  })

  test('is never delayed if it is critical', () => {
    const { did, query } = createTestSession({ hasPendingWork: true })
    expect(query('critical', 'shutdown')).toBe(false)
    expect({ did, hasQuit: app.hasQuit }).toEqual({ did: ['forbid installing', 'flush'], hasQuit: false })
  })
})

test('Linux and macOS wait until the app has quit, and install nothing', () => {
  const { did, powerMonitor } = createTestSession()
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
