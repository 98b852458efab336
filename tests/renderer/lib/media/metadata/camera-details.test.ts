import { deflateSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { CAMERA_FIELDS, cameraFacts, cameraLine } from '#/renderer/lib/content/camera'
import { readCameraDetails } from '#/renderer/lib/media/metadata/camera-details'
import { lightTable } from '#/renderer/lib/texts/later/light-table'
import { pngChunk, pngFile } from '#tests/picture-files'
import { photo } from '#tests/renderer/lib/media/files'

type Entry = readonly [tag: number, value: string | number | readonly [number, number]]

/** A TIFF block with a main directory and one for EXIF, in either byte order. */
function tiff(main: readonly Entry[], exif: readonly Entry[], isLittle = true): Buffer {
  const number = (value: number, bytes: 2 | 4) => {
    const buffer = Buffer.alloc(bytes)
    if (bytes === 2) isLittle ? buffer.writeUInt16LE(value) : buffer.writeUInt16BE(value)
    else isLittle ? buffer.writeUInt32LE(value) : buffer.writeUInt32BE(value)
    return buffer
  }
  const directory = (entries: readonly Entry[], at: number): Buffer => {
    let dataAt = at + 2 + entries.length * 12 + 4
    const data: Buffer[] = []
    const rows = entries.map(([tag, value]) => {
      if (typeof value === 'number') {
        const isPointer = tag === 0x8769
        const field = isPointer ? number(value, 4) : Buffer.concat([number(value, 2), Buffer.alloc(2)])
        return Buffer.concat([number(tag, 2), number(isPointer ? 4 : 3, 2), number(1, 4), field])
      }
      const isText = typeof value === 'string'
      const content = isText
        ? Buffer.from(`${value}\0`)
        : Buffer.concat([number(value[0], 4), number(value[1], 4)])
      const head = [number(tag, 2), number(isText ? 2 : 5, 2), number(isText ? content.length : 1, 4)]
      if (content.length <= 4) return Buffer.concat([...head, content, Buffer.alloc(4 - content.length)])
      const row = Buffer.concat([...head, number(dataAt, 4)])
      data.push(content)
      dataAt += content.length
      return row
    })
    return Buffer.concat([number(entries.length, 2), ...rows, Buffer.alloc(4), ...data])
  }
  const header = Buffer.concat([Buffer.from(isLittle ? 'II' : 'MM'), number(42, 2), number(8, 4)])
  const first = directory([...main, [0x8769, 0]], 8)
  const exifAt = header.length + first.length
  return Buffer.concat([header, directory([...main, [0x8769, exifAt]], 8), directory(exif, exifAt)])
}

function jpeg(block: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), block])
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 4)
  return Buffer.concat([head, body, Buffer.from([0xff, 0xda])])
}

function chunk(name: string, body: Buffer, isLittle: boolean): Buffer {
  const length = Buffer.alloc(4)
  isLittle ? length.writeUInt32LE(body.length) : length.writeUInt32BE(body.length)
  return isLittle
    ? Buffer.concat([Buffer.from(name), length, body, Buffer.alloc(body.length % 2)])
    : Buffer.concat([length, Buffer.from(name), body, Buffer.alloc(4)])
}

const webp = (block: Buffer) =>
  Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WEBP'),
    chunk('VP8X', Buffer.alloc(10), true),
    chunk('EXIF', block, true),
  ])
const png = (block: Buffer) =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.alloc(13), false),
    chunk('eXIf', block, false),
  ])

/** A PNG with compressed texts of ImageMagick's name for EXIF. */
const pngWithTexts = (...texts: string[]) =>
  pngFile(
    pngChunk('IHDR', new Uint8Array(13)),
    ...texts.map((text) =>
      pngChunk('zTXt', Buffer.concat([Buffer.from('Raw profile type exif\0\0'), deflateSync(text)])),
    ),
  )

const read = (file: Uint8Array) => readCameraDetails(new Blob([new Uint8Array(file)]))

