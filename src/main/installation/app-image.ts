import { realpathSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'

/** The AppImage that the app runs from. */
export interface AppImage {
  /** The file, which updates replace. */
  path: string
  /** Where its content is mounted or unpacked while it runs. */
  content: string
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && !way.startsWith('..') && !isAbsolute(way)
}

/**
 * The AppImage that contains the running program; null if the program does not come from one. Programs that an AppImage
 * starts inherit its variables APPIMAGE and APPDIR: those of another one are removed, because electron-updater
 * replaces the file that they name.
 */
export function takeAppImage(env: NodeJS.ProcessEnv, program: string): AppImage | null {
  const { APPIMAGE: path, APPDIR: content } = env
  try {
    if (path && content && isInside(realpathSync(content), program)) return { path, content }
  } catch {
    // The other AppImage has ended, and its content is gone.
  }
  delete env.APPIMAGE
  delete env.APPDIR
  return null
}
