// @ts-check

/** Where the test photos claim to have been taken; none of it may be found in what is stored. */
export const PLACE = { latitude: [47, 22, 36], longitude: [8, 32, 24] }

/** What the camera calls itself in EXIF and XMP, to be searched for in what is stored. */
export const CAMERA = 'Vignette Test Camera'

const SHORT = 3
const LONG = 4
const ASCII = 2
const RATIONAL = 5

/**
 * Puts EXIF (orientation, camera, place) and XMP right behind a JPEG's first marker, where cameras put them.
 * @param {Buffer} jpeg
 * @param {number} orientation 1 to 8, as EXIF counts them
 */
export function withMetadata(jpeg, orientation) {
  const xmp = `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/">${CAMERA}</x:xmpmeta>`
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff(orientation)])),
    segment(Buffer.from(xmp, 'latin1')),
    jpeg.subarray(2),
  ])
}

/** @param {Buffer} body of an APP1 segment */
function segment(body) {
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** @param {number} orientation */
function tiff(orientation) {
  const camera = Buffer.from(`${CAMERA}\0`, 'latin1')
  const gpsAt = 8 + directorySize(3)
  const cameraAt = gpsAt + directorySize(4)
  const latitudeAt = cameraAt + camera.length
  return Buffer.concat([
    Buffer.from('II*\0\x08\0\0\0', 'latin1'),
    directory([
      [0x0110, ASCII, camera.length, cameraAt],
      [0x0112, SHORT, 1, orientation],
      [0x8825, LONG, 1, gpsAt],
    ]),
    directory([
      [1, ASCII, 2, 'N'.charCodeAt(0)],
      [2, RATIONAL, 3, latitudeAt],
      [3, ASCII, 2, 'E'.charCodeAt(0)],
      [4, RATIONAL, 3, latitudeAt + 24],
    ]),
    camera,
    rationals(PLACE.latitude),
    rationals(PLACE.longitude),
  ])
}

/** @param {number} entries */
function directorySize(entries) {
  return 2 + entries * 12 + 4
}

/** @param {number[][]} entries tag, type, count, and the value or where it is */
function directory(entries) {
  const buffer = Buffer.alloc(directorySize(entries.length))
  buffer.writeUInt16LE(entries.length, 0)
  entries.forEach(([tag = 0, type = 0, count = 0, value = 0], index) => {
    const at = 2 + index * 12
    buffer.writeUInt16LE(tag, at)
    buffer.writeUInt16LE(type, at + 2)
    buffer.writeUInt32LE(count, at + 4)
    buffer.writeUInt32LE(value, at + 8)
  })
  return buffer
}

/** @param {number[]} degreesMinutesSeconds */
function rationals(degreesMinutesSeconds) {
  const buffer = Buffer.alloc(24)
  degreesMinutesSeconds.forEach((part, index) => {
    buffer.writeUInt32LE(part, index * 8)
    buffer.writeUInt32LE(1, index * 8 + 4)
  })
  return buffer
}
