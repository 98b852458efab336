import type { BrowserWindow } from 'electron'
import type { HandlersOf } from '#/main/ipc'
import type { UploadTotal } from '#/shared/bridge'

export interface UploadProgress {
  /** Shows the progress again after the window was shown: on Windows hiding it removed the taskbar button. */
  reapply(): void
  /** Forgets the uploads of a page that is gone. */
  pageLeft(): void
  handlers: HandlersOf<'uploads'>
}

/** The fraction that removes the bar. */
const NONE = -1

/**
 * Shows the progress of uploads on the Dock (macOS), the taskbar button (Windows, yellow while they wait for the connection) or the
 * launcher (Linux, only with a desktop entry: launcher_entry.cc).
 * @param window null if it is gone
 */
export function createUploadProgress(
  window: () => Pick<BrowserWindow, 'setProgressBar'> | null,
): UploadProgress {
  let shown: UploadTotal | null = null
  const apply = () => {
    // Only Windows has modes.
    if (shown !== null)
      window()?.setProgressBar(shown.fraction, { mode: shown.isWaiting ? 'paused' : 'normal' })
    else window()?.setProgressBar(NONE)
  }
  const show = (total: UploadTotal | null) => {
    // On macOS the first call replaces the icon of the Dock, even if it removes the bar (native_window_mac.mm).
    if (total === null && shown === null) return
    shown = total
    apply()
  }
  return {
    reapply: () => {
      if (shown !== null) apply()
    },
    pageLeft: () => show(null),
    handlers: {
      'uploads.show': (total) => {
        show(total)
      },
    },
  }
}
