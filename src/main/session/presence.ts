import type { BrowserWindow, PowerMonitor } from 'electron'
import type { Schedule } from '#/main/timers'

export interface Presence {
  /** Whether nobody looks at the screen: it is locked, idle or asleep, or another user is active. */
  isAway(): boolean
  /** Whether the screen may be locked. Linux desktops without a screen saver service never say so. */
  isLocked(): boolean
  onChange(listener: () => void): void
}

export interface PresenceParts {
  powerMonitor: Pick<PowerMonitor, 'on' | 'getSystemIdleState' | 'getSystemIdleTime'>
  window: Pick<BrowserWindow, 'on' | 'isDestroyed' | 'isVisible' | 'isMinimized'>
  schedule: Schedule
  /** Milliseconds since any moment. */
  now(): number
}

/** Time without input after which the member counts as away, in seconds. */
const IDLE_SECONDS = 120
/** How often a visible window asks for the idle state, in milliseconds: there is no event for it. */
const POLL_MS = 2_000

type IdleState = ReturnType<PowerMonitor['getSystemIdleState']>
type AwayReason = 'locked' | 'asleep' | 'other user'

/**
 * Watches the system's power and session events and its idle state, because Electron reports a window behind a locked
 * screen as visible and focused. On Linux only the idle state says that the screen is locked (Chromium's
 * ui/base/idle/idle_linux.cc).
 */
export function watchPresence({ powerMonitor, window, schedule, now }: PresenceParts): Presence {
  /** When each began. */
  const reasons = new Map<AwayReason, number>()
  const listeners: (() => void)[] = []
  let wasAway = false
  let isPolling = false

  /** Input ends a lock or sleep whose end the system did not report. */
  function forgetPast(): void {
    const lastInput = now() - (powerMonitor.getSystemIdleTime() + 1) * 1_000
    for (const reason of ['locked', 'asleep'] as const) {
      if (lastInput >= (reasons.get(reason) ?? Number.POSITIVE_INFINITY)) reasons.delete(reason)
    }
  }

  function idleState(): IdleState {
    const state = powerMonitor.getSystemIdleState(IDLE_SECONDS)
    if (state === 'active') forgetPast()
    return state
  }

  /** A computer that sleeps or that another user has taken usually asks for the password. */
  const isLockedIn = (state: IdleState) => reasons.size > 0 || state === 'locked'
  const isLocked = () => isLockedIn(idleState())

  function isAway(): boolean {
    const state = idleState()
    return isLockedIn(state) || state === 'idle'
  }

  function check(): void {
    const isAwayNow = isAway()
    if (isAwayNow === wasAway) return
    wasAway = isAwayNow
    for (const listener of listeners) listener()
  }

  function poll(): void {
    isPolling = !window.isDestroyed() && window.isVisible() && !window.isMinimized()
    if (!isPolling) return
    check()
    schedule(POLL_MS, poll)
  }
  const startPolling = () => {
    if (!isPolling) poll()
  }

  const begin = (reason: AwayReason) => () => {
    reasons.set(reason, now())
    check()
  }
  const end = (reason: AwayReason) => () => {
    reasons.delete(reason)
    check()
  }
  powerMonitor.on('lock-screen', begin('locked'))
  powerMonitor.on('unlock-screen', end('locked'))
  powerMonitor.on('suspend', begin('asleep'))
  powerMonitor.on('resume', end('asleep'))
  powerMonitor.on('user-did-resign-active', begin('other user'))
  powerMonitor.on('user-did-become-active', end('other user'))
  window.on('show', startPolling)
  window.on('restore', startPolling)
  window.on('focus', () => {
    reasons.clear()
    check()
    startPolling()
  })
  return { isAway, isLocked, onChange: (listener) => listeners.push(listener) }
}
