declare global {
  /** What register.cjs wrote down. */
  var standinSyncCalls: string[]
}

/** What the app under test did, for tests to look at. */
export const record = {
  /** Files that its own code read or wrote synchronously: the function and the path. */
  syncCalls: globalThis.standinSyncCalls,
  appName: 'Vignette',
  /** The Start-menu shortcut of Windows that Electron points at the running program. */
  shortcut: null as string | null,
  /** Labels of the context menus that popped up. */
  popups: [] as string[][],
  /** What entries of context menus did to the page and the dictionary. */
  editing: [] as string[],
  appUserModelId: '',
  toastActivator: '',
  isSandboxEnabled: false,
  relaunches: [] as Electron.RelaunchOptions[],
  /** How often Chromium was told to write what pages keep. */
  flushes: 0,
  privilegedSchemes: [] as unknown[],
  openedExternally: [] as string[],
  shownInFolder: [] as string[],
  errorBoxes: [] as string[],
  messageBoxes: [] as string[],
  dialogs: [] as unknown[],
  forks: [] as { path: string; options: unknown }[],
  sent: [] as { channel: string; args: unknown[] }[],
  shown: 0,
  appFocused: 0,
  /** A window was hidden while it filled its screen, which leaves an empty black Space on macOS. */
  hiddenInFullScreen: false,
  /** How often the Dock icon bounced. */
  bounces: 0,
  /** The taskbar entry flashes. */
  isFlashing: false,
  /** What dock, launcher or taskbar shows. */
  badge: '0',
  linkSchemes: [] as string[],
  /** What came when: a window made, its first page loaded, tray, menu and links set up, permission asked for. */
  order: [] as ('window' | 'page' | 'tray' | 'menu' | 'no menu' | 'links' | 'notification permission')[],
  /** Windows' jump list: the title of each task and the arguments of its start. */
  userTasks: [] as { title: string; arguments: string }[],
  spellCheckerLanguages: ['en-GB'],
  loginItem: null as Electron.Settings | null,
  openedPaths: [] as string[],
  clipboard: '',
  notifications: [] as {
    id: string
    title: string
    body: string
    toastXml: string
    groupId: string
    hasIcon: boolean
  }[],
  /** Ids of the notifications that are still shown, in the notification centre or on screen. */
  notificationsOnScreen: [] as string[],
  tray: null as { image: string; toolTip: string } | null,
}
