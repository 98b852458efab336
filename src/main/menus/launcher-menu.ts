import type { App, Dock, Menu, MenuItemConstructorOptions } from 'electron'
import type { Log } from '#/main/log'
import { texts } from '#/main/texts'
import { type AppRoute, routeLink } from '#/shared/routes'

export interface LauncherMenuParts {
  platform: NodeJS.Platform
  /** `dock` exists only on macOS, `setUserTasks` only on Windows. */
  app: Pick<App, 'isPackaged' | 'setUserTasks'> & { readonly dock: Pick<Dock, 'setMenu'> | undefined }
  program: string
  buildMenu(template: MenuItemConstructorOptions[]): Menu
  open(route: AppRoute): void
  log: Pick<Log, 'warn'>
}

const ENTRIES: readonly { title: string; route: AppRoute }[] = [
  { title: texts.menu.newPost, route: { page: 'create' } },
  { title: texts.menu.messages, route: { page: 'messages' } },
]

/**
 * Adds New Post and Messages to the app's icon in the Dock (macOS) or on the taskbar (Windows). On Linux the desktop
 * entry defines them (electron-builder.yml).
 */
export function setupLauncherMenu({ platform, app, program, buildMenu, open, log }: LauncherMenuParts): void {
  if (platform === 'darwin') {
    app.dock?.setMenu(
      buildMenu(ENTRIES.map(({ title, route }) => ({ label: title, click: () => open(route) }))),
    )
    return
  }
  // In development the program is Electron itself, which needs the project folder as its first argument.
  if (platform !== 'win32' || !app.isPackaged) return
  const isSet = app.setUserTasks(
    ENTRIES.map(({ title, route }) => ({
      title,
      description: title,
      program,
      // Handled like a deep link, by this process or by the one that is already running.
      arguments: routeLink(route),
      iconPath: program,
      iconIndex: 0,
    })),
  )
  if (!isSet) log.warn('jump list not set')
}
