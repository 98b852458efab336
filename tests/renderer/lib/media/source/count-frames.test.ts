import { expect, test } from 'vitest'
import { inspectPicture } from '#/renderer/lib/media/source/check-source'
import { hasTooManyFrames } from '#/renderer/lib/media/source/count-frames'
import { animatedPng, animatedWebp, png } from '#tests/picture-files'
import { bytes, photo } from '#tests/renderer/lib/media/files'

const MOST = 10_000
const SIZE = { width: 8, height: 8 }

const repeated = (part: Uint8Array, times: number) =>
  new Uint8Array(part.length * times).map((_, at) => part[at % part.length] ?? 0)
const joined = (...parts: Uint8Array[]) => new Uint8Array(parts.flatMap((part) => [...part]))

const GIF_HEAD = bytes("'GIF89a' 0100 0100 80 00 00 000000 ffffff")
const GIF_FRAME = bytes('21f904 00000000 00 2c 0000 0000 0100 0100 00 02 02 4401 00')
const PNG_FRAME = bytes(
  "0000001a 'fcTL' 00000000 00000001 00000001 00000000 00000000 0001 000a 00 00 00000000",
)
const WEBP_HEAD = bytes("'RIFF' 00000000 'WEBP'")
const WEBP_FRAME = bytes("'ANMF' 03000000 000000 00")

test.each([
  ['gif', (frames: number) => joined(GIF_HEAD, repeated(GIF_FRAME, frames))],
  ['png', (frames: number) => joined(png(SIZE).subarray(0, 33), repeated(PNG_FRAME, frames))],
  ['webp', (frames: number) => joined(WEBP_HEAD, repeated(WEBP_FRAME, frames))],
] as const)('CREATE-05 a %s may have ten thousand frames and no more', (kind, file) => {
  expect(hasTooManyFrames(file(MOST), kind)).toBe(false)
  expect(hasTooManyFrames(file(MOST + 1), kind)).toBe(true)
})

test('CREATE-05 real animations, stills and damaged files are not refused for their frames', () => {
  expect(hasTooManyFrames(animatedPng(SIZE), 'png')).toBe(false)
  expect(hasTooManyFrames(animatedWebp(SIZE), 'webp')).toBe(false)
  expect(hasTooManyFrames(photo('plain.avif'), 'avif')).toBe(false)
  expect(hasTooManyFrames(GIF_HEAD, 'gif')).toBe(false)
})

test('CREATE-05 a chosen file with more frames is refused before it is decoded', () => {
  const file = joined(GIF_HEAD, repeated(GIF_FRAME, MOST + 1))
  expect(() => inspectPicture(file)).toThrow(expect.objectContaining({ code: 'slow' }))
})
