import type { BrowserWindow, Rectangle, Screen } from 'electron'
import * as z from 'zod/mini'
import type { DocumentFile } from '#/main/files/document-file'
import type { Log } from '#/main/log'
import type { Schedule } from '#/main/timers'

const side = z.int().check(z.positive(), z.maximum(100_000))
const coordinate = z.int().check(z.minimum(-100_000), z.maximum(100_000))

/** The window's placement in the last run. */
export const windowPlacementSchema = z.object({
  /** Bounds of the normal (not maximized) window, in DIP; null before the first run. */
  bounds: z.catch(z.nullable(z.object({ x: coordinate, y: coordinate, width: side, height: side })), null),
  mode: z.catch(z.enum(['normal', 'maximized', 'full-screen']), 'normal'),
})

export type WindowPlacement = z.infer<typeof windowPlacementSchema>

export const NO_PLACEMENT: WindowPlacement = { bounds: null, mode: 'normal' }

/** The largest title bar and border, in DIP, with which a window manager frames a window. */
const MAX_FRAME = { left: 64, top: 96 } as const
/** How long after `show` a move comes from the window manager, in milliseconds. */
const FRAMED_WITHIN_MS = 1_000

/** Debounce for writing the placement, in milliseconds. */
const SAVE_DELAY_MS = 500

/** The part of the title bar, in DIP, that must be on a display so that the member can drag the window. */
const DRAG_AREA = { width: 120, height: 32 } as const

const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(value, max))

function distance(bounds: Rectangle, area: Rectangle): number {
  const x = bounds.x + bounds.width / 2
  const y = bounds.y + bounds.height / 2
  return Math.hypot(x - clamp(x, area.x, area.x + area.width), y - clamp(y, area.y, area.y + area.height))
}

function isDraggable(bounds: Rectangle, area: Rectangle): boolean {
  const visibleWidth = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x)
  const isTopVisible = bounds.y >= area.y && bounds.y + DRAG_AREA.height <= area.y + area.height
  return isTopVisible && visibleWidth >= Math.min(DRAG_AREA.width, bounds.width)
}

/**
 * Bounds on the nearest display for a window that cannot be dragged where it is; null if it can.
 * @param areas the work area of each display; at least one.
 */
