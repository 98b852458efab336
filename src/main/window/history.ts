import type { BrowserWindow, WebContents } from 'electron'

export interface History {
  back(): void
  forward(): void
}

type PageWindow = Pick<BrowserWindow, 'on'> & {
  webContents: Pick<WebContents, 'navigationHistory' | 'isDestroyed'>
}

/**
 * Back and Forward in the page's history, also by a swipe on macOS and by the keys and commands of Windows. Chromium
 * itself answers the mouse's side buttons in the page, at their release (WebContentsImpl::HandleMouseEvent).
 */
export function setupHistory(window: PageWindow, platform: NodeJS.Platform): History {
  const { webContents } = window
  const go = (way: 'goBack' | 'goForward') => () => {
    // Does nothing at the end of the history (electron_api_web_contents.cc).
    if (!webContents.isDestroyed()) webContents.navigationHistory[way]()
  }
  const [back, forward] = [go('goBack'), go('goForward')]
  if (platform === 'darwin') {
    window.on('swipe', (_event, direction) => {
      if (direction === 'left') back()
      if (direction === 'right') forward()
    })
  }
  // Linux sends this for a pressed side button too, whose release goes back already.
  if (platform === 'win32') {
    window.on('app-command', (_event, command) => {
      if (command === 'browser-backward') back()
      if (command === 'browser-forward') forward()
    })
  }
  return { back, forward }
}
