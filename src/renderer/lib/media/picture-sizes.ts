import { STORED_PICTURE } from '#/shared/limits'
import type { Dimensions } from '#/shared/media-formats'

/** The sizes of a picture in Storage, by the size of the full one; none is larger than it. */
export function pictureSizes(full: Dimensions): Record<'full' | 'feed' | 'grid', Dimensions> {
  return {
    full,
    feed: scaledBy(full, STORED_PICTURE.feedWidth / full.width),
    grid: scaledBy(full, STORED_PICTURE.gridSide / Math.min(full.width, full.height)),
  }
}

function scaledBy({ width, height }: Dimensions, factor: number): Dimensions {
  const scale = Math.min(1, factor)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
