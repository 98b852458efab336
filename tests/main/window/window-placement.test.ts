import { EventEmitter } from 'node:events'
import type { Rectangle } from 'electron'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  boundsOnDisplay,
  initialBounds,
  keepOnDisplay,
  NO_PLACEMENT,
  persistPlacement,
  type WindowPlacement,
  windowPlacementSchema,
} from '#/main/window/window-placement'
import { manualClock } from '../support/manual-clock'
import { memoryDocument } from '../support/memory-document'
import { recordingLog } from '../support/recording-log'

const left = { x: 0, y: 30, width: 1280, height: 770 }
const right = { x: 1280, y: 0, width: 1920, height: 1080 }

describe('DESK-06 boundsOnDisplay', () => {
  test.each([
    ['on one display', { x: 40, y: 60, width: 900, height: 700 }],
    ['across two', { x: 1000, y: 60, width: 900, height: 700 }],
    ['half outside the edge', { x: -700, y: 60, width: 900, height: 700 }],
    ['taller than its display', { x: 40, y: 60, width: 900, height: 1500 }],
    ['smaller than the drag area', { x: 40, y: 60, width: 100, height: 90 }],
  ])('%s: keeps the bounds', (_where, bounds) => {
    expect(boundsOnDisplay(bounds, [left, right])).toBeNull()
  })

  test.each([
    [
      'beyond the left edge',
      { x: -850, y: 60, width: 900, height: 700 },
      { x: 0, y: 60, width: 900, height: 700 },
    ],
    [
      'title bar above the display',
      { x: 40, y: 0, width: 900, height: 700 },
      { x: 40, y: 30, width: 900, height: 700 },
    ],
    ['below it', { x: 40, y: 790, width: 900, height: 700 }, { x: 40, y: 100, width: 900, height: 700 }],
    [
      'on a removed display',
      { x: 2000, y: -900, width: 1500, height: 800 },
      { x: 0, y: 30, width: 1280, height: 770 },
    ],
  ])('%s: moves the window to the nearest display', (_where, bounds, place) => {
    expect(boundsOnDisplay(bounds, [left])).toEqual(place)
  })

  test('the resulting bounds are draggable and stable', () => {
    const side = fc.integer({ min: -5_000, max: 5_000 })
    const size = fc.integer({ min: 360, max: 4_000 })
    const bounds = fc.record({ x: side, y: side, width: size, height: size })
    const displays = fc.array(fc.record({ x: side, y: side, width: size, height: size }), { minLength: 1 })
    fc.assert(
      fc.property(bounds, displays, (before, areas) => {
        const place = boundsOnDisplay(before, areas)
        if (place === null) return
        expect(boundsOnDisplay(place, areas)).toBeNull()
        expect(place.width).toBeLessThanOrEqual(before.width)
        expect(place.height).toBeLessThanOrEqual(before.height)
      }),
    )
  })
})

class FakeWindow extends EventEmitter {
  bounds: Rectangle = { x: 1_400, y: 60, width: 900, height: 700 }
  isMaximizedNow = false
  isMinimizedNow = false
  isGone = false
  isDestroyed = () => this.isGone
  isMinimized = () => this.isMinimizedNow
  isMaximized = () => this.isMaximizedNow
  isFullScreen = () => false
  getBounds = () => this.bounds
  setBounds = (bounds: Rectangle) => {
    this.bounds = bounds
  }
}

class FakeScreen extends EventEmitter {
  areas = [left, right]
  getAllDisplays = () => this.areas.map((workArea) => ({ workArea }))
}

function keepOnDisplayWith() {
  const window = new FakeWindow()
  const screen = new FakeScreen()
  keepOnDisplay(window as never, screen as never)
  return { window, screen }
}

