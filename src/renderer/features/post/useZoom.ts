import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PhotoSize } from '#/renderer/lib/layout/photo-frame'
import {
  type Frame,
  fittedView,
  levelAfter,
  levelBeside,
  movedBy,
  overflow,
  type Point,
  type View,
  wheelFactor,
  zoomedAt,
  zoomLevels,
} from './zoom'

/** A press that moves less than this is a click, in pixels. */
const CLICK_REACH = 5
/** A swipe is at least this wide, in pixels. */
const SWIPE = 48
/** How far an arrow key moves the photo, in pixels. */
const KEY_STEP = 80

const MOVES: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: KEY_STEP, y: 0 },
  ArrowRight: { x: -KEY_STEP, y: 0 },
  ArrowUp: { x: 0, y: KEY_STEP },
  ArrowDown: { x: 0, y: -KEY_STEP },
}

interface ZoomOptions {
  /** The area that shows the photo, centred. */
  stage: RefObject<HTMLElement | null>
  /** Names the photo: another one is fitted again. */
  name: string
  /** Null while there is none, and for what is not zoomed. */
  photo: PhotoSize | null
  /** Whether the wheel zooms without Ctrl. */
  hasOwnWheel: () => boolean
  /** Called after a swipe over a photo that cannot be moved sideways. */
  onSwipe: (side: 'left' | 'right') => void
  /** Called after a click beside the photo. */
  onOutside: () => void
}

/** Zoom and offset of the photo on a stage, by pointers, wheel and keys. */
export interface Zoom {
  /** Null while the photo is fitted. */
  view: View | null
  /** CSS that makes the fitted photo the zoomed one. */
  transform: string | undefined
  /** The last change was not made by dragging, pinching or the wheel. */
  isGliding: boolean
  /** To the next level, at the pointer if it is over the stage. */
  step: (direction: 1 | -1) => void
  fit: () => void
  /** Handles an arrow key. Returns false if there is nothing to see in its direction's axis. */
  pan: (key: string) => boolean
}

interface State {
  name: string
  view: View | null
  transform: string | undefined
  isGliding: boolean
}

export function useZoom(options: ZoomOptions): Zoom {
  const { stage, name, photo } = options
  const [state, setState] = useState<State>({ name, view: null, transform: undefined, isGliding: false })
  const isCurrent = state.name === name
  // Several events can come before the next render.
  const latest = useRef<{ name: string; view: View | null }>({ name, view: null })
  const pointer = useRef<Point | null>(null)

  const frameOf = (): Frame | null => {
    const area = stage.current
    if (area === null || photo === null) return null
    const image = area.querySelector('img')
    const width = photo.width ?? image?.naturalWidth ?? 0
    const height = photo.height ?? image?.naturalHeight ?? 0
    if (width === 0 || height === 0) return null
    return { photo: { width, height }, stage: { width: area.clientWidth, height: area.clientHeight } }
  }
  const viewIn = (frame: Frame): View =>
    (latest.current.name === name ? latest.current.view : null) ?? fittedView(frame)
  const show = (frame: Frame, view: View, isGliding: boolean) => {
    const fitted = fittedView(frame).scale
    const isFitted = view.scale <= fitted * 1.001
    const { x, y, scale } = view
    latest.current = { name, view: isFitted ? null : view }
    const transform = isFitted ? undefined : `translate(${x}px, ${y}px) scale(${scale / fitted})`
    setState({ ...latest.current, transform, isGliding })
  }
  const zoomTo = (
    choose: (levels: ReturnType<typeof zoomLevels>, scale: number) => number,
    point: Point,
    isGliding: boolean,
  ) => {
    const frame = frameOf()
    if (frame === null) return
    const view = viewIn(frame)
    const levels = zoomLevels(frame, window.devicePixelRatio)
    show(frame, zoomedAt(frame, view, point, choose(levels, view.scale), levels), isGliding)
  }
  const move = (by: Point, isGliding: boolean) => {
    const frame = frameOf()
    if (frame !== null) show(frame, movedBy(frame, viewIn(frame), by), isGliding)
  }

  usePointers(stage, {
    zoomBy: (factor, point) => zoomTo((_, scale) => scale * factor, point, false),
    zoomToNext: (point) => zoomTo(levelAfter, point, true),
    move: (by) => move(by, false),
    canMove: () => {
      const frame = frameOf()
      return frame === null ? { x: false, y: false } : overflow(frame, viewIn(frame))
    },
    setPointer: (point) => {
      pointer.current = point
    },
    hasOwnWheel: options.hasOwnWheel,
    onSwipe: options.onSwipe,
    onOutside: options.onOutside,
  })

  // The window or the panel has changed.
  const hold = useEffectEvent(() => {
    if (latest.current.view !== null) zoomTo((_, scale) => scale, { x: 0, y: 0 }, false)
  })
  useEffect(() => {
    if (stage.current === null) return
    const observer = new ResizeObserver(() => hold())
    observer.observe(stage.current)
    return () => observer.disconnect()
  }, [stage])

  return {
    view: isCurrent ? state.view : null,
    transform: isCurrent ? state.transform : undefined,
    isGliding: isCurrent && state.isGliding,
    step: (direction) =>
      zoomTo(
        (levels, scale) => levelBeside(levels, scale, direction),
        pointer.current ?? { x: 0, y: 0 },
        true,
      ),
    fit: () => zoomTo(([fit]) => fit, { x: 0, y: 0 }, true),
    pan: (key) => {
      const by = MOVES[key]
      const frame = frameOf()
      if (by === undefined || frame === null) return false
      const can = overflow(frame, viewIn(frame))
      if (!(by.x === 0 ? can.y : can.x)) return false
      move(by, true)
      return true
    },
  }
}

