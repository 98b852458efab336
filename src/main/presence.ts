import type { PowerMonitor } from 'electron'

export interface Presence {
  /** Whether nobody can see the screen: it is locked, the computer sleeps, or another user is active. */
  isAway(): boolean
  onChange(listener: () => void): void
}

type AwayReason = 'locked' | 'asleep' | 'other user'

/**
 * Watches the system's power and session events, because Electron reports a window behind a locked screen as visible
 * and focused.
 */
export function watchPresence(powerMonitor: Pick<PowerMonitor, 'on'>): Presence {
  const reasons = new Set<AwayReason>()
  const listeners: (() => void)[] = []
  const notify = () => {
    for (const listener of listeners) listener()
  }
  const addReason = (reason: AwayReason) => () => {
    reasons.add(reason)
    notify()
  }
  const removeReason = (reason: AwayReason) => () => {
    reasons.delete(reason)
    notify()
  }
  powerMonitor.on('lock-screen', addReason('locked'))
  powerMonitor.on('unlock-screen', removeReason('locked'))
  powerMonitor.on('suspend', addReason('asleep'))
  powerMonitor.on('resume', removeReason('asleep'))
  powerMonitor.on('user-did-resign-active', addReason('other user'))
  powerMonitor.on('user-did-become-active', removeReason('other user'))
  return { isAway: () => reasons.size > 0, onChange: (listener) => listeners.push(listener) }
}
