import { resolve } from 'node:path'
import { type AppRoute, isLink, parseLink } from '#/shared/routes'
import { isPhotoPath } from './file-dialogs'

/** What a start of the app asks for: a place in it, or a photo to post. */
export type StartWish = { route: AppRoute } | { photo: string } | null

/**
 * Reads the arguments behind the program's own (and, while developing, the project's folder). Chromium puts switches of
 * its own anywhere between them; a link counts before a file, and what is neither is left alone.
 */
export function readArguments(args: readonly string[], workingDirectory: string): StartWish {
  const plain = args.filter((argument) => !argument.startsWith('-'))
  const link = plain.find(isLink)
  if (link !== undefined) {
    const route = parseLink(link)
    return route === null ? null : { route }
  }
  const photo = plain.find(isPhotoPath)
  return photo === undefined ? null : { photo: resolve(workingDirectory, photo) }
}

/** The arguments of a process behind the program's own: one comes before them when packaged, two while developing. */
export function ownArguments(argv: readonly string[], isPackaged: boolean): string[] {
  return argv.slice(isPackaged ? 1 : 2)
}
