import type { Dock, Menu, MenuItemConstructorOptions, Task } from 'electron'
import { expect, test } from 'vitest'
import { parseLaunchArguments } from '#/main/launch/launch-arguments'
import { setupLauncherMenu } from '#/main/menus/launcher-menu'
import { recordingLog } from '../support/recording-log'

function setUpLauncher(platform: NodeJS.Platform, { isPackaged = true, isTaken = true } = {}) {
  const opened: string[] = []
  const dockMenus: MenuItemConstructorOptions[][] = []
  const tasks: Task[][] = []
  const log = recordingLog()
  const dock: Pick<Dock, 'setMenu'> = {
    setMenu: (menu) => dockMenus.push(menu as unknown as MenuItemConstructorOptions[]),
  }
  setupLauncherMenu({
    platform,
    app: {
      isPackaged,
      dock: platform === 'darwin' ? dock : undefined,
      setUserTasks: (given) => {
        tasks.push(given)
        return isTaken
      },
    },
    program: 'C:\\Program Files\\Vignette\\Vignette.exe',
    buildMenu: (template) => template as unknown as Menu,
    open: (route) => opened.push(route.page),
    log,
  })
  return { opened, dockMenus, tasks, log }
}

test('DESK-12 the Dock menu of macOS opens New Post and Messages', () => {
  const { dockMenus, opened, tasks } = setUpLauncher('darwin')
  const [items = []] = dockMenus
  expect(items.map(({ label }) => label)).toEqual(['New Post', 'Messages'])
  for (const { click } of items) (click as () => void)()
  expect(opened).toEqual(['create', 'messages'])
  expect(tasks).toEqual([])
})

test('DESK-12 the Windows jump list starts the app with links that it can parse', () => {
  const [tasks = []] = setUpLauncher('win32').tasks
  expect(tasks.map(({ title }) => title)).toEqual(['New Post', 'Messages'])
  expect(tasks.map((task) => parseLaunchArguments([task.arguments], '.'))).toEqual([
    { route: { page: 'create' } },
    { route: { page: 'messages' } },
  ])
  expect(new Set(tasks.map(({ program }) => program))).toEqual(
    new Set(['C:\\Program Files\\Vignette\\Vignette.exe']),
  )
})

test('DESK-12 logs a jump list that Windows rejects; sets none in development and on Linux', () => {
  expect(setUpLauncher('win32', { isTaken: false }).log.lines).toEqual(['warn jump list not set'])
  expect(setUpLauncher('win32', { isPackaged: false }).tasks).toEqual([])
  expect(setUpLauncher('linux')).toMatchObject({ tasks: [], dockMenus: [] })
})
