import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PICTURE_BYTES, PICTURE_USE } from '#/shared/limits'
import { fitsUse, inspectPicture, type StoredPictureKind } from '#/shared/picture-content'
import type { PictureFault } from '#/shared/picture-fault'
import { av1Unit } from '#tests/mp4-files'
import {
  animatedPng,
  animatedWebp,
  av1Frame,
  av1Header,
  avif,
  box,
  jpegSegment,
  png,
  pngChunk,
  pngFile,
  pngHeader,
  progressiveJpeg,
  stillAvif,
  webpAlpha,
  webpCanvas,
  webpChunk,
  webpFile,
  webpFrame,
  webpTiles,
} from '#tests/picture-files'
import { photo } from '#tests/renderer/lib/media/files'

const SIZE = { width: 64, height: 48 }
const LARGEST = { width: 4_096, height: 4_096 }
const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))
const insertAt = (file: Uint8Array, at: number, extra: Uint8Array | number[]) =>
  new Uint8Array([...file.subarray(0, at), ...extra, ...file.subarray(at)])

const emptyTexts = (count: number) => Array.from({ length: count }, () => pngChunk('tEXt'))
const tile = { type: 'av01', data: av1Header(SIZE) }
const side = (pixels: number) => (pixels - 1).toString(2).padStart(16, '0')
/** A sequence header with sides of 16 bits, then a key frame with a size of its own. */
const av1OwnSize = {
  type: 'av01',
  data: joined(
    av1Unit(1, `${'0'.repeat(29)} 1111 1111 ${side(SIZE.width)} ${side(SIZE.height)} 0 000 0000 0`),
    av1Unit(6, '0 00 1 0 1'),
  ),
}
const gridOf = (tiles: number) =>
  avif({ width: 640, height: 480 }, [
    { type: 'grid', data: new Uint8Array(8) },
    ...Array.from({ length: tiles }, () => tile),
  ])

describe('MEDIA-07 inspectPicture accepts still pictures', () => {
  test.each<[string, StoredPictureKind, Uint8Array, { width: number; height: number }]>([
    ['a photo', 'jpeg', photo('orientation-6.jpg'), { width: 80, height: 120 }],
    ['a progressive JPEG of ten scans', 'jpeg', progressiveJpeg(SIZE, 10), SIZE],
    ['the largest progressive JPEG of ten scans', 'jpeg', progressiveJpeg(LARGEST, 10), LARGEST],
    ['a small JPEG of a hundred scans', 'jpeg', progressiveJpeg(SIZE, 100), SIZE],
    [
      'a JPEG with bytes between its segments',
      'jpeg',
      insertAt(progressiveJpeg(SIZE, 2), 71, [0, 1, 2]),
      SIZE,
    ],
    ['a JPEG without end marker', 'jpeg', progressiveJpeg(SIZE, 2).subarray(0, -2), SIZE],
    [
      'a JPEG with other bytes after its end',
      'jpeg',
      joined(progressiveJpeg(SIZE, 60), new Uint8Array([0, 0xff, 0xda, 0xff, 0xd8, 0])),
      SIZE,
    ],
    ['a PNG with transparency', 'png', photo('transparent.png'), { width: 80, height: 80 }],
    ['the largest PNG of one colour', 'png', png(LARGEST), LARGEST],
    ['a PNG without end', 'png', png(SIZE).subarray(0, -12), SIZE],
    ['a PNG with a colour profile', 'png', photo('display-p3.png'), { width: 96, height: 64 }],
    ['a PNG with 200 KB of XMP', 'png', png(SIZE, pngChunk('iTXt', new Uint8Array(200_000))), SIZE],
    ['a lossy WebP', 'webp', photo('lossy.webp'), { width: 70, height: 50 }],
    ['a WebP with metadata', 'webp', photo('metadata.webp'), { width: 70, height: 50 }],
    ['the largest WebP of one colour', 'webp', webpFile(webpFrame(LARGEST)), LARGEST],
    ['a lossless WebP', 'webp', photo('lossless.webp'), { width: 70, height: 50 }],
    ['a lossy WebP with transparency', 'webp', photo('transparent.webp'), { width: 80, height: 80 }],
    [
      'a WebP of as many tiles as encoders make',
      'webp',
      webpFile(webpTiles(LARGEST, { transform: 4, prefixes: 6 })),
      LARGEST,
    ],
    ['a WebP with a canvas', 'webp', webpFile(webpCanvas(SIZE), webpFrame(SIZE)), SIZE],
    ['an AVIF', 'avif', photo('plain.avif'), { width: 64, height: 48 }],
    ['an AVIF by its parts', 'avif', stillAvif(SIZE), SIZE],
    ['an AVIF of a hundred tiles', 'avif', gridOf(99), { width: 640, height: 480 }],
  ])('%s', (_, kind, file, size) => {
    expect(inspectPicture(file, kind)).toEqual({ ok: true, ...size })
  })
})