const MAIN: readonly Entry[] = [
  [0x010f, 'NIKON CORPORATION'],
  [0x0110, 'NIKON Z 6'],
]
const EXIF: readonly Entry[] = [
  [0x829a, [1, 250]],
  [0x829d, [28, 10]],
  [0x8827, 400],
  [0x9209, 16],
  [0x920a, [50, 1]],
  [0xa434, 'NIKKOR Z 50mm f/1.8 S'],
]
const DETAILS = {
  camera: 'NIKON Z 6',
  lens: 'NIKKOR Z 50mm f/1.8 S',
  focal_length: '50 mm',
  aperture: 'f/2.8',
  exposure_time: '1/250 s',
  iso: 'ISO 400',
  flash: 'No flash',
}

describe('CREATE-09 the camera details of a file', () => {
  test.each([
    ['a JPEG', jpeg(tiff(MAIN, EXIF))],
    ['a JPEG of the other byte order', jpeg(tiff(MAIN, EXIF, false))],
    ['a WebP', webp(tiff(MAIN, EXIF))],
    ['a WebP with the prefix of a JPEG', webp(Buffer.concat([Buffer.from('Exif\0\0'), tiff(MAIN, EXIF)]))],
    ['a PNG', png(tiff(MAIN, EXIF))],
  ])('are read from %s', async (_, file) => {
    expect(await read(file)).toEqual(DETAILS)
  })

  test('are written as cameras show them', async () => {
    const exif = (...entries: Entry[]) => read(jpeg(tiff([], entries)))
    expect(await exif([0x829a, [10, 4]])).toEqual({ exposure_time: '2.5 s' })
    expect(await exif([0x829a, [1, 8000]])).toEqual({ exposure_time: '1/8000 s' })
    expect(await exif([0x9209, 25])).toEqual({ flash: 'Flash' })
    expect(await exif([0x829d, [8, 1]])).toEqual({ aperture: 'f/8' })
    const named = (...entries: Entry[]) => read(jpeg(tiff(entries, [])))
    expect(await named([0x010f, 'FUJIFILM'], [0x0110, 'X100V'])).toEqual({ camera: 'FUJIFILM X100V' })
    expect(await named([0x0110, ' X100V  \n ii '])).toEqual({ camera: 'X100V ii' })
    expect(await named([0x010f, 'FUJIFILM'])).toEqual({})
  })

  test('never include a location or a serial number, and are found beside them', async () => {
    const details = await read(photo('orientation-6.jpg'))
    expect(details).toEqual({ camera: 'Vignette Test Camera' })
    const serial = '6012345'
    const hidden: Entry[] = [
      [0xa431, serial],
      [0xa435, serial],
      [0xa430, 'Ada Owner'],
      [0x9286, 'a note'],
    ]
    const found = await read(
      jpeg(tiff([...MAIN, [0xc62f, serial], [0x013b, 'Ada Owner']], [...EXIF, ...hidden])),
    )
    expect(found).toEqual(DETAILS)
  })

  test('are left out if they say nothing, and cut if they are long', async () => {
    expect(
      await read(
        jpeg(
          tiff(
            [[0x0110, '  ']],
            [
              [0x829d, [1, 0]],
              [0x829a, [0, 1]],
              [0x920a, [4e9, 1]],
            ],
          ),
        ),
      ),
    ).toEqual({})
    const { camera = '' } = await read(jpeg(tiff([[0x0110, 'x'.repeat(900)]], [])))
    expect(camera).toHaveLength(100)
  })

  test('are empty for files without them, and for files that cannot be read', async () => {
    for (const name of ['pixel.png', 'lossy.webp', 'animated.gif', 'notes.jpg', 'empty.jpg'])
      expect(await read(photo(name))).toEqual({})
    const unreadable = { slice: () => ({ arrayBuffer: () => Promise.reject(new Error('a folder')) }) }
    expect(await readCameraDetails(unreadable as unknown as Blob)).toEqual({})
  })

  test('of files that were made to take hours are nothing', async () => {
    expect(await read(pngWithTexts(`a 1${' '.repeat(999_000)}x`))).toEqual({})
    const full = `a 1 ${'0'.repeat(999_000)}`
    expect(await read(pngWithTexts(...Array<string>(400).fill(full)))).toEqual({})
  })

  test('of damaged or hostile files are short texts or nothing', async () => {
    const files = [jpeg(tiff(MAIN, EXIF)), webp(tiff(MAIN, EXIF, false)), png(tiff(MAIN, EXIF))]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.nat(400),
        fc.array(fc.tuple(fc.nat(399), fc.nat(255)), { maxLength: 12 }),
        async (file, length, changes) => {
          const damaged = Buffer.from(file.subarray(0, Math.max(16, length)))
          for (const [at, value] of changes) if (at >= 16 && at < damaged.length) damaged[at] = value
          const details = await read(damaged)
          for (const [field, text] of Object.entries(details)) {
            expect(CAMERA_FIELDS).toContain(field)
            expect(text.trim()).not.toBe('')
            expect(Array.from(text).length).toBeLessThanOrEqual(100)
          }
        },
      ),
      { numRuns: 400 },
    )
  })
})

