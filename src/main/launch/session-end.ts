import type { App, BrowserWindow } from 'electron'

export interface SessionEndParts {
  app: Pick<App, 'quit'>
  window: Pick<BrowserWindow, 'on'>
  powerMonitor: { on(event: 'shutdown', listener: (event?: { preventDefault?(): void }) => void): unknown }
  /** Whether the page is still sending something to the server. */
  hasPendingWork(): boolean
  /** Writes in-memory data to disk immediately. */
  flush(): void
  /** Blocks installing updates: an installer that runs during a system shutdown can destroy the installation. */
  preventInstall(): void
}

/**
 * Handles logoff and system shutdown, which before-quit does not report. Windows ends the process right after the
 * listeners of `session-end`, so slow work runs in `query-session-end`; delaying that one makes Windows list the app as
 * blocking shutdown. Linux and macOS wait while the app quits.
 */
export function handleSessionEnd(parts: SessionEndParts): void {
  const { app, window, powerMonitor, hasPendingWork, flush, preventInstall } = parts
  window.on('query-session-end', (event) => {
    preventInstall()
    flush()
    if (event.reasons.includes('critical') || !hasPendingWork()) return
    event.preventDefault()
    // Waits for the page. Windows continues once the process has ended.
    app.quit()
  })
  window.on('session-end', flush)
  powerMonitor.on('shutdown', (event) => {
    event?.preventDefault?.()
    preventInstall()
    app.quit()
  })
}
