import type { MenuItemConstructorOptions } from 'electron'
import { texts } from '#/main/texts'
import type { AppRoute } from '#/shared/routes'

export interface MenuActions {
  open(route: AppRoute): void
  /** Opens the page's search. */
  find(): void
  back(): void
  forward(): void
  copyDiagnostics(): void
  openLog(): void
  showDataFolder(): void
  checkForUpdates(): void
}

export interface MenuOptions {
  platform: NodeJS.Platform
  isPackaged: boolean
  hasUpdates: boolean
}

const { menu } = texts

const separator: MenuItemConstructorOptions = { type: 'separator' }

function appMenu(actions: MenuActions): MenuItemConstructorOptions {
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      separator,
      { label: menu.settings, accelerator: 'Cmd+,', click: () => actions.open({ page: 'settings' }) },
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  }
}

function fileMenu(isMac: boolean, actions: MenuActions): MenuItemConstructorOptions {
  return {
    role: 'fileMenu',
    submenu: [
      { label: menu.newPost, accelerator: 'CmdOrCtrl+N', click: () => actions.open({ page: 'create' }) },
      {
        label: menu.messages,
        accelerator: 'CmdOrCtrl+Shift+M',
        click: () => actions.open({ page: 'messages' }),
      },
      separator,
      ...(isMac
        ? [{ role: 'close' } satisfies MenuItemConstructorOptions]
        : [
            { label: menu.settings, accelerator: 'Ctrl+,', click: () => actions.open({ page: 'settings' }) },
            separator,
            { role: 'close' } satisfies MenuItemConstructorOptions,
            { role: 'quit' } satisfies MenuItemConstructorOptions,
          ]),
    ],
  }
}

/** Electron's default for this role (lib/browser/api/menu-item-roles.ts), and 'Find…'. */
function editMenu(isMac: boolean, actions: MenuActions): MenuItemConstructorOptions {
  const ofMac: MenuItemConstructorOptions[] = [
    { role: 'pasteAndMatchStyle' },
    { role: 'delete' },
    { role: 'selectAll' },
    separator,
    {
      label: menu.substitutions,
      submenu: [
        { role: 'showSubstitutions' },
        separator,
        { role: 'toggleSmartQuotes' },
        { role: 'toggleSmartDashes' },
        { role: 'toggleTextReplacement' },
      ],
    },
    { label: menu.speech, submenu: [{ role: 'startSpeaking' }, { role: 'stopSpeaking' }] },
  ]
  return {
    role: 'editMenu',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      separator,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      ...(isMac ? ofMac : [{ role: 'delete' } as const, separator, { role: 'selectAll' } as const]),
      separator,
      // The page handles the keys itself, and leaves them to the menu while it is loading.
      { label: menu.find, accelerator: 'CmdOrCtrl+F', click: actions.find },
    ],
  }
}

function viewMenu(isPackaged: boolean): MenuItemConstructorOptions {
  const development: MenuItemConstructorOptions[] = [{ role: 'toggleDevTools' }, separator]
  return {
    role: 'viewMenu',
    submenu: [
      { role: 'reload' },
      ...(isPackaged ? [separator] : development),
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      separator,
      { role: 'togglefullscreen' },
    ],
  }
}

function goMenu(isMac: boolean, { back, forward }: MenuActions): MenuItemConstructorOptions {
  return {
    label: menu.go,
    submenu: [
      { label: menu.back, accelerator: isMac ? 'Cmd+[' : 'Alt+Left', click: back },
      { label: menu.forward, accelerator: isMac ? 'Cmd+]' : 'Alt+Right', click: forward },
    ],
  }
}

function helpMenu(isMac: boolean, hasUpdates: boolean, actions: MenuActions): MenuItemConstructorOptions {
  return {
    role: 'help',
    submenu: [
      { label: menu.copyDiagnostics, click: actions.copyDiagnostics },
      { label: menu.openLog, click: actions.openLog },
      { label: menu.showDataFolder, click: actions.showDataFolder },
      separator,
      hasUpdates
        ? { label: menu.checkForUpdates, click: actions.checkForUpdates }
        : { label: menu.updatesOff, enabled: false },
      ...(isMac ? [] : [separator, { role: 'about' } satisfies MenuItemConstructorOptions]),
    ],
  }
}

/**
 * The application menu with each platform's conventions. macOS shows it at the top of the screen, Windows and Linux
 * behind Alt.
 */
export function appMenuTemplate(
  { platform, isPackaged, hasUpdates }: MenuOptions,
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin'
  return [
    ...(isMac ? [appMenu(actions)] : []),
    fileMenu(isMac, actions),
    editMenu(isMac, actions),
    viewMenu(isPackaged),
    goMenu(isMac, actions),
    ...(isMac ? [{ role: 'windowMenu' } satisfies MenuItemConstructorOptions] : []),
    helpMenu(isMac, hasUpdates, actions),
  ]
}
