import { join } from 'node:path'

// At run time this module is out/main/index.cjs; preload, renderer and backend are siblings of out/main.
const out = join(import.meta.dirname, '..')

export const builtPaths = {
  preload: join(out, 'preload', 'index.cjs'),
  renderer: join(out, 'renderer'),
  backend: join(out, 'backend', 'utility.mjs'),
} as const

/** libheif, beside the archive in a packaged app (docs/decisions/0070-photo-formats.md). */
export function libheifFolder(isPackaged: boolean, resources: string): string {
  return isPackaged ? join(resources, 'libheif') : join(out, 'libheif')
}

const icons = join(out, '..', 'resources', 'icons')

/** The tray icon in each platform's format. Electron finds the `@2x` variants next to it. */
export function trayIconPath(platform: NodeJS.Platform, hasUnread: boolean, folder = icons): string {
  // macOS tints template images to match the menu bar, and shows the unread count as text.
  if (platform === 'darwin') return join(folder, 'tray', 'trayTemplate.png')
  const name = hasUnread ? 'tray-unread' : 'tray'
  return join(folder, 'tray', `${name}.${platform === 'win32' ? 'ico' : 'png'}`)
}

/** @param label `1` to `9` or `9+`. */
export function overlayIconPath(label: string, folder = icons): string {
  return join(folder, 'overlay', `${label.replace('+', '-plus')}.png`)
}

/** Linux only: on Windows and macOS the window uses the icon of the executable. */
export const windowIconPath = join(icons, 'app', '256x256.png')
