/** What the app under test did, for tests to look at. */
export const record = {
  appUserModelId: '',
  isSandboxEnabled: false,
  relaunches: 0,
  privilegedSchemes: [] as unknown[],
  openedExternally: [] as string[],
  shownInFolder: [] as string[],
  errorBoxes: [] as string[],
  dialogs: [] as unknown[],
  forks: [] as { path: string; options: unknown }[],
  sent: [] as { channel: string; args: unknown[] }[],
  shown: 0,
  appFocused: 0,
  /** What dock, launcher or taskbar shows. */
  badge: '0',
  linkSchemes: [] as string[],
  loginItem: null as Electron.Settings | null,
  openedPaths: [] as string[],
  downloads: [] as { url: string; filename: string }[],
  clipboard: '',
  notifications: [] as { id: string; title: string; body: string }[],
  tray: null as { image: string; toolTip: string } | null,
}
