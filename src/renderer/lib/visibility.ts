import { focusManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { DesktopBridge, WindowState } from '#/shared/bridge'
import { logFailure } from './logger'

let now: WindowState = { isVisible: true, isFocused: true }
const listeners = new Set<() => void>()

function take(next: WindowState): void {
  if (next.isVisible === now.isVisible && next.isFocused === now.isFocused) return
  now = next
  for (const listener of listeners) listener()
}

/**
 * Follows the host's window, for as long as the page lives: in Electron `document.hidden` is false in the tray too, so
 * nothing else is asked. Server data follows as well: nothing is read every minute for a window nobody sees.
 */
export function followWindow(host: DesktopBridge['window']): void {
  let isTold = false
  host.onChange((next) => {
    isTold = true
    take(next)
  })
  host.state().then(
    (state) => {
      // What came meanwhile is newer.
      if (!isTold) take(state)
    },
    (cause) => logFailure('read window state', cause),
  )
  focusManager.setEventListener((setFocused) => onVisibility(() => setFocused(now.isVisible)))
}

/** Whether the window can be seen at all: not in the tray, not minimised. */
export function isVisible(): boolean {
  return now.isVisible
}

/** Whether somebody looks at the page: its window is visible and the one that is worked in. */
export function isLooking(): boolean {
  return now.isVisible && now.isFocused
}

/** Calls back whenever one of them may have changed; gives its unsubscribe. */
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
