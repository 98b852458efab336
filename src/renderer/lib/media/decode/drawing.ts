import { MediaError } from '#/renderer/lib/media/source/media-error'

/** How the pixels of a picture are drawn before they are encoded. */
export interface Drawing {
  /** Display P3 for a picture with colours that sRGB does not have. */
  colorSpace: PredefinedColorSpace
  /** A colour of CSS. Transparent parts show it, so that author and readers see the same in the light and the dark scheme. */
  ground: string
}

export const PLAIN: Drawing = { colorSpace: 'srgb', ground: '#ffffff' }

/** Under light ink, such as a white logo, which white would hide. */
const DARK_GROUND = '#1c1a18'

/** Longest side of the copy whose colours are looked at, in pixels. */
const SAMPLE_SIDE = 512
/** A colour is outside sRGB if a component would be this far below 0 or above 1: rounding to 8 bits moves it by less. */
const OUTSIDE = 0.01
/** Mean alpha, from 0 to 255, below which the transparent parts of a picture count. */
const OPAQUE = 250
/** Luminance of ink, from 0 to 255, that white would hide, and that the dark ground would hide. */
const [LIGHT_INK, DARK_INK] = [200, 64]
/** Fraction of the outlines below which light ink does not count: highlights of a coloured drawing. */
const FEW = 0.05

/** Looks at a small copy of the picture. */
export function drawingOf(bitmap: ImageBitmap): Drawing {
  const factor = Math.min(1, SAMPLE_SIDE / Math.max(bitmap.width, bitmap.height))
  const width = Math.max(1, Math.round(bitmap.width * factor))
  const height = Math.max(1, Math.round(bitmap.height * factor))
  const context = contextOf(new OffscreenCanvas(width, height), 'display-p3')
  context.drawImage(bitmap, 0, 0, width, height)
  const { data } = context.getImageData(0, 0, width, height, { colorSpace: 'display-p3' })
  return {
    colorSpace: isWide(data) ? 'display-p3' : 'srgb',
    ground: hasLightInk(data, width) ? DARK_GROUND : PLAIN.ground,
  }
}

/** The transfer curve of sRGB and Display P3, from 8 bits to light (IEC 61966-2-1). */
const LIGHT = Float32Array.from({ length: 256 }, (_, code) => {
  const value = code / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})

/** From Display P3 to linear sRGB (CSS Color 4, section 18: matrices by way of XYZ with the white point D65). */
const P3_TO_SRGB = [
  [1.2249, -0.2249, 0],
  [-0.042, 1.042, 0],
  [-0.0196, -0.0786, 1.0983],
] as const

/** Whether pixels in Display P3 have colours that sRGB does not have. */
export function isWide(pixels: Uint8ClampedArray): boolean {
  for (let i = 0; i < pixels.length; i += 4) {
    // The colours of nearly transparent pixels are rounded far.
    if ((pixels[i + 3] ?? 0) < 128) continue
    const red = LIGHT[pixels[i] ?? 0] ?? 0
    const green = LIGHT[pixels[i + 1] ?? 0] ?? 0
    const blue = LIGHT[pixels[i + 2] ?? 0] ?? 0
    for (const [r, g, b] of P3_TO_SRGB) {
      const light = r * red + g * green + b * blue
      if (light < -OUTSIDE || light > 1 + OUTSIDE) return true
    }
  }
  return false
}

/**
 * Whether pixels have transparent parts, and a white ground would hide more of the ink around them than a dark one. Ink is hidden where
 * it borders on the ground: so each step of alpha between two pixels counts, by its height, for the colour of the more opaque pixel.
 *
 * @param pixels rows of `width` pixels
 */
export function hasLightInk(pixels: Uint8ClampedArray, width: number): boolean {
  let [alphas, light, dark, all] = [0, 0, 0, 0]
  const row = width * 4
  const compare = (at: number, other: number) => {
    const step = (pixels[at + 3] ?? 0) - (pixels[other + 3] ?? 0)
    if (step === 0) return
    const height = Math.abs(step)
    const luminance = luminanceAt(pixels, step > 0 ? at : other)
    all += height
    if (luminance > LIGHT_INK) light += height
    if (luminance < DARK_INK) dark += height
  }
  for (let at = 0; at < pixels.length; at += 4) {
    alphas += pixels[at + 3] ?? 0
    if ((at + 4) % row !== 0) compare(at, at + 4)
    if (at + row < pixels.length) compare(at, at + row)
  }
  return alphas < OPAQUE * (pixels.length / 4) && light > dark && light > FEW * all
}

function luminanceAt(pixels: Uint8ClampedArray, at: number): number {
  return 0.2126 * (pixels[at] ?? 0) + 0.7152 * (pixels[at + 1] ?? 0) + 0.0722 * (pixels[at + 2] ?? 0)
}

/** The context of a canvas in memory instead of on the GPU: textures end at 8,192 or 16,384 pixels, and the pixels are read back. */
export function contextOf(
  canvas: OffscreenCanvas,
  colorSpace: PredefinedColorSpace,
): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d', { colorSpace, willReadFrequently: true })
  if (context === null) throw new MediaError('failed')
  return context
}
