declare global {
  /** The records of register.cjs. */
  var standinSyncCalls: string[]
}

/** Effects of the app under test. */
export const record = {
  /** Files that its own code accessed synchronously: function and path. */
  syncCalls: globalThis.standinSyncCalls,
  appName: 'Vignette',
  /** The Windows Start menu shortcut that Electron points at the running program. */
  shortcut: null as string | null,
  /** Labels of the context menus shown. */
  popups: [] as string[][],
  /** Effects of context menu items on the page and the dictionary. */
  editing: [] as string[],
  appUserModelId: '',
  toastActivator: '',
  isSandboxEnabled: false,
  isAccelerated: true,
  /** Moves to the Applications folder. */
  moves: 0,
  relaunches: [] as Electron.RelaunchOptions[],
  /** How the crash reporter was started. */
  crashReporter: null as Electron.CrashReporterStartOptions | null,
  /** How often flushStorageData was called. */
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
  /** A window was hidden while in full screen, which leaves an empty black Space on macOS. */
  hiddenInFullScreen: false,
  /** How often the Dock icon bounced. */
  bounces: 0,
  /** Whether the taskbar button is flashing. */
  isFlashing: false,
  /** The badge on Dock, launcher or taskbar. */
  badge: '0',
  /** The progress on Dock, launcher or taskbar. */
  progress: null as { fraction: number; mode: string } | 'indeterminate' | null,
  linkSchemes: [] as string[],
  /**
   * The order of startup steps: window created, first page loaded, tray, menu and links set up, permission requested.
   */
  order: [] as ('window' | 'page' | 'tray' | 'menu' | 'no menu' | 'links' | 'notification permission')[],
  /** The Windows jump list: title and arguments of each task. */
  userTasks: [] as { title: string; arguments: string }[],
  spellCheckerLanguages: ['en-GB'],
  /** URLs from which dictionaries of the spell checker were downloaded, or refused to be. */
  dictionaries: [] as string[],
  loginItem: null as Electron.Settings | null,
  openedPaths: [] as string[],
  aboutPanels: 0,
  /** What the About panel shows; on Linux nothing else. */
  about: {} as Electron.AboutPanelOptionsOptions,
  /** Calls of goBack and goForward. */
  history: [] as ('back' | 'forward')[],
  clipboard: '',
  notifications: [] as {
    id: string
    title: string
    body: string
    toastXml: string
    groupId: string
    hasIcon: boolean
  }[],
  /** Ids of the notifications on screen or in the notification centre. */
  notificationsOnScreen: [] as string[],
  tray: null as { image: string; toolTip: string } | null,
}