describe('MEDIA-07 inspectPicture refuses what would freeze, flash or fill a reader', () => {
  test.each<[string, StoredPictureKind, Uint8Array, PictureFault]>([
    ['a JPEG of more than a hundred scans', 'jpeg', progressiveJpeg(SIZE, 101), 'expensive'],
    ['the largest JPEG of too many scans', 'jpeg', progressiveJpeg(LARGEST, 21), 'expensive'],
    [
      'a JPEG of thousands of comments',
      'jpeg',
      insertAt(progressiveJpeg(SIZE, 2), 2, Array.from({ length: 2_000 }, () => jpegSegment(0xfe)).flat()),
      'expensive',
    ],
    [
      'a JPEG with two headers',
      'jpeg',
      insertAt(progressiveJpeg(SIZE, 2), 2, jpegSegment(0xc0, [8, 0, 9, 0, 9, 1, 1, 0x11, 0])),
      'damaged',
    ],
    ['a JPEG of arithmetic codes', 'jpeg', progressiveJpeg(SIZE, 2).with(2 + 69 + 1, 0xca), 'damaged'],
    [
      'a JPEG with scans in a reserved segment, which decoders find when they search for a restart marker',
      'jpeg',
      new Uint8Array([
        ...progressiveJpeg(SIZE, 2).subarray(0, -2),
        ...jpegSegment(0x02, [0, 0xff, 0xda]),
        0xff,
        0xd9,
      ]),
      'damaged',
    ],
    [
      'a JPEG with another one after its end, which may be a gain map',
      'jpeg',
      joined(progressiveJpeg(SIZE, 2), new Uint8Array([0xff, 0]), progressiveJpeg(LARGEST, 2)),
      'damaged',
    ],
    [
      'a JPEG with a list of pictures, which may be in a segment',
      'jpeg',
      insertAt(progressiveJpeg(SIZE, 2), 2, jpegSegment(0xe2, [...Buffer.from('MPF\0MM')])),
      'damaged',
    ],
    ['a PNG with a gain map', 'png', png(SIZE, pngChunk('gdAT', png(LARGEST))), 'damaged'],
    ['a JPEG without scans', 'jpeg', progressiveJpeg(SIZE, 2).subarray(0, 90), 'damaged'],
    ['a JPEG of 144 megapixels', 'jpeg', photo('claims-144-megapixels.jpg'), 'too-large'],
    ['an animated PNG', 'png', animatedPng(SIZE), 'animated'],
    ['a PNG with two headers', 'png', png(SIZE, pngHeader(LARGEST)), 'damaged'],
    [
      'a PNG with too few bytes for its pixels',
      'png',
      pngFile(pngHeader(LARGEST), pngChunk('IDAT', deflateSync(Buffer.alloc(1_000))), pngChunk('IEND')),
      'damaged',
    ],
    [
      'a PNG whose profile expands to 20 MB',
      'png',
      png(SIZE, pngChunk('iCCP', joined(Buffer.from('a\0\0'), deflateSync(Buffer.alloc(20_000_000))))),
      'expensive',
    ],
    [
      'a PNG of large compressed texts',
      'png',
      png(SIZE, ...Array.from({ length: 3 }, () => pngChunk('zTXt', new Uint8Array(100_000)))),
      'expensive',
    ],
    ['a PNG of thousands of texts', 'png', png(SIZE, ...emptyTexts(5_000)), 'expensive'],
    ['a PNG that is cut off', 'png', png(SIZE).subarray(0, -20), 'damaged'],
    ['a PNG of 17 megapixels', 'png', png({ width: 4_097, height: 4_096 }), 'too-large'],
    ['an animated WebP', 'webp', animatedWebp(SIZE), 'animated'],
    [
      'frames of an animation in a WebP that denies it',
      'webp',
      webpFile(webpCanvas(SIZE), webpFrame(SIZE), webpChunk('ANMF', [])),
      'animated',
    ],
    [
      'a WebP whose frame is larger than its canvas',
      'webp',
      webpFile(webpCanvas(SIZE), webpFrame(LARGEST)),
      'damaged',
    ],
    ['a WebP of two frames', 'webp', webpFile(webpFrame(SIZE), webpFrame(SIZE)), 'damaged'],
    [
      'a WebP of thousands of chunks',
      'webp',
      webpFile(webpFrame(SIZE), ...Array.from({ length: 1_000 }, () => webpChunk('XMP ', []))),
      'expensive',
    ],
    [
      'a WebP of 65,536 tiles with own prefix codes',
      'webp',
      webpFile(webpTiles({ width: 1_024, height: 1_024 }, { transform: 9, prefixes: 2 })),
      'expensive',
    ],
    [
      'a WebP whose transparency has as many',
      'webp',
      webpFile(webpCanvas(LARGEST, 0x10), webpAlpha({ prefixes: 2 }), webpFrame(LARGEST)),
      'expensive',
    ],
    ...([0, 1] as const).map((kind): [string, StoredPictureKind, Uint8Array, PictureFault] => [
      `a WebP of a million transformed tiles of the kind ${kind}`,
      'webp',
      webpFile(webpTiles(LARGEST, { transform: 2, kind })),
      'expensive',
    ]),
    [
      'a WebP that repeats a transform',
      'webp',
      webpFile(webpTiles(SIZE, { transform: 4, repeatsTransform: true })),
      'damaged',
    ],
    ...[0, 12, 15].map((cache): [string, StoredPictureKind, Uint8Array, PictureFault] => [
      `a WebP whose colour cache has a size of 2^${cache}, which no decoder takes`,
      'webp',
      webpFile(webpTiles(SIZE, { transform: 4, cache })),
      'damaged',
    ]),
    ['a WebP that is cut off', 'webp', photo('lossy.webp').subarray(0, -10), 'damaged'],
    [
      'a WebP of two alpha planes',
      'webp',
      webpFile(webpCanvas(SIZE, 0x10), webpAlpha({}), webpAlpha({}), webpFrame(SIZE)),
      'damaged',
    ],
    ['an AVIF of two lists', 'avif', joined(stillAvif(SIZE), box('meta', [0, 0, 0, 0])), 'damaged'],
    [
      'an AVIF of many sequence headers',
      'avif',
      avif(SIZE, [{ type: 'av01', data: joined(...Array.from({ length: 5 }, () => av1Header(SIZE))) }]),
      'damaged',
    ],
    [
      'an AVIF of thousands of brands',
      'avif',
      avif(SIZE, [tile], Array<string>(1_000).fill('avif')),
      'damaged',
    ],
    ['an AVIF sequence by its brand', 'avif', avif(SIZE, [tile], ['avis', 'avif', 'mif1']), 'animated'],
    ['an AVIF sequence by its tracks', 'avif', joined(stillAvif(SIZE), box('moov')), 'animated'],
    ['an AVIF whose coded image is larger than it says', 'avif', stillAvif(SIZE, LARGEST), 'damaged'],
    ['an AVIF whose frame gives itself another size', 'avif', avif(SIZE, [av1OwnSize]), 'damaged'],
    ['an AVIF of many hidden frames', 'avif', stillAvif(SIZE, SIZE, 5), 'expensive'],
    ['an AVIF of too many tiles', 'avif', gridOf(100), 'expensive'],
    [
      'an AVIF whose tiles have more pixels than it',
      'avif',
      avif(SIZE, [{ type: 'grid', data: new Uint8Array(8) }, ...Array.from({ length: 5 }, () => tile)]),
      'expensive',
    ],
    ['an AVIF without coded image', 'avif', avif(SIZE, [{ type: 'av01', data: av1Frame }]), 'damaged'],
    ['another kind than it should be', 'webp', png(SIZE), 'damaged'],
    [
      'more bytes than a column may refer to',
      'png',
      joined(png(SIZE), new Uint8Array(PICTURE_BYTES)),
      'too-large',
    ],
  ])('%s', (_, kind, file, fault) => {
    expect(inspectPicture(file, kind)).toEqual({ ok: false, fault })
  })
})

