// @ts-check

/**
 * @typedef {object} IconImage
 * @property {number} size width and height in pixels
 * @property {Buffer} png
 */

/**
 * A Windows icon (.ico) with PNG images, which Windows supports since Vista: a header, one entry per image, the images.
 * @param {readonly IconImage[]} images
 */
export function ico(images) {
  const header = Buffer.alloc(6)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(images.length, 4)
  let offset = 6 + 16 * images.length
  const entries = images.map(({ size, png }) => {
    const entry = Buffer.alloc(16)
    // Width and height are one byte each; 0 means 256.
    entry.writeUInt8(size % 256, 0)
    entry.writeUInt8(size % 256, 1)
    entry.writeUInt16LE(1, 4)
    entry.writeUInt16LE(32, 6)
    entry.writeUInt32LE(png.length, 8)
    entry.writeUInt32LE(offset, 12)
    offset += png.length
    return entry
  })
  return Buffer.concat([header, ...entries, ...images.map(({ png }) => png)])
}

/** The PNG types of the .icns format by size in pixels; some sizes are used both at 1× and at 2×. */
const ICNS_TYPES = new Map([
  [16, ['icp4']],
  [32, ['icp5', 'ic11']],
  [64, ['ic12']],
  [128, ['ic07']],
  [256, ['ic08', 'ic13']],
  [512, ['ic09', 'ic14']],
  [1024, ['ic10']],
])

/**
 * A macOS icon (.icns) with PNG images.
 * @param {readonly IconImage[]} images
 */
export function icns(images) {
  const parts = images.flatMap(({ size, png }) =>
    (ICNS_TYPES.get(size) ?? []).map((type) => {
      const head = Buffer.alloc(8)
      head.write(type, 'latin1')
      head.writeUInt32BE(png.length + 8, 4)
      return Buffer.concat([head, png])
    }),
  )
  const head = Buffer.alloc(8)
  head.write('icns', 'latin1')
  head.writeUInt32BE(8 + parts.reduce((sum, part) => sum + part.length, 0), 4)
  return Buffer.concat([head, ...parts])
}