export function boundsOnDisplay(bounds: Rectangle, areas: readonly Rectangle[]): Rectangle | null {
  if (areas.some((area) => isDraggable(bounds, area))) return null
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

/** The area of each display that windows may cover. */
function workAreas(screen: Pick<Screen, 'getAllDisplays'>): Rectangle[] {
  return screen.getAllDisplays().map(({ workArea }) => workArea)
}

/**
 * Initial bounds: those of the last run, moved onto a current display. Wayland uses only the size.
 * @param size the window's size in its first run
 */
export function initialBounds(
  place: WindowPlacement,
  screen: Pick<Screen, 'getAllDisplays' | 'getPrimaryDisplay'>,
  size: { width: number; height: number },
  platform: NodeJS.Platform,
): Partial<Rectangle> {
  if (place.bounds !== null) return boundsOnDisplay(place.bounds, workAreas(screen)) ?? place.bounds
  // Elsewhere the system places a new window. On X11 only a place that was asked for tells the size of the frame.
  if (platform !== 'linux') return {}
  const { workArea } = screen.getPrimaryDisplay()
  const [width, height] = [Math.min(size.width, workArea.width), Math.min(size.height, workArea.height)]
  return {
    x: workArea.x + Math.round((workArea.width - width) / 2),
    y: workArea.y + Math.round((workArea.height - height) / 2),
    width,
    height,
  }
}

/**
 * Measures how far the window manager of X11 moved the window by its frame: the position asked for is that of the frame,
 * but `move` and the bounds report the content (electron#28128). Saving those would move the window down at each start.
 * Returns a function that gives the offset, which is zero elsewhere.
 */
function frameOffset(window: KeptWindow, schedule: Schedule): () => { x: number; y: number } {
  const asked = window.getNormalBounds()
  let offset = { x: 0, y: 0 }
  window.once('show', () => {
    const measure = () => {
      stop()
      if (window.isMaximized() || window.isFullScreen()) return
      const now = window.getNormalBounds()
      const [x, y] = [now.x - asked.x, now.y - asked.y]
      if (x >= 0 && x <= MAX_FRAME.left && y >= 0 && y <= MAX_FRAME.top) offset = { x, y }
    }
    const stopListening = () => window.removeListener('move', measure)
    const cancel = schedule(FRAMED_WITHIN_MS, stopListening)
    const stop = () => {
      cancel()
      stopListening()
    }
    window.on('move', measure)
  })
  return () => offset
}

type PlacedWindow = Pick<
  BrowserWindow,
  'on' | 'isDestroyed' | 'isMinimized' | 'isMaximized' | 'isFullScreen' | 'getBounds' | 'setBounds'
>

type KeptWindow = Pick<
  BrowserWindow,
  | 'on'
  | 'once'
  | 'removeListener'
  | 'isMaximized'
  | 'isFullScreen'
  | 'getNormalBounds'
  | 'maximize'
  | 'setFullScreen'
>

export interface PlacementParts {
  file: DocumentFile<WindowPlacement>
  platform: NodeJS.Platform
  schedule: Schedule
  log: Pick<Log, 'warn'>
}

function boundsOf(window: KeptWindow): Rectangle {
  const { x, y, width, height } = window.getNormalBounds()
  return { x, y, width, height }
}

/** Restores the maximized or full-screen mode, and saves the placement after every change. */
export function persistPlacement(
  window: KeptWindow,
  { file, platform, schedule, log }: PlacementParts,
): void {
  const offset = platform === 'linux' ? frameOffset(window, schedule) : () => ({ x: 0, y: 0 })
  const first: WindowPlacement = { bounds: boundsOf(window), mode: 'normal' }
  let cancel: (() => void) | null = null
  /** The light table fills the screen: the next start does not. */
  let isFullByPage = false

  function modeNow(): WindowPlacement['mode'] {
    if (isFullByPage) return file.read().mode
    return window.isFullScreen() ? 'full-screen' : window.isMaximized() ? 'maximized' : 'normal'
  }

  function write(): void {
    if (cancel === null) return
    cancel()
    cancel = null
    const bounds = boundsOf(window)
    const frame = offset()
    const next: WindowPlacement = {
      bounds: { ...bounds, x: bounds.x - frame.x, y: bounds.y - frame.y },
      mode: modeNow(),
    }
    const stored = file.read()
    // The move of the window manager in the first run is no change.
    if (JSON.stringify(next) === JSON.stringify(stored.bounds === null ? first : stored)) return
    try {
      file.write(next)
    } catch (cause) {
      log.warn('could not save the window placement', cause)
    }
  }
  function scheduleWrite(): void {
    cancel?.()
    cancel = schedule(SAVE_DELAY_MS, write)
  }

  // Wait for `show`: maximizing would show a window that starts hidden.
  window.once('show', () => {
    const { mode } = file.read()
    if (mode === 'maximized') window.maximize()
    if (mode === 'full-screen') window.setFullScreen(true)
    window.on('move', scheduleWrite)
    window.on('resize', scheduleWrite)
    window.on('maximize', scheduleWrite)
    window.on('unmaximize', scheduleWrite)
    window.on('enter-full-screen', scheduleWrite)
    window.on('leave-full-screen', scheduleWrite)
  })
  window.on('enter-html-full-screen', () => {
    isFullByPage = true
  })
  window.on('leave-html-full-screen', () => {
    isFullByPage = false
  })
  window.on('close', write)
  window.on('closed', () => cancel?.())
}

/** Moves the window back when its display was removed or became smaller. */
export function keepOnDisplay(window: PlacedWindow, screen: Pick<Screen, 'on' | 'getAllDisplays'>): void {
  const check = () => {
    // The system places these windows itself.
    if (window.isDestroyed() || window.isMinimized() || window.isMaximized() || window.isFullScreen()) return
    const place = boundsOnDisplay(window.getBounds(), workAreas(screen))
    if (place !== null) window.setBounds(place)
  }
  window.on('show', check)
  window.on('restore', check)
  window.on('unmaximize', check)
  window.on('leave-full-screen', check)
  screen.on('display-removed', check)
  screen.on('display-metrics-changed', check)
}
