import type { App } from 'electron'
import { LINK_SCHEME } from '#/shared/routes'
import { isPhotoPath } from './file-dialogs'
import type { Log } from './log'
import { ownArguments, readArguments, readLink, type StartWish } from './start-arguments'

type WishSource = Pick<App, 'on' | 'isPackaged'>

export interface OutsideWishes {
  /** A second start, with the arguments of its process. */
  secondStart(argv: readonly string[], workingDirectory: string): void
  /** From now on each wish is fulfilled at once; those that came before are fulfilled now. */
  fulfil(fulfiller: (wish: StartWish) => void): void
}

/**
 * Collects what the system asks of the app — links, files, starts — from the very first moment: macOS tells of the
 * link or file that started the app before it is ready.
 */
export function collectOutsideWishes(
  app: WishSource,
  start: { argv: readonly string[]; workingDirectory: string },
  log: Pick<Log, 'warn'>,
): OutsideWishes {
  let fulfiller: ((wish: StartWish) => void) | null = null
  const waiting: StartWish[] = []
  const take = (wish: StartWish) => {
    if (fulfiller === null) waiting.push(wish)
    else fulfiller(wish)
  }

  app.on('open-url', (event, url) => {
    event.preventDefault()
    const wish = readLink(url)
    if (wish === null) log.warn('link refused')
    take(wish)
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    take(isPhotoPath(path) ? { photo: path } : null)
  })
  const first = readArguments(ownArguments(start.argv, app.isPackaged), start.workingDirectory)
  if (first !== null) take(first)

  return {
    secondStart: (argv, workingDirectory) =>
      take(readArguments(ownArguments(argv, app.isPackaged), workingDirectory)),
    fulfil: (given) => {
      fulfiller = given
      for (const wish of waiting.splice(0)) given(wish)
    },
  }
}

/** Makes the app the system's opener of its links. NSIS registers none, so this is what works on Windows. */
export function registerLinks(
  app: Pick<App, 'isPackaged' | 'setAsDefaultProtocolClient'>,
  program: { path: string; project: string },
): void {
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME)
  else app.setAsDefaultProtocolClient(LINK_SCHEME, program.path, [program.project])
}
