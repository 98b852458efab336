import { focusManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { DesktopBridge, WindowState } from '#/shared/bridge'
import { logFailure } from './logger'

let now: WindowState = { isVisible: true, isFocused: true }
const listeners = new Set<() => void>()

function update(next: WindowState): void {
  if (next.isVisible === now.isVisible && next.isFocused === now.isFocused) return
  now = next
  for (const listener of listeners) listener()
}

/**
 * Tracks the host's window for the lifetime of the page: in Electron `document.hidden` is false even in the tray. Also
 * pauses query refetching while the window is hidden.
 */
export function trackWindow(host: DesktopBridge['window']): void {
  let hasChanged = false
  host.onChange((next) => {
    hasChanged = true
    update(next)
  })
  host.state().then(
    (state) => {
      // A change event is newer than the response.
      if (!hasChanged) update(state)
    },
    (cause) => logFailure('read window state', cause),
  )
  focusManager.setEventListener((setFocused) => onVisibility(() => setFocused(now.isVisible)))
}

/** Whether the window is visible: not in the tray and not minimized. */
export function isVisible(): boolean {
  return now.isVisible
}

/** Whether the window is visible and focused. */
export function isLooking(): boolean {
  return now.isVisible && now.isFocused
}

/** Calls back when visibility or focus may have changed. Returns its unsubscribe function. */
export function onVisibility(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export function useIsVisible(): boolean {
  return useSyncExternalStore(onVisibility, isVisible)
}

export function useIsLooking(): boolean {
  return useSyncExternalStore(onVisibility, isLooking)
}