describe('DESK-06 keepOnDisplay moves the window back', () => {
  test.each(['display-removed', 'display-metrics-changed'])('on %s', (event) => {
    const { window, screen } = keepOnDisplayWith()
    screen.areas = [left]
    screen.emit(event)
    expect(window.bounds).toEqual({ x: 380, y: 60, width: 900, height: 700 })
  })

  test('when it is shown where an earlier run left it', () => {
    const { window, screen } = keepOnDisplayWith()
    screen.areas = [left]
    window.emit('show')
    expect(window.bounds.x).toBe(380)
  })

  test('ignores a maximized or minimized window until it is restored', () => {
    const { window, screen } = keepOnDisplayWith()
    screen.areas = [left]
    window.isMaximizedNow = true
    screen.emit('display-removed')
    expect(window.bounds.x).toBe(1_400)
    window.isMaximizedNow = false
    window.emit('unmaximize')
    expect(window.bounds.x).toBe(380)
  })

  test('ignores a destroyed window', () => {
    const { window, screen } = keepOnDisplayWith()
    window.isGone = true
    screen.areas = [left]
    screen.emit('display-removed')
    expect(window.bounds.x).toBe(1_400)
  })
})

class KeptWindow extends EventEmitter {
  bounds: Rectangle = { x: 40, y: 60, width: 900, height: 700 }
  isMaximizedNow = false
  isFullScreenNow = false
  isMaximized = () => this.isMaximizedNow
  isFullScreen = () => this.isFullScreenNow
  getNormalBounds = () => this.bounds
  maximize = () => {
    this.isMaximizedNow = true
    this.emit('maximize')
  }
  setFullScreen = (fills: boolean) => {
    this.isFullScreenNow = fills
    this.emit(fills ? 'enter-full-screen' : 'leave-full-screen')
  }
}

function persistWith(initial: WindowPlacement = NO_PLACEMENT, platform: NodeJS.Platform = 'win32') {
  const window = new KeptWindow()
  const file = memoryDocument<WindowPlacement>(initial)
  const clock = manualClock()
  const log = recordingLog()
  persistPlacement(window as never, { file, platform, schedule: clock.schedule, log })
  return { window, file, clock, log }
}

