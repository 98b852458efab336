import type { App, BrowserWindow } from 'electron'

type FlashingWindow = Pick<BrowserWindow, 'flashFrame' | 'isVisible' | 'isMinimized' | 'isFocused' | 'on'>

export interface AttentionParts {
  app: Pick<App, 'dock'>
  window: FlashingWindow & Pick<BrowserWindow, 'isDestroyed'>
  platform: NodeJS.Platform
  isEnabled(): boolean
}

export interface Attention {
  /** Call when a message notification has been shown. */
  request(): void
  /** Call when every notified message has been read. */
  release(): void
}

/**
 * Draws attention to a new message: the Dock icon bounces once, or the taskbar button flashes until the window is
 * focused. Electron cannot read the system's Do Not Disturb state, so the member's preference and the app's own pause
 * decide. Sounds are left to the system.
 */
export function createAttention({ app, window, platform, isEnabled }: AttentionParts): Attention {
  let isFlashing = false
  const release = () => {
    if (!isFlashing || window.isDestroyed()) return
    isFlashing = false
    window.flashFrame(false)
  }
  // Linux keeps the urgency hint until it is cleared.
  window.on('focus', release)
  return {
    request: () => {
      if (!isEnabled() || window.isDestroyed() || window.isFocused()) return
      if (platform === 'darwin') {
        app.dock?.bounce('informational')
        return
      }
      // A window hidden to the tray has no taskbar button.
      if (!window.isVisible() && !window.isMinimized()) return
      isFlashing = true
      window.flashFrame(true)
    },
    release,
  }
}
