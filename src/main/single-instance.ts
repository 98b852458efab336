import type { App } from 'electron'

export interface SecondStart {
  isQuitting(): boolean
  /** Brings the window up, on what the second start asked for. */
  show(argv: readonly string[], workingDirectory: string): void
}

/**
 * Claims the data folder for this process: false when another one has it, which then shows its window. Before any
 * file is touched.
 */
export function claimSingleInstance(
  app: Pick<App, 'requestSingleInstanceLock' | 'on' | 'quit' | 'relaunch'>,
  second: SecondStart,
): boolean {
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return false
  }
  let willRelaunch = false
  app.on('second-instance', (_event, argv, workingDirectory) => {
    if (!second.isQuitting()) {
      second.show(argv, workingDirectory)
      return
    }
    // Started again while still shutting down: the newcomer is gone already, so this one comes back once it is done.
    if (!willRelaunch) app.relaunch()
    willRelaunch = true
  })
  return true
}
