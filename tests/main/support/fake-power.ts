import { EventEmitter } from 'node:events'

/** Electron's powerMonitor as far as presence.ts uses it. */
export class FakePower extends EventEmitter {
  /** Seconds since the last input. */
  idleTime = 0
  isLocked = false

  getSystemIdleTime = () => this.idleTime
  getSystemIdleState = (threshold: number) => {
    if (this.isLocked) return 'locked' as const
    return this.idleTime >= threshold ? ('idle' as const) : ('active' as const)
  }

  asElectron(): Electron.PowerMonitor {
    return this as unknown as Electron.PowerMonitor
  }
}
