import type { DesktopBridge } from '#/shared/bridge'
import { createBrowserBridge } from './browser-bridge'

declare global {
  interface Window {
    /** Set by the preload; absent in a plain browser. */
    readonly desktop?: DesktopBridge
  }
}

/** The desktop this renderer runs on: Electron's, or what a browser has of one. */
export const desktop: DesktopBridge = window.desktop ?? createBrowserBridge()
