import { EventEmitter } from 'node:events'

/** Electron's app as far as these parts use it; `quit` goes through before-quit as the real one does. */
export class FakeApp extends EventEmitter {
  hasQuit = false
  relaunches: unknown[] = []
  isFirst = true
  focused: unknown[] = []

  quit(): void {
    let isPrevented = false
    this.emit('before-quit', {
      preventDefault: () => {
        isPrevented = true
      },
    })
    if (!isPrevented) this.hasQuit = true
  }

  focus(options?: unknown): void {
    this.focused.push(options)
  }

  relaunch(options?: unknown): void {
    this.relaunches.push(options)
  }

  requestSingleInstanceLock(): boolean {
    return this.isFirst
  }
}

/** The fake where Electron's own type is asked for. */
export function asElectron(app: FakeApp): Electron.App {
  return app as unknown as Electron.App
}
