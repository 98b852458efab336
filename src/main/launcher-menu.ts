import type { App, Dock, Menu, MenuItemConstructorOptions } from 'electron'
import { type AppRoute, routeLink } from '#/shared/routes'
import type { Log } from './log'
import { texts } from './texts'

export interface LauncherMenuParts {
  platform: NodeJS.Platform
  /** `dock` exists on macOS only, `setUserTasks` on Windows only. */
  app: Pick<App, 'isPackaged' | 'setUserTasks'> & { readonly dock: Pick<Dock, 'setMenu'> | undefined }
  /** Absolute path of the running program. */
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
 * Adds New Post and Messages to the app's icon in the Dock (macOS) or the taskbar (Windows). On Linux they are actions of the
 * installed desktop entry (electron-builder.yml).
 */
export function setupLauncherMenu({ platform, app, program, buildMenu, open, log }: LauncherMenuParts): void {
  if (platform === 'darwin') {
    app.dock?.setMenu(
      buildMenu(ENTRIES.map(({ title, route }) => ({ label: title, click: () => open(route) }))),
    )
    return
  }
  // Without the project's folder as its first argument, Electron's own program would start no app.
  if (platform !== 'win32' || !app.isPackaged) return
  const isSet = app.setUserTasks(
    ENTRIES.map(({ title, route }) => ({
      title,
      description: title,
      program,
      // Read like every link from outside, by this process or by the one that runs already.
      arguments: routeLink(route),
      iconPath: program,
      iconIndex: 0,
    })),
  )
  if (!isSet) log.warn('jump list not set')
}
