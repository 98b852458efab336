import type { App, RelaunchOptions } from 'electron'
import { LINK_SCHEME, routeLink } from '#/shared/routes'
import type { StartWish } from './start-arguments'

export interface SecondStart {
  isQuitting(): boolean
  /** Brings the window up, on what the second start asked for. */
  show(argv: readonly string[], workingDirectory: string): void
  /** How to start again with what it asked for. */
  relaunchOptions(argv: readonly string[], workingDirectory: string): RelaunchOptions
}

/** The argument that asks for the same. */
function argumentFor(wish: NonNullable<StartWish>): string {
  if ('route' in wish) return routeLink(wish.route)
  return 'auth' in wish ? `${LINK_SCHEME}://auth#${wish.auth}` : wish.photo
}

/**
 * How to start the app again with the same link or photo: Electron would repeat the arguments of the process that ends. The
 * file inside an AppImage is gone by then, so the AppImage itself starts, unpacked since it may not be able to mount again
 * (electron-builder#1727, #4650).
 */
export function relaunchOptions(
  wish: StartWish,
  program: { appImage: string | null } | { project: string },
): RelaunchOptions {
  const wished = wish === null ? [] : [argumentFor(wish)]
  if ('project' in program) return { args: [program.project, ...wished] }
  if (program.appImage === null) return { args: wished }
  return { execPath: program.appImage, args: ['--appimage-extract-and-run', ...wished] }
}

/**
 * Claims the data folder for this process: false when another one has it, which then shows its window. Before any
 * file is touched.
 */
export function claimSingleInstance(
  app: Pick<App, 'requestSingleInstanceLock' | 'on' | 'quit' | 'relaunch'>,
  second: SecondStart,
): boolean {
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return false
  }
  let willRelaunch = false
  app.on('second-instance', (_event, argv, workingDirectory) => {
    if (!second.isQuitting()) {
      second.show(argv, workingDirectory)
      return
    }
    // Started again while still shutting down: the newcomer is gone already, so this one comes back once it is done.
    // Every call of relaunch would start one more process.
    if (!willRelaunch) app.relaunch(second.relaunchOptions(argv, workingDirectory))
    willRelaunch = true
  })
  return true
}
