import type { PowerMonitor } from 'electron'

export interface Presence {
  /** Nobody can see the screen: it is locked, the computer sleeps, or another user of it is in front. */
  isAway(): boolean
  onChange(listener: () => void): void
}

type Absence = 'locked' | 'asleep' | 'other user'

/** Follows the system: a window behind a locked screen stays visible and focused for Electron. */
export function followPresence(powerMonitor: Pick<PowerMonitor, 'on'>): Presence {
  const reasons = new Set<Absence>()
  const listeners: (() => void)[] = []
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const leave = (reason: Absence) => () => {
    reasons.add(reason)
    tell()
  }
  const comeBack = (reason: Absence) => () => {
    reasons.delete(reason)
    tell()
  }
  powerMonitor.on('lock-screen', leave('locked'))
  powerMonitor.on('unlock-screen', comeBack('locked'))
  powerMonitor.on('suspend', leave('asleep'))
  powerMonitor.on('resume', comeBack('asleep'))
  powerMonitor.on('user-did-resign-active', leave('other user'))
  powerMonitor.on('user-did-become-active', comeBack('other user'))
  return { isAway: () => reasons.size > 0, onChange: (listener) => listeners.push(listener) }
}
