import type { CameraDetails, CameraField } from '#/renderer/lib/content/camera'
import { TEXT_LIMITS } from '#/shared/limits'
import { sniffMedia } from '#/shared/media-formats'
import { trimText } from '#/shared/visible-text'
import { type Exif, exifOf } from './exif'
import { type Directory, numberOf, openTiff, readDirectory } from './tiff-directory'

/** Where EXIF is in files that have it before the pixels; PNG and WebP may have it at the end. */
const HEAD = 4 * 1024 * 1024

/** Reads the camera details from a file's EXIF. Empty for a file without them, or with damaged ones; never rejects. */
export async function readCameraDetails(source: Blob): Promise<CameraDetails> {
  try {
    const head = new Uint8Array(await source.slice(0, HEAD).arrayBuffer())
    const kind = sniffMedia(head)
    const isWhole = kind === 'png' || kind === 'webp'
    return detailsOf(await exifOf(isWhole ? new Uint8Array(await source.arrayBuffer()) : head, kind))
  } catch {
    return {}
  }
}

/** Tags of EXIF 3.0 that are read. Location, serial numbers, owner and comments are not among them. */
const TAG = {
  make: 0x010f,
  model: 0x0110,
  exif: 0x8769,
  exposureTime: 0x829a,
  aperture: 0x829d,
  iso: 0x8827,
  flash: 0x9209,
  focalLength: 0x920a,
  lens: 0xa434,
} as const

/** Bytes of a text that are read. */
const TEXT_BYTES = 4 * TEXT_LIMITS.cameraDetail

/** The text up to its first zero byte, in one line, without control characters; null if nothing is left. */
function cleanText(bytes: Uint8Array): string | null {
  const end = bytes.indexOf(0)
  const line = new TextDecoder()
    .decode(end < 0 ? bytes : bytes.subarray(0, end))
    .replaceAll(/[\p{C}\p{Z}\uFFFD]+/gu, ' ')
  const text = trimText(line)
  return text === '' ? null : Array.from(text).slice(0, TEXT_LIMITS.cameraDetail).join('').trim()
}

/** The directory at an offset, by default the first; empty if there is none. */
function directoryOf(bytes: Uint8Array, at?: number): Directory {
  const block = openTiff(bytes)
  return block === null ? new Map() : readDirectory(block, at ?? block.first).directory
}

/** The directory of the exposure: in a separate block, or where the main directory says. */
function exposureOf({ main, exposure }: Exif, pointer: number | undefined): Directory {
  if (exposure !== undefined) return directoryOf(exposure)
  return pointer === undefined ? new Map() : directoryOf(main, pointer)
}

function detailsOf(found: Exif | null): CameraDetails {
  if (found === null) return {}
  const main = directoryOf(found.main)
  const exif = exposureOf(found, numberOf(main, TAG.exif))
  const text = (directory: Directory, tag: number) => {
    const value = directory.get(tag)
    return value instanceof Uint8Array ? cleanText(value.subarray(0, TEXT_BYTES)) : null
  }
  const number = (tag: number) => {
    const value = numberOf(exif, tag)
    return value !== undefined && Number.isFinite(value) && value > 0 ? value : null
  }
  const flash = numberOf(exif, TAG.flash)
  const details: Record<Exclude<CameraField, 'film'>, string | null> = {
    camera: cameraName(text(main, TAG.make), text(main, TAG.model)),
    lens: text(exif, TAG.lens),
    focal_length: withUnit(number(TAG.focalLength), (value) => `${value} mm`),
    aperture: withUnit(number(TAG.aperture), (value) => `f/${value}`),
    exposure_time: exposureText(number(TAG.exposureTime)),
    iso: withUnit(number(TAG.iso), (value) => `ISO ${value}`),
    // The lowest bit says whether it fired.
    flash: typeof flash === 'number' ? (flash % 2 === 1 ? 'Flash' : 'No flash') : null,
  }
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null))
}

/** Most models repeat their maker: 'NIKON CORPORATION' makes the 'NIKON Z 6'. */
function cameraName(make: string | null, model: string | null): string | null {
  if (make === null || model === null) return model
  const [maker = ''] = make.split(' ')
  const isRepeated = model.toLowerCase().startsWith(maker.toLowerCase())
  return (isRepeated ? model : `${make} ${model}`).slice(0, TEXT_LIMITS.cameraDetail)
}

/** With at most one decimal. */
function withUnit(value: number | null, write: (value: string) => string): string | null {
  return value === null || value >= 1_000_000 ? null : write(String(Math.round(value * 10) / 10))
}

/** Short times as a fraction, as cameras show them. */
function exposureText(seconds: number | null): string | null {
  if (seconds === null || seconds < 1e-6) return null
  return seconds < 0.3 ? `1/${Math.round(1 / seconds)} s` : withUnit(seconds, (value) => `${value} s`)
}