test('CREATE-09 stored details are one line, in their order, with units beside their numbers, whatever the server sends', () => {
  expect(cameraLine({ film: 'Portra 400', camera: 'NIKON Z 6', aperture: 'f/2.8' })).toBe(
    'NIKON Z 6\u00a0· f/2.8\u00a0· Portra 400',
  )
  expect(cameraLine({ iso: 'ISO 400', exposure_time: '1/250 s' })).toBe('1/250\u00a0s\u00a0· ISO\u00a0400')
  for (const nothing of [null, undefined, 'NIKON', [], { serial_number: '1' }, { camera: 6 }])
    expect(cameraLine(nothing)).toBe('')
})

test('CREATE-09 the light table shows stored details as small facts, exposure time and aperture together', () => {
  const camera = {
    film: 'HP5',
    camera: 'Fujifilm X-T5',
    lens: 'XF 50–140 mm',
    focal_length: '90 mm',
    aperture: 'f/8',
    exposure_time: '1/250 s',
    iso: 'ISO 160',
    flash: 'Flash',
    serial_number: '1',
  }
  expect(cameraFacts(camera).map(({ name, text }) => [lightTable.facts[name], text])).toEqual([
    ['Camera', 'Fujifilm X-T5'],
    ['Lens', 'XF 50–140 mm'],
    ['Focal length', '90\u00a0mm'],
    ['Exposure', '1/250\u00a0s\u00a0· f/8'],
    ['ISO', '160'],
    ['Flash', 'Flash'],
    ['Film', 'HP5'],
  ])
  for (const nothing of [null, 'NIKON', [], { camera: 6 }]) expect(cameraFacts(nothing)).toEqual([])
})

test('CREATE-09 the compressed texts of a PNG are given to the decompressor in small parts: each may become a thousand times as long', async () => {
  const sizes: number[] = []
  class Watched extends DecompressionStream {
    override readonly writable: WritableStream<BufferSource>
    constructor(format: CompressionFormat) {
      super(format)
      const writer = super.writable.getWriter()
      this.writable = new WritableStream({
        write: (part) => {
          sizes.push(part.byteLength)
          return writer.write(part)
        },
        close: () => writer.close(),
        abort: (reason) => writer.abort(reason),
      })
    }
  }
  vi.stubGlobal('DecompressionStream', Watched)
  await read(pngWithTexts('\n'.repeat(20_000_000)))
  vi.unstubAllGlobals()
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1_024)
})

test('CREATE-09 EXIF is looked for among the first ten thousand parts of a file', async () => {
  const block = tiff(MAIN, EXIF)
  const after = {
    png: (parts: number) =>
      pngFile(
        pngChunk('IHDR', new Uint8Array(13)),
        ...Array.from({ length: parts }, () => pngChunk('tEXt', new Uint8Array())),
        pngChunk('eXIf', block),
      ),
    webp: (parts: number) => {
      const small = Buffer.alloc(8 * parts, Buffer.from('abcd\0\0\0\0', 'latin1'))
      return Buffer.concat([webp(Buffer.alloc(0)).subarray(0, 30), small, chunk('EXIF', block, true)])
    },
  }
  for (const [kind, make] of Object.entries(after)) {
    expect([kind, await read(make(9_000))]).toEqual([kind, DETAILS])
    expect([kind, await read(make(10_000))]).toEqual([kind, {}])
  }
})
