import type { Dimensions, SquareCrop } from '#/renderer/lib/media'

/**
 * Position of a picture under the square crop frame. The unit is the picture's shorter side, which fills the frame at
 * zoom 1; `x` and `y` are the frame's centre relative to the picture's.
 */
export interface CropView {
  zoom: number
  x: number
  y: number
}

export type CropAction =
  /** Moves the picture under the frame, in frame sides. */
  | { type: 'moved'; right: number; down: number }
  | { type: 'zoomed'; factor: number }
  | { type: 'zoomed-to'; zoom: number }
  /** Moves the frame's centre to a fraction of its range: 0 at the left or top, 1 at the other end. */
  | { type: 'placed'; sideways?: number; upright?: number }

export const ZOOM = { min: 1, max: 4 } as const

export const CENTRED: CropView = { zoom: ZOOM.min, x: 0, y: 0 }

export function cropReducer(view: CropView, action: CropAction, picture: Dimensions): CropView {
  switch (action.type) {
    case 'moved':
      return within(
        { ...view, x: view.x - action.right / view.zoom, y: view.y - action.down / view.zoom },
        picture,
      )
    case 'zoomed':
      return zoomed(view, view.zoom * action.factor, picture)
    case 'zoomed-to':
      return zoomed(view, action.zoom, picture)
    case 'placed': {
      const reach = reachOf(view, picture)
      return {
        zoom: view.zoom,
        x: action.sideways === undefined ? view.x : (clamp(action.sideways, 0, 1) * 2 - 1) * reach.x,
        y: action.upright === undefined ? view.y : (clamp(action.upright, 0, 1) * 2 - 1) * reach.y,
      }
    }
  }
}

/** The frame's position as fractions of its range; 0.5 if the range is empty. */
export function cropOffset(view: CropView, picture: Dimensions): { sideways: number; upright: number } {
  const reach = reachOf(view, picture)
  return { sideways: share(view.x, reach.x), upright: share(view.y, reach.y) }
}

/** The part of the picture inside the frame. */
export function cropOf({ zoom, x, y }: CropView, picture: Dimensions): SquareCrop {
  const { width, height } = sizeOf(picture)
  const side = 1 / zoom
  return { left: (x - side / 2) / width + 0.5, top: (y - side / 2) / height + 0.5, side }
}

/** Position of the whole picture, in frame sides from the frame's top left corner. */
export function drawnAt(
  { zoom, x, y }: CropView,
  picture: Dimensions,
): { left: number; top: number; width: number; height: number } {
  const { width, height } = sizeOf(picture)
  return {
    left: 0.5 - (x + width / 2) * zoom,
    top: 0.5 - (y + height / 2) * zoom,
    width: width * zoom,
    height: height * zoom,
  }
}

function sizeOf({ width, height }: Dimensions): Dimensions {
  const shorter = Math.min(width, height)
  return { width: width / shorter, height: height / shorter }
}

/** Maximum distance of the frame's centre from the picture's. */
function reachOf({ zoom }: CropView, picture: Dimensions): { x: number; y: number } {
  const { width, height } = sizeOf(picture)
  return { x: (width - 1 / zoom) / 2, y: (height - 1 / zoom) / 2 }
}

/** Keeps the frame's centre in place, clamped to the picture. */
function zoomed(view: CropView, zoom: number, picture: Dimensions): CropView {
  return within({ ...view, zoom: clamp(zoom, ZOOM.min, ZOOM.max) }, picture)
}

function within(view: CropView, picture: Dimensions): CropView {
  const reach = reachOf(view, picture)
  return { ...view, x: clamp(view.x, -reach.x, reach.x), y: clamp(view.y, -reach.y, reach.y) }
}

function share(value: number, reach: number): number {
  return reach > 0 ? (value / reach + 1) / 2 : 0.5
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
