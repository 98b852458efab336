import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AppRoute, authFragment, isLink, parseLink } from '#/shared/routes'
import { isPhotoPath } from './file-dialogs'

/** What a start of the app asks for: a route, a photo to post, or to follow a link from a mail of Supabase Auth. */
export type StartWish = { route: AppRoute } | { photo: string } | { auth: string } | null

/** What a link from outside asks for; null if it is none of ours. */
export function readLink(link: string): StartWish {
  const auth = authFragment(link)
  if (auth !== null) return { auth }
  const route = parseLink(link)
  return route === null ? null : { route }
}

/** The path an argument names: file managers of Linux hand over URLs (`%U`). Null for files on other machines. */
function pathOf(argument: string): string | null {
  if (!/^file:/i.test(argument)) return argument
  try {
    const url = new URL(argument)
    return url.host === '' ? fileURLToPath(url) : null
  } catch {
    return null
  }
}

/**
 * Reads the arguments behind the program's own (and, while developing, the project's folder). Chromium puts switches of
 * its own anywhere between them; a link counts before a file, and what is neither is left alone.
 */
export function readArguments(args: readonly string[], workingDirectory: string): StartWish {
  const plain = args.filter((argument) => !argument.startsWith('-'))
  const link = plain.find(isLink)
  if (link !== undefined) return readLink(link)
  const photo = plain.map(pathOf).find((path) => path !== null && isPhotoPath(path))
  return photo == null ? null : { photo: resolve(workingDirectory, photo) }
}

/** The arguments of a process behind the program's own: one comes before them when packaged, two while developing. */
export function ownArguments(argv: readonly string[], isPackaged: boolean): string[] {
  return argv.slice(isPackaged ? 1 : 2)
}
