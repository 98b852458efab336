import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * On Linux links, badge and progress need an installed desktop entry (browser_linux.cc), which an AppImage lacks until it writes
 * one into the user's data folder. GLib ignores one whose TryExec is missing (gdesktopappinfo.c).
 */
export function lacksDesktopEntry(): boolean {
  if (process.platform !== 'linux' || process.env.STANDIN_DESKTOP_ENTRY !== 'none') return false
  const path = join(process.env.XDG_DATA_HOME ?? '', 'applications', 'app.vignette.desktop')
  const entry = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const program = /^TryExec=(.*)$/m.exec(entry)?.[1]
  return program === undefined || !existsSync(program.replace(/\\\\/g, '\\'))
}
