import type { App, BrowserWindow } from 'electron'

type FlashingWindow = Pick<BrowserWindow, 'flashFrame' | 'isVisible' | 'isMinimized' | 'isFocused' | 'on'>

export interface AttentionParts {
  /** `dock` exists on macOS only. */
  app: Pick<App, 'dock'>
  window: FlashingWindow & Pick<BrowserWindow, 'isDestroyed'>
  platform: NodeJS.Platform
  /** The member's preference. */
  isOn(): boolean
}

export interface Attention {
  /** A message was notified. */
  request(): void
  /** Nothing that was notified is unread any more. */
  release(): void
}

/**
 * Points to a new message: the Dock icon bounces once, or the taskbar entry flashes until the window gets the focus. Electron
 * cannot read the system's Do Not Disturb state, so the member's preference and the app's own pause decide; sounds are left to
 * the system.
 */
export function createAttention({ app, window, platform, isOn }: AttentionParts): Attention {
  let isFlashing = false
  const release = () => {
    if (!isFlashing || window.isDestroyed()) return
    isFlashing = false
    window.flashFrame(false)
  }
  // Linux keeps the urgency hint until it is taken back.
  window.on('focus', release)
  return {
    request: () => {
      if (!isOn() || window.isDestroyed() || window.isFocused()) return
      if (platform === 'darwin') {
        app.dock?.bounce('informational')
        return
      }
      // A window in the tray has no taskbar entry.
      if (!window.isVisible() && !window.isMinimized()) return
      isFlashing = true
      window.flashFrame(true)
    },
    release,
  }
}
