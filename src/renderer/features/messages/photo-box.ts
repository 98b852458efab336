/** The largest a photo is drawn in a conversation, in pixels. */
const LARGEST = { width: 280, height: 320 } as const
/** The smallest side, in pixels: a strip is cropped to it. */
const SMALLEST = 72

/** The box of a photo in a conversation, from its stored size: known before the photo is there. In pixels. */
export function photoBox(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, LARGEST.width / width, LARGEST.height / height)
  return {
    width: Math.max(SMALLEST, Math.round(width * scale)),
    height: Math.max(SMALLEST, Math.round(height * scale)),
  }
}
