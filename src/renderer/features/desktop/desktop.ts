import type { DesktopBridge } from '#/shared/bridge'
import { createBrowserBridge } from './browser-bridge'

declare global {
  interface Window {
    /** Set by the preload script; absent in a plain browser. */
    readonly desktop?: DesktopBridge
  }
}

/** The bridge to the host: Electron's, or its replacement for browsers. */
export const desktop: DesktopBridge = window.desktop ?? createBrowserBridge()

/** Calls back whenever the embedded server has started, also after a restart. Returns an unsubscribe function. */
export function onServing(listener: () => void): () => void {
  return desktop.backend.onChange(({ state }) => {
    if (state === 'ready' || state === 'restored') listener()
  })
}
