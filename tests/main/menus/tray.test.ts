import { EventEmitter } from 'node:events'
import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, test } from 'vitest'
import { createTray, type TrayParts } from '#/main/menus/tray'
import type { AppRoute } from '#/shared/routes'
import { recordingLog } from '../support/recording-log'

class FakeTray extends EventEmitter {
  toolTip = ''
  title = ''
  images: unknown[] = []
  menus: MenuItemConstructorOptions[][] = []
  setToolTip(toolTip: string): void {
    this.toolTip = toolTip
  }

  setTitle(title: string): void {
    this.title = title
  }

  setImage = (image: unknown) => void this.images.push(image)
  setContextMenu = (menu: unknown) => void this.menus.push(menu as MenuItemConstructorOptions[])
}

function createTestTray(platform: NodeJS.Platform, create?: () => never) {
  const icon = new FakeTray()
  const did: string[] = []
  const opened: AppRoute[] = []
  const log = recordingLog()
  const tray = createTray({
    platform,
    create: create ?? (() => icon as unknown as ReturnType<TrayParts['create']>),
    buildMenu: (template) => template as unknown as Electron.Menu,
    image: (hasUnread) => (hasUnread ? 'unread' : 'plain'),
    show: () => void did.push('show'),
    open: (route) => void opened.push(route),
    quit: () => void did.push('quit'),
    log,
  })
  const click = (label: string) => {
    const found = icon.menus.at(-1)?.find((item) => item.label === label)
    ;(found?.click as (() => void) | undefined)?.()
  }
  return { tray, icon, did, opened, log, click }
}

describe('DESK-04 the tray', () => {
  test('has working items Open, Messages, New Post and Quit', () => {
    const { icon, click, did, opened } = createTestTray('linux')
    expect(icon.menus.at(-1)?.flatMap(({ label }) => label ?? [])).toEqual([
      'Open Vignette',
      'Messages',
      'New Post',
      'Quit Vignette',
    ])
    for (const label of ['Open Vignette', 'Messages', 'New Post', 'Quit Vignette']) click(label)
    expect(did).toEqual(['show', 'quit'])
    expect(opened).toEqual([{ page: 'messages' }, { page: 'create' }])
  })

  test('shows the unread count in icon, tooltip and menu, and clears it', () => {
    const { tray, icon } = createTestTray('win32')
    tray.setUnread(12)
    expect(icon.images.at(-1)).toBe('unread')
    expect(icon.toolTip).toBe('Vignette · 9+ unread')
    expect(icon.menus.at(-1)?.[0]?.label).toBe('Open Vignette (9+ unread)')
    tray.setUnread(0)
    expect(icon.images.at(-1)).toBe('plain')
    expect(icon.toolTip).toBe('Vignette')
  })

  test('a click shows the window; on macOS it opens the menu, and the count is the title', () => {
    const { icon, did } = createTestTray('win32')
    icon.emit('click')
    expect(did).toEqual(['show'])

    const mac = createTestTray('darwin')
    mac.tray.setUnread(3)
    mac.icon.emit('click')
    expect(mac.did).toEqual([])
    expect(mac.icon.title).toBe('3')
    expect(mac.icon.images).toEqual([])
  })

  test('the app works without a tray', () => {
    const { tray, log } = createTestTray('linux', () => {
      throw new Error('no tray here')
    })
    tray.setUnread(1)
    expect(tray.isAvailable()).toBe(false)
    expect(createTestTray('linux').tray.isAvailable()).toBe(true)
    expect(log.lines.join()).toContain('no tray here')
  })
})
