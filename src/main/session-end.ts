import type { App, BrowserWindow } from 'electron'

export interface SessionEndParts {
  app: Pick<App, 'quit'>
  window: Pick<BrowserWindow, 'on'>
  powerMonitor: { on(event: 'shutdown', listener: (event?: { preventDefault?(): void }) => void): unknown }
  /** Whether the page is still sending something to the server. */
  isSending(): boolean
  /** Writes in-memory data to disk immediately. */
  flush(): void
  /** Blocks installing updates: an installer that runs during a system shutdown can destroy the installation. */
  forbidInstalling(): void
}

/**
 * Handles logoff and system shutdown, which before-quit does not report. Windows ends the process right after the
 * listeners of `session-end`, so slow work runs in `query-session-end`; delaying that one makes Windows list the app as
 * blocking shutdown. Linux and macOS wait while the app quits.
 */
export function followSessionEnd(parts: SessionEndParts): void {
  const { app, window, powerMonitor, isSending, flush, forbidInstalling } = parts
  window.on('query-session-end', (event) => {
    forbidInstalling()
    flush()
    if (event.reasons.includes('critical') || !isSending()) return
    event.preventDefault()
    // Waits for the page. Windows continues once the process has ended.
    app.quit()
  })
  window.on('session-end', flush)
  powerMonitor.on('shutdown', (event) => {
    event?.preventDefault?.()
    forbidInstalling()
    app.quit()
  })
}
