import type { BrowserWindow, Rectangle, Screen } from 'electron'

/** So much of the window's upper edge must lie on a display for a member to take hold of it; in DIP. */
const GRIP = { width: 120, height: 32 } as const

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most))

function distance(bounds: Rectangle, area: Rectangle): number {
  const x = bounds.x + bounds.width / 2
  const y = bounds.y + bounds.height / 2
  return Math.hypot(x - clamp(x, area.x, area.x + area.width), y - clamp(y, area.y, area.y + area.height))
}

function canBeTaken(bounds: Rectangle, area: Rectangle): boolean {
  const across = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x)
  const isTopThere = bounds.y >= area.y && bounds.y + GRIP.height <= area.y + area.height
  return isTopThere && across >= Math.min(GRIP.width, bounds.width)
}

/**
 * The place for a window that nobody could take hold of where it is: on the display that is nearest, no larger than that;
 * null when it can stay.
 * @param areas what each display has for windows, at least one.
 */
export function placeWithinReach(bounds: Rectangle, areas: readonly Rectangle[]): Rectangle | null {
  if (areas.some((area) => canBeTaken(bounds, area))) return null
  const [nearest] = [...areas].sort((a, b) => distance(bounds, a) - distance(bounds, b))
  if (nearest === undefined) return null
  const width = Math.min(bounds.width, nearest.width)
  const height = Math.min(bounds.height, nearest.height)
  return {
    width,
    height,
    x: clamp(bounds.x, nearest.x, nearest.x + nearest.width - width),
    y: clamp(bounds.y, nearest.y, nearest.y + nearest.height - height),
  }
}

type PlacedWindow = Pick<
  BrowserWindow,
  'on' | 'isDestroyed' | 'isMinimized' | 'isMaximized' | 'isFullScreen' | 'getBounds' | 'setBounds'
>

/**
 * Brings the window back from a display that is gone or became smaller. Electron promises it for windows whose place it
 * kept (`windowStatePersistence`, experimental) at their creation at most; this holds for all of the window's life.
 */
export function keepWithinReach(window: PlacedWindow, screen: Pick<Screen, 'on' | 'getAllDisplays'>): void {
  const look = () => {
    // These the system itself puts on a display.
    if (window.isDestroyed() || window.isMinimized() || window.isMaximized() || window.isFullScreen()) return
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea)
    const place = placeWithinReach(window.getBounds(), areas)
    if (place !== null) window.setBounds(place)
  }
  window.on('show', look)
  window.on('restore', look)
  window.on('unmaximize', look)
  window.on('leave-full-screen', look)
  screen.on('display-removed', look)
  screen.on('display-metrics-changed', look)
}
