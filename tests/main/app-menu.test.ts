import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, test } from 'vitest'
import { appMenuTemplate, type MenuActions } from '#/main/app-menu'

function menuOn(platform: NodeJS.Platform, given: { isPackaged?: boolean; hasUpdates?: boolean } = {}) {
  const did: string[] = []
  const note = (what: string) => () => void did.push(what)
  const actions: MenuActions = {
    open: (route) => void did.push(route.page),
    copyDiagnostics: note('diagnostics'),
    openLog: note('log'),
    showDataFolder: note('folder'),
    checkForUpdates: note('updates'),
  }
  const template = appMenuTemplate({ platform, isPackaged: true, hasUpdates: true, ...given }, actions)
  const items = (list: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
    list.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? items(item.submenu) : [])])
  const all = items(template)
  return {
    did,
    all,
    top: template.map(({ role }) => role),
    names: all.flatMap(({ label, role }) => label ?? role ?? []),
    click: (label: string) => {
      const act = all.find((item) => item.label === label)?.click as (() => void) | undefined
      act?.()
    },
  }
}

describe('the application menu', () => {
  test('has on each system what its members expect', () => {
    expect(menuOn('darwin').top).toEqual([
      'appMenu',
      'fileMenu',
      'editMenu',
      'viewMenu',
      'windowMenu',
      'help',
    ])
    expect(menuOn('win32').top).toEqual(['fileMenu', 'editMenu', 'viewMenu', 'help'])
    const mac = menuOn('darwin').names
    expect(mac).toEqual(
      expect.arrayContaining(['about', 'services', 'hide', 'hideOthers', 'unhide', 'quit', 'close']),
    )
    const linux = menuOn('linux').names
    expect(linux).toEqual(expect.arrayContaining(['quit', 'about']))
    for (const ofMac of ['services', 'hide', 'close']) expect(linux).not.toContain(ofMac)
  })

  test('no shortcut is given twice', () => {
    for (const platform of ['darwin', 'win32', 'linux'] as const) {
      const keys = menuOn(platform).all.flatMap(({ accelerator }) => accelerator ?? [])
      expect(keys.length).toBeGreaterThan(2)
      expect(new Set(keys).size).toBe(keys.length)
    }
  })

  test('leads to places of the app, and helps', () => {
    const { click, did } = menuOn('linux')
    for (const label of [
      'New Post',
      'Messages',
      'Settings…',
      'Copy Diagnostics',
      'Open Log',
      'Show Data Folder',
      'Check for Updates…',
    ])
      click(label)
    expect(did).toEqual(['create', 'messages', 'settings', 'diagnostics', 'log', 'folder', 'updates'])
  })

  test('DESK-08 without a feed it says that updates are off', () => {
    const { all, names } = menuOn('win32', { hasUpdates: false })
    expect(names).not.toContain('Check for Updates…')
    expect(all.find(({ label }) => label?.startsWith('Updates are off'))?.enabled).toBe(false)
  })

  test('DESK-12 the packaged app reloads, zooms and fills the screen from its View menu on every system', () => {
    for (const platform of ['darwin', 'win32', 'linux'] as const) {
      const view = menuOn(platform).all.find(({ role }) => role === 'viewMenu')
      const entries = Array.isArray(view?.submenu) ? view.submenu : []
      expect(entries.flatMap(({ role }) => role ?? [])).toEqual([
        'reload',
        'resetZoom',
        'zoomIn',
        'zoomOut',
        'togglefullscreen',
      ])
    }
  })

  test('developer tools are for development', () => {
    expect(menuOn('linux').names).not.toContain('toggleDevTools')
    expect(menuOn('linux', { isPackaged: false }).names).toContain('toggleDevTools')
  })
})
