import { app, type BrowserWindow, nativeImage } from 'electron'
import { overlayIconPath } from '#/main/installation/app-paths'
import { type Badge, createBadge } from './badge'

/** Shows the unread count on the app's icon, and calls `changed` with it. */
export function setupBadge(window: BrowserWindow, changed: (unread: number) => void): Badge {
  const badge = createBadge({
    app,
    platform: process.platform,
    window: () => (window.isDestroyed() ? null : window),
    overlay: (label) => nativeImage.createFromPath(overlayIconPath(label)),
    changed,
  })
  window.on('show', badge.reapply)
  return badge
}
