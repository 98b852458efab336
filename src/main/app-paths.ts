import { join } from 'node:path'

// Built, this file is part of out/main/index.cjs; preload, renderer and backend lie beside out/main.
const out = join(import.meta.dirname, '..')

/** Where the built parts are, in the project as in app.asar. */
export const builtPaths = {
  preload: join(out, 'preload', 'index.cjs'),
  renderer: join(out, 'renderer'),
  backend: join(out, 'backend', 'utility.mjs'),
} as const

const icons = join(out, '..', 'resources', 'icons')

/** The tray's picture as each system wants it; those with `@2x` beside them are found by Electron. */
export function trayIconPath(platform: NodeJS.Platform, hasUnread: boolean, folder = icons): string {
  // macOS colours a template to its menu bar, and shows the number beside it.
  if (platform === 'darwin') return join(folder, 'tray', 'trayTemplate.png')
  const name = hasUnread ? 'tray-unread' : 'tray'
  return join(folder, 'tray', `${name}.${platform === 'win32' ? 'ico' : 'png'}`)
}

/** @param label `1` to `9` or `9+`. */
export function overlayIconPath(label: string, folder = icons): string {
  return join(folder, 'overlay', `${label.replace('+', '-plus')}.png`)
}

/** The window's icon on Linux; elsewhere the program itself has one. */
export const windowIconPath = join(icons, 'app', '256x256.png')
