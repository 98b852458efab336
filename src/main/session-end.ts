import type { App, BrowserWindow } from 'electron'

export interface SessionEndParts {
  app: Pick<App, 'quit'>
  window: Pick<BrowserWindow, 'on'>
  powerMonitor: { on(event: 'shutdown', listener: (event?: { preventDefault?(): void }) => void): unknown }
  /** Something that the member did is on its way to the server at this moment. */
  isSending(): boolean
  /** Writes what so far is only in memory, at once. */
  flush(): void
  /** An installer that starts while the system shuts down can destroy the installation. */
  forbidInstalling(): void
}

/**
 * The member logs off or the system shuts down, which before-quit does not report. Windows ends the process right after the
 * listeners of `session-end`, so whatever takes time happens in `query-session-end`; delaying it shows the member a list of
 * programs that are in the way. Linux and macOS wait while the app quits.
 */
export function followSessionEnd(parts: SessionEndParts): void {
  const { app, window, powerMonitor, isSending, flush, forbidInstalling } = parts
  window.on('query-session-end', (event) => {
    forbidInstalling()
    flush()
    if (event.reasons.includes('critical') || !isSending()) return
    event.preventDefault()
    // Waits for the page; Windows goes on when the process has ended.
    app.quit()
  })
  window.on('session-end', flush)
  powerMonitor.on('shutdown', (event) => {
    event?.preventDefault?.()
    forbidInstalling()
    app.quit()
  })
}