test('MEDIA-07 fitsUse compares the longest side and the pixels with the use', () => {
  const { side, pixels } = PICTURE_USE.grid
  expect(fitsUse({ width: 1_024, height: 1_024 }, 'avatar')).toBe(true)
  expect(fitsUse({ width: 1_025, height: 8 }, 'avatar')).toBe(false)
  expect(fitsUse({ width: side, height: Math.floor(pixels / side) }, 'grid')).toBe(true)
  expect(fitsUse({ width: Math.ceil(pixels / 1_000), height: 1_001 }, 'grid')).toBe(false)
})

describe('MEDIA-07 inspectPicture never throws', () => {
  const samples: [StoredPictureKind, Uint8Array][] = [
    ['jpeg', progressiveJpeg(SIZE, 4)],
    ['png', png(SIZE)],
    ['webp', webpFile(webpCanvas(SIZE), webpFrame(SIZE))],
    ['webp', photo('lossless.webp')],
    ['webp', photo('transparent.webp')],
    ['avif', photo('plain.avif')],
    ['avif', gridOf(3)],
  ]
  test.each(samples)('on damaged %s', (kind, file) => {
    const changes = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
    const cuts = fc.option(fc.nat(file.length))
    fc.assert(
      fc.property(changes, cuts, (bytes, cut) => {
        const damaged = bytes.reduce((copy, [at, value]) => copy.with(at, value), file)
        const found = inspectPicture(damaged.subarray(0, cut ?? undefined), kind)
        return found.ok ? found.width * found.height > 0 : found.fault.length > 0
      }),
      { numRuns: 2_000 },
    )
  })
})
