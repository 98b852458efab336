import type { App, RelaunchOptions } from 'electron'
import { LINK_SCHEME, routeLink } from '#/shared/routes'
import { serverLink } from '#/shared/server-link'
import type { LaunchRequest } from './launch-arguments'

export interface SecondInstanceHandlers {
  isQuitting(): boolean
  /** Shows the window and opens what the second start requested. */
  show(argv: readonly string[], workingDirectory: string): void
  /** Options for relaunching the app with the same request. */
  relaunchOptions(argv: readonly string[], workingDirectory: string): RelaunchOptions
}

/** The command-line argument for a request. */
function argumentFor(request: NonNullable<LaunchRequest>): string {
  if ('route' in request) return routeLink(request.route)
  if ('auth' in request) return `${LINK_SCHEME}://auth#${request.auth}`
  if ('server' in request) return serverLink(request.server)
  return 'photo' in request ? request.photo : request.video
}

/**
 * Options for relaunching the app with the same link or file: Electron would repeat the arguments of the process that
 * ends. An AppImage's mounted content is gone by then, so the AppImage itself starts, extracted because mounting may
 * fail (electron-builder#1727, #4650).
 */
export function relaunchOptions(
  request: LaunchRequest,
  program: { appImage: string | null } | { project: string },
): RelaunchOptions {
  const extraArguments = request === null ? [] : [argumentFor(request)]
  if ('project' in program) return { args: [program.project, ...extraArguments] }
  if (program.appImage === null) return { args: extraArguments }
  return { execPath: program.appImage, args: ['--appimage-extract-and-run', ...extraArguments] }
}

/**
 * Makes this the only process for the data folder. Returns false if another one runs, which then shows its window. Call
 * before touching any file.
 */
export function claimSingleInstance(
  app: Pick<App, 'requestSingleInstanceLock' | 'on' | 'quit' | 'relaunch'>,
  handlers: SecondInstanceHandlers,
): boolean {
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return false
  }
  let willRelaunch = false
  app.on('second-instance', (_event, argv, workingDirectory) => {
    if (!handlers.isQuitting()) {
      handlers.show(argv, workingDirectory)
      return
    }
    // The app was started again during its shutdown. The new process has already exited, so this one relaunches when it
    // is done. Each call of `relaunch` would start one more process.
    if (!willRelaunch) app.relaunch(handlers.relaunchOptions(argv, workingDirectory))
    willRelaunch = true
  })
  return true
}
