import { crc32, deflateSync } from 'node:zlib'

type Colour = readonly [red: number, green: number, blue: number]

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/**
 * Creates a PNG file with pixels from a function.
 * @param profile an ICC profile; without one the picture is sRGB
 */
export function png(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => Colour,
  profile?: Buffer,
): Buffer {
  const row = 1 + width * 3
  const pixels = Buffer.alloc(row * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) pixels.set(colourAt(x, y), y * row + 1 + x * 3)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8) // eight bits a channel, RGB
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...(profile === undefined
      ? []
      : [chunk('iCCP', Buffer.concat([Buffer.from('Test\0\0', 'latin1'), deflateSync(profile)]))]),
    chunk('IDAT', deflateSync(pixels, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A PNG that does not compress: about `side * side * 3` bytes, the same for the same seed. */
export function noisePng(side: number, seed: number): Buffer {
  let state = (seed + 1) * 0x9e3779b1
  const next = (): number => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39
    return (state >>> 16) & 0xff
  }
  return png(side, side, () => [next(), next(), next()])
}

/** A file as a data URL for an inline column. */
export function dataUrl(file: Buffer, type: 'image/png' | 'image/jpeg' | 'image/webp' = 'image/png'): string {
  return `data:${type};base64,${file.toString('base64')}`
}
