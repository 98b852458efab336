/** The scheme and host the app's own pages are served from; storage and permissions hang on them, so they stay. */
export const APP_SCHEME = 'app'
export const APP_HOST = 'bundle'
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`

/** Where the app's pages come from: `app://bundle`, or electron-vite's server while developing. */
export interface PageOrigin {
  /** As the server sees it in the Origin header. */
  readonly name: string
  /** What the window loads first. */
  readonly home: string
  readonly isDevServer: boolean
  /** Whether this is an origin of ours, as Electron names them: no path, or just a slash. */
  isOrigin(origin: string): boolean
  /** Whether this URL is one of our pages. */
  isPage(url: string): boolean
}

/**
 * Node calls the origin of an `app:` URL `'null'`, so scheme and host are compared, not `URL.origin`.
 */
function originOf(url: string): string | null {
  try {
    const { protocol, host, username, password } = new URL(url)
    return username === '' && password === '' ? `${protocol}//${host}` : null
  } catch {
    return null
  }
}

/** @param devServer electron-vite's URL; undefined in every packaged app. */
export function createPageOrigin(devServer: string | undefined): PageOrigin {
  const home = devServer ?? `${APP_ORIGIN}/`
  const name = originOf(home)
  if (name === null) throw new Error('the development server has no usable URL')
  return {
    name,
    home,
    isDevServer: devServer !== undefined,
    isOrigin: (origin) => origin.replace(/\/$/, '') === name,
    isPage: (url) => originOf(url) === name,
  }
}
