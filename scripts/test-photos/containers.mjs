// @ts-check
/** Writes image formats that a canvas cannot encode. */

/**
 * An animated GIF with one colour per frame. A clear code in time keeps the LZW codes at a fixed width.
 * @param {number} side
 * @param {[red: number, green: number, blue: number][]} frames at most 4
 */
export function gif(side, frames) {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(side, 0)
  size.writeUInt16LE(side, 2)
  const palette = Buffer.alloc(12)
  frames.forEach((colour, index) => {
    palette.set(colour, index * 3)
  })
  const parts = [Buffer.from('GIF89a'), size, Buffer.from([0x91, 0, 0]), palette]
  // Loops forever.
  parts.push(Buffer.from('!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0', 'latin1'))
  frames.forEach((_, index) => {
    // Half a second each.
    parts.push(Buffer.from([0x21, 0xf9, 4, 0, 50, 0, 0, 0]))
    parts.push(Buffer.from([0x2c, 0, 0, 0, 0]), size, Buffer.from([0]), lzw(index, side * side))
  })
  return Buffer.concat([...parts, Buffer.from([0x3b])])
}

/**
 * @param {number} value below 4
 * @param {number} count
 */
function lzw(value, count) {
  const [clear, end] = [4, 5]
  const codes = []
  for (let i = 0; i < count; i++) {
    if (i % 2 === 0) codes.push(clear)
    codes.push(value)
  }
  codes.push(end)
  const bits = codes
    .map((code) => code.toString(2).padStart(3, '0'))
    .reverse()
    .join('')
  const bytes = []
  for (let to = bits.length; to > 0; to -= 8)
    bytes.push(Number.parseInt(bits.slice(Math.max(0, to - 8), to), 2))
  const blocks = [Buffer.from([2])]
  for (let from = 0; from < bytes.length; from += 255) {
    const block = bytes.slice(from, from + 255)
    blocks.push(Buffer.from([block.length, ...block]))
  }
  return Buffer.concat([...blocks, Buffer.from([0])])
}

/**
 * A BMP with 24 bits per pixel in one colour, top row first.
 * @param {number} width
 * @param {number} height
 * @param {[red: number, green: number, blue: number]} colour
 */
export function bmp(width, height, [red, green, blue]) {
  const rowLength = Math.ceil((width * 3) / 4) * 4
  const file = Buffer.alloc(54 + rowLength * height)
  file.write('BM', 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(-height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) file.set([blue, green, red], 54 + y * rowLength + x * 3)
  }
  return file
}

/**
 * An AVIF image of one AV1 key frame (AV1 Image File Format 1.1).
 * @param {number} width
 * @param {number} height
 * @param {Buffer} frame in profile 0 and level 2.0, 4:2:0
 */
export function avif(width, height, frame) {
  const brands = box('ftyp', Buffer.from('avif\0\0\0\0avifmif1miaf', 'latin1'))
  /** @param {number} offset of the frame in the file */
  const meta = (offset) =>
    fullBox(
      'meta',
      fullBox('hdlr', Buffer.from('\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1')),
      fullBox('pitm', uint16(1)),
      // Offsets and lengths have 4 bytes; there is one item with one extent.
      fullBox(
        'iloc',
        uint16(0x4400),
        uint16(1),
        uint16(1),
        uint16(0),
        uint16(1),
        uint32(offset),
        uint32(frame.length),
      ),
      fullBox(
        'iinf',
        uint16(1),
        box('infe', uint32(0x02000000), uint16(1), uint16(0), Buffer.from('av01\0', 'latin1')),
      ),
      box(
        'iprp',
        box(
          'ipco',
          fullBox('ispe', uint32(width), uint32(height)),
          fullBox('pixi', Buffer.from([3, 8, 8, 8])),
          box('av1C', Buffer.from([0x81, 0, 0x0c, 0])),
        ),
        fullBox('ipma', uint32(1), uint16(1), Buffer.from([3, 1, 2, 0x83])),
      ),
    )
  const start = brands.length + meta(0).length + 8
  return Buffer.concat([brands, meta(start), box('mdat', frame)])
}

/** The first bytes of a HEIC file as an iPhone writes it. */
export function heic() {
  return Buffer.concat([
    box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1')),
    box('mdat', Buffer.alloc(64)),
  ])
}

/**
 * @param {string} type
 * @param {Buffer[]} content
 */
function box(type, ...content) {
  const body = Buffer.concat(content)
  return Buffer.concat([uint32(body.length + 8), Buffer.from(type, 'latin1'), body])
}

/**
 * A full box with version 0 and no flags.
 * @param {string} type
 * @param {Buffer[]} content
 */
function fullBox(type, ...content) {
  return box(type, uint32(0), ...content)
}

/** @param {number} value */
function uint16(value) {
  const buffer = Buffer.alloc(2)
  buffer.writeUInt16BE(value)
  return buffer
}

/** @param {number} value */
function uint32(value) {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32BE(value)
  return buffer
}
