import type { App } from 'electron'
import type { Log } from '#/main/log'
import {
  fileRequest,
  type LaunchRequest,
  launchArguments,
  parseLaunchArguments,
  parseLaunchLink,
} from './launch-arguments'

type RequestSource = Pick<App, 'on' | 'isPackaged'>

export interface LaunchRequests {
  /** Adds the request of a second instance, given its arguments. */
  fromSecondInstance(argv: readonly string[], workingDirectory: string): void
  /** Sets the handler, which is called for every pending and later request. */
  onRequest(handler: (request: LaunchRequest) => void): void
}

/**
 * Collects launch requests (links, files, second instances) from the first moment, because macOS delivers the link or
 * file that started the app before `ready`.
 */
export function collectLaunchRequests(
  app: RequestSource,
  start: { argv: readonly string[]; workingDirectory: string },
  log: Pick<Log, 'warn'>,
): LaunchRequests {
  let handler: ((request: LaunchRequest) => void) | null = null
  const pending: LaunchRequest[] = []
  const receive = (request: LaunchRequest) => {
    if (handler === null) pending.push(request)
    else handler(request)
  }

  app.on('open-url', (event, url) => {
    event.preventDefault()
    const request = parseLaunchLink(url)
    if (request === null) log.warn('link refused')
    receive(request)
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    receive(fileRequest(path))
  })
  const first = parseLaunchArguments(launchArguments(start.argv, app.isPackaged), start.workingDirectory)
  if (first !== null) receive(first)

  return {
    fromSecondInstance: (argv, workingDirectory) =>
      receive(parseLaunchArguments(launchArguments(argv, app.isPackaged), workingDirectory)),
    onRequest: (given) => {
      handler = given
      for (const request of pending.splice(0)) given(request)
    },
  }
}
