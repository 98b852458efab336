import { EventEmitter } from 'node:events'

/** The used part of Electron's app; `quit` emits before-quit like the real one. */
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

/** Casts the fake to Electron's type. */
export function asElectron(app: FakeApp): Electron.App {
  return app as unknown as Electron.App
}
