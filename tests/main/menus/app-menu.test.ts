import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, test } from 'vitest'
import { appMenuTemplate, type MenuActions } from '#/main/menus/app-menu'

function createTestMenu(
  platform: NodeJS.Platform,
  given: { isPackaged?: boolean; hasUpdates?: boolean } = {},
) {
  const did: string[] = []
  const note = (what: string) => () => void did.push(what)
  const actions: MenuActions = {
    open: (route) => void did.push(route.page),
    find: note('find'),
    back: note('back'),
    forward: note('forward'),
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
    top: template.map(({ label, role }) => label ?? role),
    names: all.flatMap(({ label, role }) => label ?? role ?? []),
    click: (label: string) => {
      const act = all.find((item) => item.label === label)?.click as (() => void) | undefined
      act?.()
    },
  }
}

describe('the application menu', () => {
  test('follows the conventions of each platform', () => {
    expect(createTestMenu('darwin').top).toEqual([
      'appMenu',
      'fileMenu',
      'editMenu',
      'viewMenu',
      'Go',
      'windowMenu',
      'help',
    ])
    expect(createTestMenu('win32').top).toEqual(['fileMenu', 'editMenu', 'viewMenu', 'Go', 'help'])
    const mac = createTestMenu('darwin').names
    expect(mac).toEqual(
      expect.arrayContaining(['about', 'services', 'hide', 'hideOthers', 'unhide', 'quit', 'close']),
    )
    const linux = createTestMenu('linux').names
    expect(linux).toEqual(expect.arrayContaining(['close', 'quit', 'about']))
    for (const ofMac of ['services', 'hide']) expect(linux).not.toContain(ofMac)
  })

  test('has no duplicate accelerators', () => {
    for (const platform of ['darwin', 'win32', 'linux'] as const) {
      const keys = createTestMenu(platform).all.flatMap(({ accelerator }) => accelerator ?? [])
      expect(keys.length).toBeGreaterThan(2)
      expect(new Set(keys).size).toBe(keys.length)
    }
  })

  test('DESK-12 the Edit menu has the items of Electron’s own, and Find…', () => {
    for (const platform of ['darwin', 'win32', 'linux'] as const) {
      const { all, click, did } = createTestMenu(platform)
      const edit = all.find(({ role }) => role === 'editMenu')
      const entries = Array.isArray(edit?.submenu) ? edit.submenu : []
      const names = entries.flatMap(({ label, role }) => label ?? role ?? [])
      expect(names).toEqual(
        platform === 'darwin'
          ? [
              ...['undo', 'redo', 'cut', 'copy', 'paste', 'pasteAndMatchStyle', 'delete', 'selectAll'],
              ...['Substitutions', 'Speech', 'Find…'],
            ]
          : ['undo', 'redo', 'cut', 'copy', 'paste', 'delete', 'selectAll', 'Find…'],
      )
      expect(entries.find(({ label }) => label === 'Find…')?.accelerator).toBe('CmdOrCtrl+F')
      click('Find…')
      expect(did).toEqual(['find'])
    }
  })

  test('DESK-16 the Go menu goes back and forward with the keys of each platform', () => {
    for (const platform of ['darwin', 'win32', 'linux'] as const) {
      const { all, click, did } = createTestMenu(platform)
      const keyOf = (name: string) => all.find(({ label }) => label === name)?.accelerator
      expect([keyOf('Back'), keyOf('Forward')]).toEqual(
        platform === 'darwin' ? ['Cmd+[', 'Cmd+]'] : ['Alt+Left', 'Alt+Right'],
      )
      click('Back')
      click('Forward')
      expect(did).toEqual(['back', 'forward'])
    }
  })

  test('opens routes and help actions', () => {
    const { click, did } = createTestMenu('linux')
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

  test('DESK-08 shows that updates are off without a feed', () => {
    const { all, names } = createTestMenu('win32', { hasUpdates: false })
    expect(names).not.toContain('Check for Updates…')
    expect(all.find(({ label }) => label?.startsWith('Updates are off'))?.enabled).toBe(false)
  })

  test('DESK-12 the View menu of the packaged app has reload, zoom and full screen on every platform', () => {
    for (const platform of ['darwin', 'win32', 'linux'] as const) {
      const view = createTestMenu(platform).all.find(({ role }) => role === 'viewMenu')
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

  test('has developer tools in development only', () => {
    expect(createTestMenu('linux').names).not.toContain('toggleDevTools')
    expect(createTestMenu('linux', { isPackaged: false }).names).toContain('toggleDevTools')
  })
})
