import type { Dimensions } from '#/shared/media-formats'

/** RGBA rows from the top, not premultiplied, as in ImageData. */
export interface Pixels extends Dimensions {
  data: Uint8ClampedArray<ArrayBuffer>
  colorSpace: PredefinedColorSpace
}

/** The largest size with the same proportions within a square of `side` pixels; never enlarged. */
export function fitWithin({ width, height }: Dimensions, side: number): Dimensions {
  const factor = Math.min(1, side / Math.max(width, height))
  return {
    width: Math.max(1, Math.round(width * factor)),
    height: Math.max(1, Math.round(height * factor)),
  }
}

/**
 * Scales down with a Lanczos filter, which keeps detail that a canvas's own scaling (bilinear between mipmaps) blurs,
 * and avoids its moiré in fine patterns. `to` must not be larger than the source in either direction.
 */
export function scaleDown(source: Pixels, to: Dimensions): Pixels {
  if (to.width === source.width && to.height === source.height) return source
  const columns = lanczosWeights(source.width, to.width)
  const rows = lanczosWeights(source.height, to.height)
  const scaled = new Uint8ClampedArray(to.width * to.height * 4)
  const length = to.width * 4
  // The scaled rows that one row of the result needs; those of the whole picture would take several hundred megabytes.
  const kept = Array.from({ length: rows.taps }, () => new Float32Array(length))
  const row = new Float32Array(length)
  let next = 0
  for (let y = 0; y < to.height; y++) {
    const start = at(rows.starts, y)
    for (next = Math.max(next, start); next < start + rows.taps; next++)
      scaleColumns(source, next, columns, kept[next % rows.taps] as Float32Array)
    row.fill(0)
    for (let tap = 0; tap < rows.taps; tap++) {
      const weight = at(rows.values, y * rows.taps + tap)
      const from = kept[(start + tap) % rows.taps] as Float32Array
      for (let i = 0; i < length; i++) row[i] = at(row, i) + weight * at(from, i)
    }
    writeRow(row, scaled, y * length)
  }
  return { ...source, data: scaled, width: to.width, height: to.height }
}

interface Weights {
  /** First source pixel of each target pixel. */
  starts: Int32Array
  /** Source pixels per target pixel; unused ones have weight 0. */
  taps: number
  /** `taps` weights per target pixel, with a sum of 1. */
  values: Float32Array
}

const LOBES = 3

function lanczosWeights(from: number, to: number): Weights {
  const ratio = from / to
  const reach = LOBES * ratio
  const taps = Math.min(from, Math.ceil(2 * reach) + 1)
  const starts = new Int32Array(to)
  const values = new Float32Array(to * taps)
  for (let target = 0; target < to; target++) {
    const centre = (target + 0.5) * ratio
    const start = Math.max(0, Math.min(from - taps, Math.floor(centre - reach)))
    starts[target] = start
    const weights = Array.from({ length: taps }, (_, tap) => lanczos((start + tap + 0.5 - centre) / ratio))
    const sum = weights.reduce((total, weight) => total + weight, 0)
    weights.forEach((weight, tap) => {
      values[target * taps + tap] = weight / sum
    })
  }
  return { starts, taps, values }
}

function lanczos(x: number): number {
  if (x === 0) return 1
  if (Math.abs(x) >= LOBES) return 0
  const angle = Math.PI * x
  return (LOBES * Math.sin(angle) * Math.sin(angle / LOBES)) / (angle * angle)
}

/**
 * Scales a row to the target's width, as premultiplied RGBA that is not rounded. Colours are weighted by their alpha, or transparent
 * pixels would bleed into edges.
 */
function scaleColumns(
  { data, width }: Pixels,
  y: number,
  { starts, taps, values }: Weights,
  scaled: Float32Array,
): void {
  for (let x = 0; x < starts.length; x++) {
    let red = 0
    let green = 0
    let blue = 0
    let alpha = 0
    let from = (y * width + at(starts, x)) * 4
    for (let tap = x * taps; tap < (x + 1) * taps; tap++, from += 4) {
      const covered = at(values, tap) * at(data, from + 3)
      red += covered * at(data, from)
      green += covered * at(data, from + 1)
      blue += covered * at(data, from + 2)
      alpha += covered
    }
    const into = x * 4
    scaled[into] = red
    scaled[into + 1] = green
    scaled[into + 2] = blue
    scaled[into + 3] = alpha
  }
}

/** Converts a row to 8-bit RGBA that is not premultiplied. */
function writeRow(row: Float32Array, into: Uint8ClampedArray, start: number): void {
  for (let i = 0; i < row.length; i += 4) {
    const alpha = at(row, i + 3)
    if (alpha <= 0) continue
    into[start + i] = at(row, i) / alpha
    into[start + i + 1] = at(row, i + 1) / alpha
    into[start + i + 2] = at(row, i + 2) / alpha
    into[start + i + 3] = alpha
  }
}

/** Reads an index that is always within bounds, which `noUncheckedIndexedAccess` cannot infer. */
function at(values: Float32Array | Int32Array | Uint8ClampedArray, index: number): number {
  return values[index] as number
}
