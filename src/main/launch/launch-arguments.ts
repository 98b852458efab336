import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isPhotoPath, isVideoPath } from '#/main/files/file-dialogs'
import { type AppRoute, authFragment, isLink, parseLink } from '#/shared/routes'
import type { ServerAddress } from '#/shared/server'
import { parseServerLink } from '#/shared/server-link'

/**
 * What a launch requests: a route, a photo to post, a video for a story, following a link from a Supabase Auth email, or the form to
 * connect to a server. Null if it only starts the app.
 */
export type LaunchRequest =
  | { route: AppRoute }
  | { photo: string }
  | { video: string }
  | { auth: string }
  | { server: ServerAddress }
  | null

/** The request to open a file; null if it is neither a photo nor a video by its name. */
export function fileRequest(path: string): LaunchRequest {
  if (isPhotoPath(path)) return { photo: path }
  return isVideoPath(path) ? { video: path } : null
}

/** Parses a deep link; null if it is not one of the app's. */
export function parseLaunchLink(link: string): LaunchRequest {
  const auth = authFragment(link)
  if (auth !== null) return { auth }
  const server = parseServerLink(link)
  if (server !== null) return { server }
  const route = parseLink(link)
  return route === null ? null : { route }
}

/** Returns the file path of an argument; Linux file managers pass URLs (`%U`). Null for files on other hosts. */
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
 * Parses the arguments after the program's own. Chromium inserts switches anywhere between them. A link takes
 * precedence over a file; anything else is ignored.
 */
export function parseLaunchArguments(args: readonly string[], workingDirectory: string): LaunchRequest {
  const plain = args.filter((argument) => !argument.startsWith('-'))
  const link = plain.find(isLink)
  if (link !== undefined) return parseLaunchLink(link)
  const files = plain.map(pathOf).map((path) => path && fileRequest(resolve(workingDirectory, path)))
  return files.find((request) => request) || null
}

/** The arguments after the program's own: skips one when packaged, and two in development. */
export function launchArguments(argv: readonly string[], isPackaged: boolean): string[] {
  return argv.slice(isPackaged ? 1 : 2)
}
