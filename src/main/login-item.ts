import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { App } from 'electron'
import { APP_ID, EXECUTABLE_NAME } from './app-identity'
import { texts } from './texts'

/** Names a start that nobody asked for just now: the window stays hidden while there is a tray to bring it up. */
export const QUIET_START = '--hidden'

export interface LoginItemParts {
  app: Pick<App, 'isPackaged' | 'setLoginItemSettings' | 'getLoginItemSettings'>
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
  /** What the system will do at the next login; the member can change it there too. */
  isOn(): Promise<boolean>
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
  const entry = join(configHome, 'autostart', `${APP_ID}.desktop`)

  async function setOnLinux(startsAtLogin: boolean): Promise<void> {
    if (!startsAtLogin) return rm(entry, { force: true })
    await mkdir(dirname(entry), { recursive: true })
    await writeFile(entry, desktopEntry(program))
  }
  /** Desktops turn an entry off by `Hidden` (Desktop Application Autostart Specification) or by GNOME's key. */
  async function isOnForLinux(): Promise<boolean> {
    try {
      const text = await readFile(entry, 'utf8')
      return !/^\s*(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/im.test(text)
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return false
      throw cause
    }
  }

  return {
    isAvailable: app.isPackaged,
    isOn: async () => {
      if (!app.isPackaged) return false
      if (platform === 'linux') return isOnForLinux()
      if (platform === 'darwin') return app.getLoginItemSettings().openAtLogin
      // Unlike `openAtLogin` it is false for an entry that Task Manager disabled.
      return app.getLoginItemSettings({ args: [QUIET_START] }).executableWillLaunchAtLogin
    },
    set: async (startsAtLogin) => {
      if (!app.isPackaged) return
      if (platform === 'linux') await setOnLinux(startsAtLogin)
      else if (platform === 'win32')
        app.setLoginItemSettings({ openAtLogin: startsAtLogin, args: [QUIET_START] })
      else app.setLoginItemSettings({ openAtLogin: startsAtLogin })
    },
  }
}
