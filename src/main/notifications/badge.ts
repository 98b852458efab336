import type { App, BrowserWindow, NativeImage } from 'electron'
import type { HandlersOf } from '#/main/ipc'
import { texts } from '#/main/texts'
import { badgeLabel } from '#/shared/badge'

export interface BadgeParts {
  app: Pick<App, 'setBadgeCount'>
  platform: NodeJS.Platform
  /** The window whose taskbar button shows the count on Windows; null if there is none. */
  window(): Pick<BrowserWindow, 'setOverlayIcon'> | null
  /** The overlay icon for a label: `1` to `9`, `9+`. */
  overlay(label: string): NativeImage
  changed(unread: number): void
}

export interface Badge {
  /** Restores the overlay after the window was shown: hiding it removed the taskbar button. */
  reapply(): void
  handlers: HandlersOf<'badge'>
}

/**
 * Shows the unread count: on the Dock (macOS), the launcher (Linux) or as an overlay on the taskbar button (Windows).
 */
export function createBadge({ app, platform, window, overlay, changed }: BadgeParts): Badge {
  let shown = 0
  const setOverlay = () => {
    const image = shown === 0 ? null : overlay(badgeLabel(shown))
    window()?.setOverlayIcon(image, shown === 0 ? '' : texts.tray.unread(badgeLabel(shown)))
  }
  return {
    reapply: () => {
      if (platform === 'win32' && shown > 0) setOverlay()
    },
    handlers: {
      'badge.set': ({ unread }) => {
        if (unread === shown) return
        shown = unread
        if (platform === 'win32') setOverlay()
        else app.setBadgeCount(unread)
        changed(unread)
      },
    },
  }
}
