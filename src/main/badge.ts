import type { App, BrowserWindow, NativeImage } from 'electron'
import { badgeLabel } from '#/shared/badge'
import type { HandlersOf } from './ipc'
import { texts } from './texts'

export interface BadgeParts {
  app: Pick<App, 'setBadgeCount'>
  platform: NodeJS.Platform
  /** The window whose taskbar button carries the number on Windows; null when there is none. */
  window(): Pick<BrowserWindow, 'setOverlayIcon'> | null
  /** The picture of a number: `1` to `9`, `9+`. */
  overlay(label: string): NativeImage
  /** Tells the tray. */
  changed(unread: number): void
}

export interface Badge {
  /** The window was shown: hiding it removed its taskbar button, and the overlay with it. */
  reapply(): void
  handlers: HandlersOf<'badge'>
}

/** Shows how much is unread: on the dock, the launcher or, on Windows, over the taskbar's button. */
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
