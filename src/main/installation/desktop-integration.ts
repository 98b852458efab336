import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { exists } from '#/main/files/exists'
import { APP_ID, EXECUTABLE_NAME } from './app-identity'
import type { AppImage } from './app-image'
import { entryProgram, entryString, withProgram } from './desktop-entry'

/** The desktop entry's id. Electron uses the one of `desktopName` in package.json. */
export const ENTRY_ID = `${APP_ID}.desktop`

/** Where an image of electron-builder has its icons, and where a data folder has them. */
const IMAGE_ICONS = join('usr', 'share', 'icons', 'hicolor')
const ICONS = join('icons', 'hicolor')

/** Replaces the file atomically unless it has this content; returns whether it did. */
async function writeIfDifferent(path: string, content: Buffer): Promise<boolean> {
  const before = await readFile(path).catch(() => null)
  if (before?.equals(content) === true) return false
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.tmp`
  try {
    await writeFile(temporary, content)
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause
  }
  return true
}

/** Copies the icons of all sizes. Desktops look for new icons when the theme's own folder has changed. */
async function installIcons(content: string, dataHome: string): Promise<void> {
  const sizes = await readdir(join(content, IMAGE_ICONS))
  let isChanged = false
  for (const size of sizes) {
    const icon = join(size, 'apps', `${EXECUTABLE_NAME}.png`)
    const bytes = await readFile(join(content, IMAGE_ICONS, icon)).catch(() => null)
    if (bytes !== null && (await writeIfDifferent(join(dataHome, ICONS, icon), bytes))) isChanged = true
  }
  const now = new Date()
  if (isChanged) await utimes(join(dataHome, ICONS), now, now)
}

/**
 * Installs the AppImage's own desktop entry, which starts the AppImage itself, and its icons in the user's data folder:
 * links, badge, icon and notifications need them, and nothing else installs an AppImage. Desktops ignore the entry while
 * the AppImage is missing (`TryExec`). Returns whether the entry was written. Throws if it cannot be read or written.
 * @param dataHome `$XDG_DATA_HOME`, by default `~/.local/share`.
 */
export async function installDesktopEntry({ path, content }: AppImage, dataHome: string): Promise<boolean> {
  const own = await readFile(join(content, ENTRY_ID), 'utf8')
  const entry = withProgram(own, path).replace(/^Exec=/m, () => `TryExec=${entryString(path)}\nExec=`)
  await installIcons(content, dataHome)
  return writeIfDifferent(join(dataHome, 'applications', ENTRY_ID), Buffer.from(entry))
}

/** Removes the entry of an AppImage that is gone: it would hide the one that an installer has made. */
export async function removeStaleEntry(dataHome: string): Promise<void> {
  const path = join(dataHome, 'applications', ENTRY_ID)
  const entry = await readFile(path, 'utf8').catch(() => '')
  const program = /^TryExec=/m.test(entry) ? entryProgram(entry) : null
  if (program !== null && !(await exists(program))) await rm(path, { force: true })
}
