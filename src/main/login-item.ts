import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { App } from 'electron'
import { APP_ID, EXECUTABLE_NAME } from './app-identity'
import { texts } from './texts'

/** Names a start that nobody asked for just now: the window stays hidden while there is a tray to bring it up. */
export const QUIET_START = '--hidden'

export interface LoginItemParts {
  app: Pick<App, 'isPackaged' | 'setLoginItemSettings'>
  platform: NodeJS.Platform
  /** What the system is to start: the AppImage itself rather than what it unpacked. */
  program: string
  /** `$XDG_CONFIG_HOME`, `~/.config` as a rule. */
  configHome: string
}

/**
 * Whether the system started the app at login, not the member: the window waits until somebody asks for it.
 * @param keepsRunning elsewhere than on macOS, the member wants the app to run without a window.
 */
export function isQuietStart(
  app: Pick<App, 'getLoginItemSettings'>,
  {
    platform,
    argv,
    keepsRunning,
  }: { platform: NodeJS.Platform; argv: readonly string[]; keepsRunning: boolean },
): boolean {
  // Login items of macOS get no arguments.
  if (platform === 'darwin') return app.getLoginItemSettings().wasOpenedAtLogin
  return keepsRunning && argv.includes(QUIET_START)
}

export interface LoginItem {
  /** While developing there is no app to start. */
  isAvailable: boolean
  set(startsAtLogin: boolean): Promise<void>
}

/** Quotes an argument for the Exec line of a desktop entry (Desktop Entry Specification, the Exec key). */
function quoted(argument: string): string {
  const escaped = argument.replace(/[\\"`$]/g, (character) => `\\${character}`)
  // Backslashes are escaped once more as in every string of the file, and a percent sign begins a field code.
  return `"${escaped.replaceAll('\\', '\\\\').replaceAll('%', '%%')}"`
}

export function desktopEntry(program: string): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    `Name=${texts.product}`,
    `Exec=${quoted(program)} ${QUIET_START}`,
    `Icon=${EXECUTABLE_NAME}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

/** Whether the app starts with the computer: Electron's way on Windows and macOS, an XDG autostart entry on Linux. */
export function createLoginItem({ app, platform, program, configHome }: LoginItemParts): LoginItem {
  async function setOnLinux(startsAtLogin: boolean): Promise<void> {
    const entry = join(configHome, 'autostart', `${APP_ID}.desktop`)
    if (!startsAtLogin) return rm(entry, { force: true })
    await mkdir(dirname(entry), { recursive: true })
    await writeFile(entry, desktopEntry(program))
  }
  return {
    isAvailable: app.isPackaged,
    set: async (startsAtLogin) => {
      if (!app.isPackaged) return
      if (platform === 'linux') await setOnLinux(startsAtLogin)
      else if (platform === 'win32')
        app.setLoginItemSettings({ openAtLogin: startsAtLogin, args: [QUIET_START] })
      else app.setLoginItemSettings({ openAtLogin: startsAtLogin })
    },
  }
}
