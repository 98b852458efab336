import { MOST_ENLARGED } from '#/renderer/lib/layout/photo-frame'
import type { Dimensions } from '#/shared/media-formats'

/** A photo and the area that shows it: the photo in picture pixels, the stage in CSS pixels. */
export interface Frame {
  photo: Dimensions
  stage: Dimensions
}

/** A point relative to the middle of the stage, in CSS pixels. */
export interface Point {
  x: number
  y: number
}

/** How a zoomed photo is shown: CSS pixels per picture pixel, and where its middle is. */
export interface View extends Point {
  scale: number
}

const MIDDLE: Point = { x: 0, y: 0 }

/** The scale at which the whole photo is as large as the stage allows, at most twice its size. */
export function fittedScale({ photo, stage }: Frame): number {
  return Math.min(stage.width / photo.width, stage.height / photo.height, MOST_ENLARGED)
}

/** The photo as it is before the first zoom. */
export function fittedView(frame: Frame): View {
  return { ...MIDDLE, scale: fittedScale(frame) }
}

/**
 * The scales that zooming leads through, smallest first: the fitted one, 100 % and 200 %. At 100 % each pixel of the picture is one of the
 * screen's. A photo that fits at 200 % or more has twice that instead.
 * @param pixelRatio device pixels per CSS pixel
 */
export function zoomLevels(frame: Frame, pixelRatio: number): readonly [fit: number, ...larger: number[]] {
  const fit = fittedScale(frame)
  const larger = [1 / pixelRatio, 2 / pixelRatio].filter((scale) => scale > fit * 1.01)
  return larger.length > 0 ? [fit, ...larger] : [fit, 2 * fit]
}

/** The next larger or smaller level; the last or first one beyond it. */
export function levelBeside(levels: readonly number[], scale: number, direction: 1 | -1): number {
  const isBeyond = (level: number) => (direction === 1 ? level > scale * 1.01 : level < scale / 1.01)
  const beyond = levels.filter(isBeyond)
  const found = direction === 1 ? beyond[0] : beyond.at(-1)
  return found ?? scale
}

/** The level that a double click leads to: the next larger one, and after the last one the first. */
export function levelAfter(levels: readonly [number, ...number[]], scale: number): number {
  return levels.find((level) => level > scale * 1.01) ?? levels[0]
}

/** How far the photo's middle can be from the stage's, in each direction. */
function reach({ photo, stage }: Frame, scale: number): Point {
  return {
    x: Math.max(0, (photo.width * scale - stage.width) / 2),
    y: Math.max(0, (photo.height * scale - stage.height) / 2),
  }
}

function between(value: number, limit: number): number {
  return Math.min(limit, Math.max(-limit, value))
}

/** The view without empty space at an edge beyond which the photo goes on, and in the middle where it fits. */
function heldIn(frame: Frame, { scale, x, y }: View): View {
  const limit = reach(frame, scale)
  return { scale, x: between(x, limit.x), y: between(y, limit.y) }
}

/** The view at another scale, within the levels: the point of the picture under `point` stays where it is. */
export function zoomedAt(
  frame: Frame,
  view: View,
  { x, y }: Point,
  scale: number,
  levels: readonly number[],
): View {
  const wanted = Math.min(Math.max(...levels), Math.max(Math.min(...levels), scale))
  const factor = wanted / view.scale
  return heldIn(frame, { scale: wanted, x: x - (x - view.x) * factor, y: y - (y - view.y) * factor })
}

/** The view moved by a distance in CSS pixels, as far as there is something to see. */
export function movedBy(frame: Frame, view: View, { x, y }: Point): View {
  return heldIn(frame, { ...view, x: view.x + x, y: view.y + y })
}

/** The directions in which the photo is larger than the stage. */
export function overflow(frame: Frame, { scale }: View): { x: boolean; y: boolean } {
  const { x, y } = reach(frame, scale)
  return { x: x > 0.5, y: y > 0.5 }
}

/** Pixels per line of a wheel that scrolls by lines. */
const LINE = 16
/** Limit on the distance of one wheel event, in pixels: a notch of a wheel sends 100 or more, a touchpad sends many small steps. */
const MOST_PER_EVENT = 50

/** The factor by which a turn of the wheel zooms. Chromium sends the pinch of a touchpad as a wheel with Ctrl, in small steps. */
export function wheelFactor({
  deltaY,
  deltaMode,
  ctrlKey,
}: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>): number {
  const pixels = between(deltaMode === 0 ? deltaY : deltaY * LINE, MOST_PER_EVENT)
  return Math.exp(-pixels * (ctrlKey ? 0.01 : 0.006))
}
