// @ts-check

/** The GPS position in the test photos, which must not be in any stored picture. */
export const GPS_POSITION = { latitude: [47, 22, 36], longitude: [8, 32, 24] }

/** The camera name in EXIF, XMP and IPTC, for which tests search stored pictures. */
export const CAMERA = 'Vignette Test Camera'

const SHORT = 3
const LONG = 4
const ASCII = 2
const RATIONAL = 5

/**
 * Inserts EXIF (orientation, camera, position), XMP and IPTC after the first marker of a JPEG, as cameras do.
 * @param {Buffer} jpeg
 * @param {number} orientation 1 to 8
 */
export function withMetadata(jpeg, orientation) {
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff(orientation)])),
    segment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1'), XMP])),
    segment(0xed, iptc()),
    jpeg.subarray(2),
  ])
}

/**
 * Appends EXIF and XMP to a WebP in the extended format, which Chromium writes (WebP Container Specification, 2.7).
 * @param {Buffer} webp
 */
export function webpWithMetadata(webp) {
  const body = Buffer.concat([webp.subarray(8), chunk('EXIF', tiff(1)), chunk('XMP ', XMP)])
  const flagsAt = 12
  body[flagsAt] = (body[flagsAt] ?? 0) | 0x08 | 0x04
  return chunk('RIFF', body)
}

const XMP = Buffer.from(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${CAMERA}</x:xmpmeta>`, 'latin1')

/**
 * @param {string} name
 * @param {Buffer} body
 */
function chunk(name, body) {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
}

/** A Photoshop block of IPTC data with one field, the city. */
function iptc() {
  const city = Buffer.concat([Buffer.from([0x1c, 2, 90, 0, CAMERA.length]), Buffer.from(CAMERA, 'latin1')])
  const head = Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\0', 'latin1')
  head.writeUInt32BE(city.length, head.length - 4)
  return Buffer.concat([head, city, Buffer.alloc(city.length % 2)])
}

/**
 * @param {number} marker the second byte of an APPn segment's marker
 * @param {Buffer} body
 */
function segment(marker, body) {
  const head = Buffer.from([0xff, marker, 0, 0])
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
    rationals(GPS_POSITION.latitude),
    rationals(GPS_POSITION.longitude),
  ])
}

/** @param {number} entries */
function directorySize(entries) {
  return 2 + entries * 12 + 4
}

/** @param {number[][]} entries tag, type, count, and the value or its offset */
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
