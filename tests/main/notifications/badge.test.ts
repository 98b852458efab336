import type { NativeImage } from 'electron'
import { expect, test } from 'vitest'
import { createBadge } from '#/main/notifications/badge'
import { badgeLabel } from '#/shared/badge'

function createTestBadge(platform: NodeJS.Platform) {
  const did: string[] = []
  const badge = createBadge({
    app: {
      setBadgeCount: (count) => {
        did.push(`count ${count}`)
        return true
      },
    },
    platform,
    window: () => ({
      setOverlayIcon: (image, words) =>
        did.push(`overlay ${image === null ? 'none' : String(image)}: ${words}`),
    }),
    overlay: (label) => label as unknown as NativeImage,
    changed: (unread) => did.push(`tray ${unread}`),
  })
  return { set: (unread: number) => badge.handlers['badge.set']({ unread }), did, badge }
}

test('DESK-04 shows and clears the unread count on Dock or launcher', () => {
  for (const platform of ['darwin', 'linux'] as const) {
    const { set, did } = createTestBadge(platform)
    set(12)
    set(0)
    expect(did).toEqual(['count 12', 'tray 12', 'count 0', 'tray 0'])
  }
})

test('DESK-04 sets and clears the overlay icon on the taskbar', () => {
  const { set, did } = createTestBadge('win32')
  set(3)
  set(12)
  set(0)
  expect(did).toEqual([
    'overlay 3: 3 unread',
    'tray 3',
    'overlay 9+: 9+ unread',
    'tray 12',
    'overlay none: ',
    'tray 0',
  ])
})

test('DESK-04 restores the overlay icon when the window is shown again', () => {
  const windows = createTestBadge('win32')
  windows.badge.reapply()
  windows.set(3)
  windows.badge.reapply()
  expect(windows.did).toEqual(['overlay 3: 3 unread', 'tray 3', 'overlay 3: 3 unread'])
  const linux = createTestBadge('linux')
  linux.set(3)
  linux.badge.reapply()
  expect(linux.did).toEqual(['count 3', 'tray 3'])
})

test('ignores an unchanged count', () => {
  const { set, did } = createTestBadge('linux')
  set(0)
  set(1)
  set(1)
  expect(did).toEqual(['count 1', 'tray 1'])
})

test('shows 9+ above nine', () => {
  expect([1, 9, 10, 400].map(badgeLabel)).toEqual(['1', '9', '9+', '9+'])
})
