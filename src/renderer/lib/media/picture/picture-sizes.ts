import { STORED_PICTURE } from '#/shared/limits'
import type { Dimensions } from '#/shared/media-formats'

/**
 * The sizes of a picture in Storage, by the size of the full one; none is larger than it, and feed and grid are not larger than the
 * middle one.
 */
export function pictureSizes(full: Dimensions): Record<'full' | 'middle' | 'feed' | 'grid', Dimensions> {
  const middle = scaledBy(full, STORED_PICTURE.middleSide / Math.max(full.width, full.height))
  return {
    full,
    middle,
    feed: scaledBy(middle, STORED_PICTURE.feedWidth / middle.width),
    grid: scaledBy(middle, STORED_PICTURE.gridSide / Math.min(middle.width, middle.height)),
  }
}

/**
 * The size of the full picture of a photo of this size: at most `STORED_PICTURE.fullPixels`, and a longer side that is limited by the
 * proportions. Beyond 3:1 the shorter side keeps the feed's width, for which a tall screenshot may have 5 % more pixels. Never enlarged.
 */
export function fullSize(photo: Dimensions): Dimensions {
  const { fullPixels, fullSide, longSide, longRatio, feedWidth } = STORED_PICTURE
  const longest = Math.max(photo.width, photo.height)
  const shortest = Math.min(photo.width, photo.height)
  const byPixels = Math.sqrt(fullPixels / (photo.width * photo.height))
  if (longest > longRatio * shortest)
    return scaledBy(photo, Math.min(longSide / longest, Math.max(byPixels, feedWidth / shortest)))
  const size = scaledBy(photo, Math.min(fullSide / longest, byPixels))
  // Both sides may have been rounded up.
  return size.width * size.height > fullPixels ? { width: size.width - 1, height: size.height } : size
}

/** The picture's size times a factor of at most 1, in whole pixels. */
export function scaledBy({ width, height }: Dimensions, factor: number): Dimensions {
  const scale = Math.min(1, factor)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
