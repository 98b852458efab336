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

/** Shows how much is unread: on the dock, the launcher or, on Windows, over the taskbar's button. */
export function createBadge({ app, platform, window, overlay, changed }: BadgeParts): HandlersOf<'badge'> {
  let shown = 0
  return {
    'badge.set': ({ unread }) => {
      if (unread === shown) return
      shown = unread
      if (platform === 'win32') {
        const image = unread === 0 ? null : overlay(badgeLabel(unread))
        window()?.setOverlayIcon(image, unread === 0 ? '' : texts.tray.unread(badgeLabel(unread)))
      } else app.setBadgeCount(unread)
      changed(unread)
    },
  }
}
