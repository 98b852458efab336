import type { Dimensions } from '#/shared/media-formats'
import { decodeThumbhash } from './thumbhash-store'

/**
 * The blurred picture of a ThumbHash in base64, as a data URL; null if the hash is invalid.
 * @param size of the picture, in pixels: a ThumbHash stores its aspect ratio only roughly, so that the picture would
 * replace a placeholder of another width. Omit it where the placeholder covers its box.
 */
export function placeholderOf(thumbhash: string | null, size?: Dimensions): string | null {
  if (thumbhash === null) return null
  try {
    const blurred = decodeThumbhash(thumbhash)
    return size === undefined ? blurred : stretched(blurred, size)
  } catch {
    return null
  }
}

function stretched(url: string, { width, height }: Dimensions): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image href="${url}" width="${width}" height="${height}" preserveAspectRatio="none"/></svg>`
  return `data:image/svg+xml;base64,${btoa(svg)}`
}
