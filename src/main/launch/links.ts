import type { App } from 'electron'
import type { AppImage } from '#/main/installation/app-image'
import { ENTRY_ID, installDesktopEntry, removeStaleEntry } from '#/main/installation/desktop-integration'
import type { Log } from '#/main/log'
import { LINK_SCHEME } from '#/shared/routes'

export interface LinksParts {
  app: Pick<App, 'isPackaged' | 'setAsDefaultProtocolClient'>
  platform: NodeJS.Platform
  /** In development the running program is Electron, which needs the project. */
  program: { path: string; project: string }
  appImage: AppImage | null
  /** `$XDG_DATA_HOME`, by default `~/.local/share`. */
  dataHome: string
  /** Runs a program and resolves with its output. Rejects if it is missing or fails. */
  run(program: string, args: readonly string[]): Promise<string>
  log: Pick<Log, 'warn'>
}

export interface Links {
  /** Registers the app as the system's handler of its links, once; resolves with whether it is. Never rejects. */
  register(): Promise<boolean>
}

/**
 * The app's links (`vignette://`). The NSIS installer does not register them, so on Windows every start does. Linux needs
 * an installed desktop entry (browser_linux.cc), which an AppImage has to install first.
 */
export function createLinks(parts: LinksParts): Links {
  const { app, platform, program, appImage, dataHome, run, log } = parts

  /** Returns whether the entry of the AppImage is installed. */
  async function installEntry(): Promise<boolean> {
    if (platform !== 'linux' || !app.isPackaged) return false
    if (appImage === null) {
      await removeStaleEntry(dataHome)
      return false
    }
    if (await installDesktopEntry(appImage, dataHome)) {
      // Menus and links of some desktops read the cache that it writes; others have neither.
      await run('update-desktop-database', [`${dataHome}/applications`]).catch(() => undefined)
    }
    return true
  }

  const registerByElectron = () =>
    app.isPackaged
      ? app.setAsDefaultProtocolClient(LINK_SCHEME)
      : app.setAsDefaultProtocolClient(LINK_SCHEME, program.path, [program.project])

  /** GLib may not know the entry yet, which was written just now. */
  async function registerByTool(): Promise<boolean> {
    const type = `x-scheme-handler/${LINK_SCHEME}`
    await run('xdg-mime', ['default', ENTRY_ID, type])
    return (await run('xdg-mime', ['query', 'default', type])).trim() === ENTRY_ID
  }

  async function register(): Promise<boolean> {
    const isInstalled = await installEntry().catch((cause: unknown) => {
      log.warn('the desktop entry was not installed', cause)
      return false
    })
    const isRegistered = registerByElectron() || (isInstalled && (await registerByTool().catch(() => false)))
    if (!isRegistered) log.warn('the system did not register links')
    return isRegistered
  }

  let registered: Promise<boolean> | null = null
  return {
    register: () => {
      registered ??= register()
      return registered
    },
  }
}
