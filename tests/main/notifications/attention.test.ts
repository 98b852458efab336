import { EventEmitter } from 'node:events'
import type { BrowserWindow } from 'electron'
import { describe, expect, test } from 'vitest'
import { createAttention } from '#/main/notifications/attention'

function createTestAttention(platform: NodeJS.Platform) {
  const did: string[] = []
  const state = { isEnabled: true, isVisible: true, isMinimized: false, isFocused: false, isDestroyed: false }
  const events = new EventEmitter()
  const attention = createAttention({
    app: {
      dock: {
        bounce: (type: string) => {
          did.push(`bounce ${type}`)
          return 1
        },
      } as Electron.Dock,
    },
    window: {
      on: events.on.bind(events) as unknown as BrowserWindow['on'],
      flashFrame: (flashes) => did.push(`flash ${flashes}`),
      isVisible: () => state.isVisible,
      isMinimized: () => state.isMinimized,
      isFocused: () => state.isFocused,
      isDestroyed: () => state.isDestroyed,
    },
    platform,
    isEnabled: () => state.isEnabled,
  })
  return { attention, did, state, focus: () => events.emit('focus') }
}

describe('DESK-10 attention for a new message', () => {
  test('macOS bounces the Dock icon once for each message', () => {
    const { attention, did, focus } = createTestAttention('darwin')
    attention.request()
    focus()
    attention.request()
    expect(did).toEqual(['bounce informational', 'bounce informational'])
  })

  test.each(['win32', 'linux'] as const)(
    '%s flashes the taskbar button until the window is focused',
    (platform) => {
      const { attention, did, focus } = createTestAttention(platform)
      focus()
      attention.request()
      focus()
      focus()
      expect(did).toEqual(['flash true', 'flash false'])
    },
  )

  test('stops flashing when the messages were read elsewhere', () => {
    const { attention, did } = createTestAttention('win32')
    attention.request()
    attention.release()
    attention.release()
    expect(did).toEqual(['flash true', 'flash false'])
  })

  test.each(['darwin', 'win32', 'linux'] as const)(
    '%s: does nothing if the preference is off, or the window is focused or destroyed',
    (platform) => {
      const { attention, did, state } = createTestAttention(platform)
      for (const change of [{ isEnabled: false }, { isFocused: true }, { isDestroyed: true }]) {
        Object.assign(state, { isEnabled: true, isFocused: false, isDestroyed: false }, change)
        attention.request()
        attention.release()
      }
      expect(did).toEqual([])
    },
  )

  test('flashes a minimized window but not one in the tray', () => {
    const { attention, did, state } = createTestAttention('win32')
    state.isVisible = false
    attention.request()
    expect(did).toEqual([])
    state.isMinimized = true
    attention.request()
    expect(did).toEqual(['flash true'])
  })
})