interface PointerActions {
  zoomBy: (factor: number, point: Point) => void
  zoomToNext: (point: Point) => void
  move: (by: Point) => void
  canMove: () => { x: boolean; y: boolean }
  /** The pointer over the stage; null after it has left. */
  setPointer: (point: Point | null) => void
  hasOwnWheel: ZoomOptions['hasOwnWheel']
  onSwipe: ZoomOptions['onSwipe']
  onOutside: ZoomOptions['onOutside']
}

/** Whether an event is about the stage and not about a control on it. */
function isOnStage({ target }: Event): boolean {
  return target instanceof Element && target.closest('button, a, p, [data-player-bar]') === null
}

/** Drags and pinches on the stage, turns of the wheel, double clicks, swipes, and clicks beside the photo. */
function usePointers(stage: RefObject<HTMLElement | null>, actions: PointerActions): void {
  const act = useEffectEvent(<K extends keyof PointerActions>(name: K) => actions[name])
  useEffect(() => {
    const area = stage.current
    if (area === null) return
    const held = new Map<number, Point>()
    let start: Point = { x: 0, y: 0 }
    let hasMoved = false
    let hadTwo = false
    let wasOnPhoto = false

    const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
      const { left, top, width, height } = area.getBoundingClientRect()
      return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
    }
    const handleDown = (event: PointerEvent) => {
      if (event.button !== 0 || !isOnStage(event)) return
      held.set(event.pointerId, pointOf(event))
      if (held.size > 1) {
        hadTwo = true
        return
      }
      start = pointOf(event)
      hasMoved = false
      hadTwo = false
      wasOnPhoto = event.target !== area
    }
    const handleMove = (event: PointerEvent) => {
      const point = pointOf(event)
      if (event.pointerType !== 'touch') act('setPointer')(point)
      const before = held.get(event.pointerId)
      if (before === undefined) return
      const [other] = [...held].filter(([id]) => id !== event.pointerId).map(([, each]) => each)
      if (other !== undefined) {
        const factor = distance(point, other) / Math.max(1, distance(before, other))
        act('zoomBy')(factor, middle(before, other))
        act('move')({ x: (point.x - before.x) / 2, y: (point.y - before.y) / 2 })
      } else {
        if (!hasMoved && distance(point, start) < CLICK_REACH) return
        const can = act('canMove')()
        if (!hasMoved && (can.x || can.y)) area.setPointerCapture(event.pointerId)
        act('move')({ x: point.x - before.x, y: point.y - before.y })
      }
      hasMoved = true
      held.set(event.pointerId, point)
    }
    const handleUp = (event: PointerEvent) => {
      if (!held.delete(event.pointerId) || hadTwo || event.pointerType !== 'touch') return
      const [x, y] = [pointOf(event).x - start.x, pointOf(event).y - start.y]
      const isSwipe = Math.abs(x) >= SWIPE && Math.abs(x) > 1.5 * Math.abs(y)
      if (isSwipe && !act('canMove')().x) act('onSwipe')(x < 0 ? 'left' : 'right')
    }
    const handleCancel = ({ pointerId }: PointerEvent) => held.delete(pointerId)
    const handleClick = (event: MouseEvent) => {
      // A finger that only wants to see the controls closes nothing.
      const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
      if (!isTouch && event.target === area && !hasMoved && !wasOnPhoto) act('onOutside')()
    }
    const handleDoubleClick = (event: MouseEvent) => {
      if (isOnStage(event) && event.target !== area) act('zoomToNext')(pointOf(event))
    }
    const handleWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !act('hasOwnWheel')()) return
      // Otherwise Chromium would zoom the page.
      event.preventDefault()
      act('zoomBy')(wheelFactor(event), pointOf(event))
    }
    const handleTouch = (event: TouchEvent) => {
      // Otherwise a pinch whose fingers move up and down would scroll.
      if (event.touches.length > 1) event.preventDefault()
    }
    const listening = new AbortController()
    const { signal } = listening
    area.addEventListener('pointerdown', handleDown, { signal })
    area.addEventListener('pointermove', handleMove, { signal })
    area.addEventListener('pointerup', handleUp, { signal })
    area.addEventListener('pointercancel', handleCancel, { signal })
    area.addEventListener('pointerleave', () => act('setPointer')(null), { signal })
    area.addEventListener('click', handleClick, { signal })
    area.addEventListener('dblclick', handleDoubleClick, { signal })
    area.addEventListener('wheel', handleWheel, { signal, passive: false })
    area.addEventListener('touchstart', handleTouch, { signal, passive: false })
    return () => listening.abort()
  }, [stage])
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}
