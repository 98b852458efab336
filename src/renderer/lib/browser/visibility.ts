import { focusManager } from '@tanstack/react-query'
import { create } from 'zustand'
import { logFailure } from '#/renderer/lib/core/logger'
import type { DesktopBridge, WindowState } from '#/shared/bridge'

const useWindow = create<WindowState>(() => ({ isVisible: true, isFocused: true }))

const isWindowVisible = ({ isVisible }: WindowState) => isVisible
const isWindowActive = ({ isVisible, isFocused }: WindowState) => isVisible && isFocused

function update({ isVisible, isFocused }: WindowState): void {
  const now = useWindow.getState()
  if (isVisible !== now.isVisible || isFocused !== now.isFocused) useWindow.setState({ isVisible, isFocused })
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
  focusManager.setEventListener((setFocused) => onVisibility(() => setFocused(isVisible())))
}

/** Whether the window is visible: not in the tray and not minimized. */
export function isVisible(): boolean {
  return isWindowVisible(useWindow.getState())
}

/** Whether the window is visible and focused. */
export function isLooking(): boolean {
  return isWindowActive(useWindow.getState())
}

/** Calls back when visibility or focus has changed. Returns its unsubscribe function. */
export function onVisibility(listener: () => void): () => void {
  return useWindow.subscribe(listener)
}

export function useIsVisible(): boolean {
  return useWindow(isWindowVisible)
}

export function useIsLooking(): boolean {
  return useWindow(isWindowActive)
}