describe('DESK-06 the window opens at its last position', () => {
  const bounds = { x: 1_400, y: 60, width: 900, height: 700 }
  const screen = (...areas: Rectangle[]) =>
    ({
      getAllDisplays: () => areas.map((workArea) => ({ workArea })),
      getPrimaryDisplay: () => ({ workArea: areas[0] }),
    }) as never
  const size = { width: 1180, height: 860 }

  test('on its display, or on the nearest one when its display is gone', () => {
    expect(initialBounds({ bounds, mode: 'normal' }, screen(left, right), size, 'linux')).toEqual(bounds)
    expect(initialBounds({ bounds, mode: 'normal' }, screen(left), size, 'linux')).toEqual({
      ...bounds,
      x: 380,
    })
    expect(initialBounds(NO_PLACEMENT, screen(left), size, 'win32')).toEqual({})
    expect(initialBounds(NO_PLACEMENT, screen(left, right), size, 'linux')).toEqual({
      x: 50,
      y: 30,
      width: 1180,
      height: 770,
    })
  })

  const title = { x: 1, y: 37 }
  const asked = { x: 40, y: 60, width: 900, height: 700 }
  /** The window manager frames the window that was put at `asked`. */
  function framed(window: KeptWindow, by: { x: number; y: number }): void {
    window.emit('show')
    window.bounds = { ...asked, x: asked.x + by.x, y: asked.y + by.y }
    window.emit('move')
  }

  test('on X11 as the position of its frame, however often it starts', async () => {
    const { window, file, clock } = persistWith(NO_PLACEMENT, 'linux')
    framed(window, title)
    await clock.advance(500)
    expect(file.written).toEqual([])
    window.bounds = { ...asked, x: 201, y: 137 }
    window.emit('move')
    await clock.advance(500)
    expect(file.read().bounds).toEqual({ ...asked, x: 200, y: 100 })
  })

  test.each([
    ['a window manager that places windows itself', { x: 300, y: 0 }],
    ['a window that moves up', { x: 0, y: -20 }],
  ])('not so for %s', async (_what, by) => {
    const { window, file, clock } = persistWith(NO_PLACEMENT, 'linux')
    framed(window, by)
    await clock.advance(500)
    expect(file.read().bounds).toEqual({ ...asked, x: asked.x + by.x, y: asked.y + by.y })
  })

  test('not so for a window that the member moves later, or on other systems', async () => {
    const later = persistWith(NO_PLACEMENT, 'linux')
    later.window.emit('show')
    await later.clock.advance(1_000)
    later.window.bounds = { ...asked, y: asked.y + 5 }
    later.window.emit('move')
    await later.clock.advance(500)
    expect(later.file.read().bounds?.y).toBe(asked.y + 5)

    const { window, file, clock } = persistWith(NO_PLACEMENT, 'win32')
    framed(window, title)
    await clock.advance(500)
    expect(file.read().bounds?.y).toBe(asked.y + title.y)
  })

  test('not measured while it is maximized', async () => {
    const { window, file, clock } = persistWith({ bounds: asked, mode: 'maximized' }, 'linux')
    framed(window, title)
    window.isMaximizedNow = false
    window.emit('unmaximize')
    await clock.advance(500)
    expect(file.read().bounds?.y).toBe(asked.y + title.y)
  })

  test('saves the placement after the window stops moving, and only if it changed', async () => {
    const { window, file, clock } = persistWith()
    window.emit('show')
    for (const x of [100, 200, 300]) {
      window.bounds = { ...bounds, x }
      window.emit('move')
      await clock.advance(200)
    }
    expect(file.written).toEqual([])
    await clock.advance(500)
    expect(file.written).toEqual([{ bounds: { ...bounds, x: 300 }, mode: 'normal' }])
    window.emit('resize')
    await clock.advance(500)
    expect(file.written).toHaveLength(1)
  })

  test('saves the placement at once when the window closes', () => {
    const { window, file } = persistWith()
    window.emit('show')
    window.bounds = bounds
    window.emit('move')
    window.emit('close')
    expect(file.read()).toEqual({ bounds, mode: 'normal' })
  })

  test.each([
    ['maximized', 'isMaximizedNow'],
    ['full-screen', 'isFullScreenNow'],
  ] as const)('restores %s when the window is shown, not while it is in the tray', async (mode, property) => {
    const { window, file, clock } = persistWith({ bounds, mode })
    window.emit('move')
    await clock.advance(500)
    expect(window[property]).toBe(false)
    expect(file.written).toEqual([])
    window.emit('show')
    expect(window[property]).toBe(true)
    window[property] = false
    window.emit('unmaximize')
    await clock.advance(500)
    expect(file.read().mode).toBe('normal')
  })

  test('the light table in full screen is not the mode of the next start', async () => {
    const { window, file, clock } = persistWith({ bounds, mode: 'maximized' })
    window.emit('show')
    window.setFullScreen(true)
    window.emit('enter-html-full-screen')
    await clock.advance(500)
    window.emit('move')
    window.emit('close')
    expect(file.read().mode).toBe('maximized')

    window.setFullScreen(false)
    window.emit('leave-html-full-screen')
    window.setFullScreen(true)
    await clock.advance(500)
    expect(file.read().mode).toBe('full-screen')
  })

  test('logs a full disk; a destroyed window saves nothing', async () => {
    const { window, file, clock, log } = persistWith()
    window.emit('show')
    file.failure = new Error('ENOSPC')
    window.bounds = bounds
    window.emit('move')
    await clock.advance(500)
    expect(log.lines[0]).toContain('warn could not save the window placement')
    file.failure = null
    window.emit('move')
    window.emit('closed')
    await clock.advance(500)
    expect(file.written).toEqual([])
  })

  test('any object parses as a placement', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('bounds', 'mode', 'x'), fc.anything()), (stored) => {
        expect(windowPlacementSchema.safeParse(stored).success).toBe(true)
      }),
    )
    expect(windowPlacementSchema.parse({ bounds: { ...bounds, width: 1e9 }, mode: 'maximized' })).toEqual({
      bounds: null,
      mode: 'maximized',
    })
  })
})
