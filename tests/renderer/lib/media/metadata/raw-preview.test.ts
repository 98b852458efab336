import { expect, test } from 'vitest'
import { embeddedJpegs } from '#/renderer/lib/media/metadata/raw-preview'
import { jpegSegment } from '#tests/picture-files'

const START = [0xff, 0xd8]
const preview = ({ width, height }: { width: number; height: number }, components = 3, marker = 0xc0) => [
  ...START,
  ...jpegSegment(0xe1, [...Buffer.from('Exif'), 0xff, 0]),
  ...jpegSegment(marker, [8, height >> 8, height & 255, width >> 8, width & 255, components]),
]

test('CREATE-11 the previews in a RAW file are found, the largest first, without the data of its sensor', () => {
  const small = preview({ width: 160, height: 120 })
  const large = preview({ width: 6000, height: 4000 })
  const sensor = preview({ width: 8000, height: 5000 }, 1, 0xc3)
  const file = Uint8Array.from([73, 73, 42, 0, ...small, 0xff, 0, ...sensor, 0xff, ...large])
  expect(embeddedJpegs(file)).toEqual([
    { start: 4 + small.length + 2 + sensor.length + 1, width: 6000, height: 4000 },
    { start: 4, width: 160, height: 120 },
  ])
})

test('CREATE-11 a RAW file that was made to be searched for minutes has none', () => {
  const file = Buffer.alloc(8_000_000, Uint8Array.of(0xff, 0))
  for (let start = 0; start < 1_000; start += 1) file.set([...START, ...jpegSegment(0xe0)], start * 6)
  expect(embeddedJpegs(file)).toEqual([])
})

test('CREATE-11 of many JPEGs the ten largest are tried: each that is cut off takes seconds', () => {
  const sides = Array.from({ length: 50 }, (_, index) => index + 1)
  const file = new Uint8Array(sides.flatMap((side) => [...preview({ width: side, height: side })]))
  expect(embeddedJpegs(file).map(({ width }) => width)).toEqual([50, 49, 48, 47, 46, 45, 44, 43, 42, 41])
})
