/** Scheme and host of the app's pages. They must never change: storage and permissions depend on them. */
export const APP_SCHEME = 'app'
export const APP_HOST = 'bundle'
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`

/** The origin of the app's pages: `app://bundle`, or electron-vite's server in development. */
export interface PageOrigin {
  /** As sent in the Origin header. */
  readonly name: string
  /** The first URL that the window loads. */
  readonly home: string
  readonly isDevServer: boolean
  /** Whether this is the app's origin, with or without the trailing slash that Electron adds. */
  isOrigin(origin: string): boolean
  /** Whether this URL is a page of the app. */
  isPage(url: string): boolean
}

/** Compares scheme and host instead of `URL.origin`, which is `'null'` for `app:` URLs. */
function originOf(url: string): string | null {
  try {
    const { protocol, host, username, password } = new URL(url)
    return username === '' && password === '' ? `${protocol}//${host}` : null
  } catch {
    return null
  }
}

/** @param devServer electron-vite's URL; undefined in a packaged app. */
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
