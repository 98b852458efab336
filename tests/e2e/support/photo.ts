import type { Browser } from '@playwright/test'

/** Where a photo was taken, in degrees north and east. */
interface Place {
  latitude: number
  longitude: number
}

interface PhotoOptions {
  width: number
  height: number
  /** EXIF orientation, 1 (upright) to 8; the pixels are stored so that a viewer that heeds it sees them upright. */
  orientation?: 1 | 6
  gps?: Place
}

/** The colours of a test photo's quarters, as one sees it upright: top left, top right, bottom left, bottom right. */
export const QUARTERS = ['#d01c1c', '#1c9d3a', '#1c43d0', '#e0c21c'] as const

/** A JPEG as a camera writes it: four coloured quarters under fine noise, with EXIF. Width and height as seen upright. */
export async function cameraPhoto(
  browser: Browser,
  { width, height, orientation = 1, gps }: PhotoOptions,
): Promise<Buffer> {
  const page = await browser.newPage()
  try {
    const base64 = await page.evaluate(
      async ({ width, height, quarters, isTurned }) => {
        const canvas = new OffscreenCanvas(isTurned ? height : width, isTurned ? width : height)
        const pen = canvas.getContext('2d')
        if (pen === null) throw new Error('no canvas')
        if (isTurned) {
          // Orientation 6: the viewer turns by 90° clockwise, so the stored pixels are turned the other way.
          pen.translate(0, width)
          pen.rotate(-Math.PI / 2)
        }
        quarters.forEach((colour, index) => {
          pen.fillStyle = colour
          pen.fillRect((index % 2) * (width / 2), Math.floor(index / 2) * (height / 2), width / 2, height / 2)
        })
        // Fine lines, so that the file has a photo's weight.
        for (let x = 0; x < width; x += 8) {
          pen.fillStyle = `rgb(0 0 0 / ${(x * 37) % 10}%)`
          pen.fillRect(x, 0, 4, height)
        }
        const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 })
        const bytes = new Uint8Array(await blob.arrayBuffer())
        let text = ''
        for (let from = 0; from < bytes.length; from += 0x8000) {
          text += String.fromCharCode(...bytes.subarray(from, from + 0x8000))
        }
        return btoa(text)
      },
      { width, height, quarters: [...QUARTERS], isTurned: orientation === 6 },
    )
    return withExif(Buffer.from(base64, 'base64'), orientation, gps)
  } finally {
    await page.close()
  }
}

/** One entry of a TIFF directory: tag, type (2 text, 3 short, 4 long, 5 rational), count, value or offset. */
type Entry = readonly [tag: number, type: number, count: number, value: number]

function directory(entries: readonly Entry[]): Buffer {
  const buffer = Buffer.alloc(2 + entries.length * 12 + 4)
  buffer.writeUInt16LE(entries.length, 0)
  entries.forEach(([tag, type, count, value], index) => {
    const at = 2 + index * 12
    buffer.writeUInt16LE(tag, at)
    buffer.writeUInt16LE(type, at + 2)
    buffer.writeUInt32LE(count, at + 4)
    buffer.writeUInt32LE(value, at + 8)
  })
  return buffer
}

/** Degrees, minutes and seconds as EXIF's three fractions. */
function rationals(degrees: number): Buffer {
  const seconds = Math.round(Math.abs(degrees) * 3600)
  const buffer = Buffer.alloc(24)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  parts.forEach((part, index) => {
    buffer.writeUInt32LE(part, index * 8)
    buffer.writeUInt32LE(1, index * 8 + 4)
  })
  return buffer
}

const TIFF_HEADER = Buffer.from('II*\0\x08\0\0\0', 'latin1')

/** Puts an APP1 segment with orientation, and place if given, right behind a JPEG's first marker. */
export function withExif(jpeg: Buffer, orientation: number, gps?: Place): Buffer {
  const entries: Entry[] = [[0x0112, 3, 1, orientation]]
  const parts: Buffer[] = []
  if (gps) {
    const gpsAt = TIFF_HEADER.length + 2 + 2 * 12 + 4
    const valuesAt = gpsAt + 2 + 4 * 12 + 4
    entries.push([0x8825, 4, 1, gpsAt])
    parts.push(
      directory([
        [1, 2, 2, (gps.latitude < 0 ? 'S' : 'N').charCodeAt(0)],
        [2, 5, 3, valuesAt],
        [3, 2, 2, (gps.longitude < 0 ? 'W' : 'E').charCodeAt(0)],
        [4, 5, 3, valuesAt + 24],
      ]),
      rationals(gps.latitude),
      rationals(gps.longitude),
    )
  }
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), TIFF_HEADER, directory(entries), ...parts])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)])
}
