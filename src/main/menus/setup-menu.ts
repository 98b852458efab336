import { app, Menu } from 'electron'
import { windowIconPath } from '#/main/installation/app-paths'
import type { HandlersOf } from '#/main/ipc'
import type { Log } from '#/main/log'
import { texts } from '#/main/texts'
import type { Updates } from '#/main/updates/updates'
import type { History } from '#/main/window/history'
import type { AppRoute } from '#/shared/routes'
import { appMenuTemplate } from './app-menu'

export interface SetupMenuParts {
  open(route: AppRoute): void
  find(): void
  history: History
  help: HandlersOf<'help'>
  updates: Pick<Updates, 'state' | 'handlers'>
  log: Pick<Log, 'warn'>
}

/** Sets the application menu. Call again after updates have become available. */
export function setupMenu({ open, find, history, help, updates, log }: SetupMenuParts): void {
  const withLog = (what: string, act: () => unknown) => () => {
    Promise.resolve(act()).catch((cause: unknown) => log.warn(`${what} failed`, cause))
  }
  const template = appMenuTemplate(
    {
      platform: process.platform,
      isPackaged: app.isPackaged,
      hasUpdates: updates.state().state !== 'off',
    },
    {
      open,
      find,
      ...history,
      copyDiagnostics: withLog('copy diagnostics', help['help.copyDiagnostics']),
      openLog: withLog('open log', help['help.openLog']),
      showDataFolder: withLog('show data folder', help['help.showDataFolder']),
      checkForUpdates: withLog('check for updates', () => {
        open({ page: 'settings' })
        return updates.handlers['updates.check']()
      }),
    },
  )
  // On Linux the panel shows only this (About of GTK); elsewhere it replaces equal defaults.
  app.setAboutPanelOptions({
    applicationName: texts.product,
    applicationVersion: app.getVersion(),
    ...(process.platform === 'linux' && { iconPath: windowIconPath }),
  })
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
