import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { App } from 'electron'
import { exists } from '#/main/files/exists'
import { APP_ID, EXECUTABLE_NAME } from '#/main/installation/app-identity'
import { entryProgram, execProgram, withProgram } from '#/main/installation/desktop-entry'
import { texts } from '#/main/texts'

/** Marks a start by the system at login: the window stays hidden if there is a tray icon to open it. */
export const HIDDEN_FLAG = '--hidden'

export interface LoginItemParts {
  app: Pick<App, 'isPackaged' | 'setLoginItemSettings' | 'getLoginItemSettings'>
  platform: NodeJS.Platform
  /** The program to start at login: the AppImage itself rather than its mounted content. */
  program: string
  /** `$XDG_CONFIG_HOME`, by default `~/.config`. */
  configHome: string
}

/**
 * Whether to start with a hidden window, because the system started the app at login.
 * @param keepsRunning whether the member lets the app run in the tray. Not used on macOS.
 */
export function isHiddenStart(
  app: Pick<App, 'getLoginItemSettings'>,
  {
    platform,
    argv,
    keepsRunning,
  }: { platform: NodeJS.Platform; argv: readonly string[]; keepsRunning: boolean },
): boolean {
  // macOS passes no arguments to login items.
  if (platform === 'darwin') return app.getLoginItemSettings().wasOpenedAtLogin
  return keepsRunning && argv.includes(HIDDEN_FLAG)
}

export interface LoginItem {
  /** False in development, where there is no installed app to start. */
  isAvailable: boolean
  /** Reads the system's setting, which the member can also change outside the app. */
  isOn(): Promise<boolean>
  set(startsAtLogin: boolean): Promise<void>
  /**
   * Lets an entry on Linux whose program is missing start this one: AppImages move, and updates may rename them. The
   * rest of the entry stays, so one that the desktop disabled stays disabled.
   */
  repair(): Promise<void>
}

export function desktopEntry(program: string): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    `Name=${texts.product}`,
    `Exec=${execProgram(program)} ${HIDDEN_FLAG}`,
    `Icon=${EXECUTABLE_NAME}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

/** Manages starting at login: Electron's API on Windows and macOS, an XDG autostart entry on Linux. */
export function createLoginItem({ app, platform, program, configHome }: LoginItemParts): LoginItem {
  const entry = join(configHome, 'autostart', `${APP_ID}.desktop`)

  async function setOnLinux(startsAtLogin: boolean): Promise<void> {
    if (!startsAtLogin) return rm(entry, { force: true })
    await mkdir(dirname(entry), { recursive: true })
    await writeFile(entry, desktopEntry(program))
  }
  /** Desktops disable an entry with `Hidden` (Desktop Application Autostart Specification) or with GNOME's key. */
  async function isOnForLinux(): Promise<boolean> {
    try {
      const text = await readFile(entry, 'utf8')
      return !/^\s*(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/im.test(text)
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return false
      throw cause
    }
  }

  async function repairOnLinux(): Promise<void> {
    const text = await readFile(entry, 'utf8').catch(() => '')
    const named = entryProgram(text)
    // Other names are found by the PATH of the session.
    if (named === null || !isAbsolute(named)) return
    if (!(await exists(named))) await writeFile(entry, withProgram(text, program))
  }

  return {
    isAvailable: app.isPackaged,
    isOn: async () => {
      if (!app.isPackaged) return false
      if (platform === 'linux') return isOnForLinux()
      if (platform === 'darwin') return app.getLoginItemSettings().openAtLogin
      // Unlike `openAtLogin`, this is false for an entry that was disabled in Task Manager.
      return app.getLoginItemSettings({ args: [HIDDEN_FLAG] }).executableWillLaunchAtLogin
    },
    set: async (startsAtLogin) => {
      if (!app.isPackaged) return
      if (platform === 'linux') await setOnLinux(startsAtLogin)
      else if (platform === 'win32')
        app.setLoginItemSettings({ openAtLogin: startsAtLogin, args: [HIDDEN_FLAG] })
      else app.setLoginItemSettings({ openAtLogin: startsAtLogin })
    },
    repair: async () => {
      if (platform === 'linux' && app.isPackaged) await repairOnLinux()
    },
  }
}
