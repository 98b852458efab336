/** No frame is flatter or taller than these, width by height; a picture beyond is cropped. */
const FLATTEST = 2.4
const TALLEST = 0.5
/** From this ratio down a picture is shown whole, like a print on its mat, instead of cropped to the window. */
const TALL = 0.92

export interface PhotoFrame {
  /** Width by height, as CSS's aspect-ratio takes it. */
  ratio: number
  isTall: boolean
}

/** How a post's picture is framed in a list, from its stored size in pixels; square when that is unknown. */
export function photoFrame(width: number | null, height: number | null): PhotoFrame {
  const ratio = width === null || height === null ? 1 : width / height
  return { ratio: Math.min(FLATTEST, Math.max(TALLEST, ratio)), isTall: ratio < TALL }
}
