import type { Dimensions, SquareCrop } from '#/renderer/lib/media'

/**
 * How a picture lies under the square frame it is cropped by. Lengths are in shorter sides of the picture, which at
 * zoom 1 fills the frame with it; `x` and `y` are where the frame's centre is, from the picture's centre.
 */
export interface CropView {
  zoom: number
  x: number
  y: number
}

export type CropAction =
  /** The picture is moved under the frame by so many frame sides. */
  | { type: 'moved'; right: number; down: number }
  | { type: 'zoomed'; factor: number }
  | { type: 'zoomed-to'; zoom: number }
  /** The frame's centre is put at shares of the way it has: 0 at the left or upper end, 1 at the other. */
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

/** Where the frame is on its way, as shares; in the middle where there is no way. */
export function cropOffset(view: CropView, picture: Dimensions): { sideways: number; upright: number } {
  const reach = reachOf(view, picture)
  return { sideways: share(view.x, reach.x), upright: share(view.y, reach.y) }
}

/** The part of the picture that is in the frame. */
export function cropOf({ zoom, x, y }: CropView, picture: Dimensions): SquareCrop {
  const { width, height } = sizeOf(picture)
  const side = 1 / zoom
  return { left: (x - side / 2) / width + 0.5, top: (y - side / 2) / height + 0.5, side }
}

/** Where the whole picture is drawn, in frame sides from the frame's upper left corner. */
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

/** How far the frame's centre may be from the picture's. */
function reachOf({ zoom }: CropView, picture: Dimensions): { x: number; y: number } {
  const { width, height } = sizeOf(picture)
  return { x: (width - 1 / zoom) / 2, y: (height - 1 / zoom) / 2 }
}

/** The frame's centre stays where it is on the picture, as far as the picture reaches. */
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
