import { app } from './app'
import { openWindows } from './browser-window'
import { record } from './record'

function theWindow() {
  const [window] = openWindows()
  if (window === undefined) throw new Error('no window is open')
  return window
}

/** What Electron does for a role (lib/browser/api/menu-item-roles.ts). */
const ROLES: Record<string, () => void> = {
  about: () => {
    record.aboutPanels += 1
  },
  quit: () => app.quit(),
  close: () => theWindow().close(),
  minimize: () => theWindow().minimize(),
  reload: () => theWindow().webContents.reload(),
  togglefullscreen: () => theWindow().setFullScreen(!theWindow().isFullScreen()),
}

/** Effects on the page that the stand-in only records. */
const RECORDED = [
  ...['undo', 'redo', 'cut', 'copy', 'paste', 'pasteAndMatchStyle', 'delete', 'selectAll'],
  ...['resetZoom', 'zoomIn', 'zoomOut'],
]

/** Acts like a clicked menu item with this role. */
export function actAs(role: string): void {
  const act = ROLES[role]
  if (act !== undefined) act()
  else if (RECORDED.includes(role)) record.editing.push(role)
  else throw new Error(`the electron stand-in does not act as '${role}'`)
}
