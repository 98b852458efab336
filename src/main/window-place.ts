import type { BrowserWindow, Rectangle, Screen } from 'electron'
import * as z from 'zod/mini'
import type { DocumentFile } from './document-file'
import type { Log } from './log'
import type { Schedule } from './timers'

const side = z.int().check(z.positive(), z.maximum(100_000))
const coordinate = z.int().check(z.minimum(-100_000), z.maximum(100_000))

/** Where the window was last. */
export const windowPlaceSchema = z.object({
  /** Without maximizing or full screen, in DIP; null before the first run. */
  bounds: z.catch(z.nullable(z.object({ x: coordinate, y: coordinate, width: side, height: side })), null),
  mode: z.catch(z.enum(['normal', 'maximized', 'full-screen']), 'normal'),
})

export type WindowPlace = z.infer<typeof windowPlaceSchema>

export const NO_PLACE: WindowPlace = { bounds: null, mode: 'normal' }

/** How long the window must stay still before its place is written, in milliseconds. */
const STILL_MS = 500

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

/** The part of each display that windows may cover. */
function workAreas(screen: Pick<Screen, 'getAllDisplays'>): Rectangle[] {
  return screen.getAllDisplays().map(({ workArea }) => workArea)
}

/** The bounds for a new window: those of the last run, on a display that is there now. Wayland uses their size only. */
export function startBounds(place: WindowPlace, screen: Pick<Screen, 'getAllDisplays'>): Partial<Rectangle> {
  if (place.bounds === null) return {}
  return placeWithinReach(place.bounds, workAreas(screen)) ?? place.bounds
}

type PlacedWindow = Pick<
  BrowserWindow,
  'on' | 'isDestroyed' | 'isMinimized' | 'isMaximized' | 'isFullScreen' | 'getBounds' | 'setBounds'
>

type KeptWindow = Pick<
  BrowserWindow,
  'on' | 'once' | 'isMaximized' | 'isFullScreen' | 'getNormalBounds' | 'maximize' | 'setFullScreen'
>

export interface KeepPlaceParts {
  file: DocumentFile<WindowPlace>
  schedule: Schedule
  log: Pick<Log, 'warn'>
}

/** Restores whether the window was maximized or filled the screen, and writes its place whenever it has come to rest. */
export function keepPlace(window: KeptWindow, { file, schedule, log }: KeepPlaceParts): void {
  let cancel: (() => void) | null = null

  function write(): void {
    if (cancel === null) return
    cancel()
    cancel = null
    const mode = window.isFullScreen() ? 'full-screen' : window.isMaximized() ? 'maximized' : 'normal'
    const { x, y, width, height } = window.getNormalBounds()
    const next: WindowPlace = { bounds: { x, y, width, height }, mode }
    if (JSON.stringify(next) === JSON.stringify(file.read())) return
    try {
      file.write(next)
    } catch (cause) {
      log.warn('window position not written', cause)
    }
  }
  function writeSoon(): void {
    cancel?.()
    cancel = schedule(STILL_MS, write)
  }

  // Both would show a window that starts in the tray.
  window.once('show', () => {
    const { mode } = file.read()
    if (mode === 'maximized') window.maximize()
    if (mode === 'full-screen') window.setFullScreen(true)
    window.on('move', writeSoon)
    window.on('resize', writeSoon)
    window.on('maximize', writeSoon)
    window.on('unmaximize', writeSoon)
    window.on('enter-full-screen', writeSoon)
    window.on('leave-full-screen', writeSoon)
  })
  window.on('close', write)
  window.on('closed', () => cancel?.())
}

/** Brings the window back from a display that is gone or became smaller. */
export function keepWithinReach(window: PlacedWindow, screen: Pick<Screen, 'on' | 'getAllDisplays'>): void {
  const look = () => {
    // These the system itself puts on a display.
    if (window.isDestroyed() || window.isMinimized() || window.isMaximized() || window.isFullScreen()) return
    const place = placeWithinReach(window.getBounds(), workAreas(screen))
    if (place !== null) window.setBounds(place)
  }
  window.on('show', look)
  window.on('restore', look)
  window.on('unmaximize', look)
  window.on('leave-full-screen', look)
  screen.on('display-removed', look)
  screen.on('display-metrics-changed', look)
}
