import { expect, test } from 'vitest'
import { browserSource } from '#/renderer/lib/media/decode/browser-source'
import { photo } from '#tests/renderer/lib/media/files'

/** A PNG of one pixel is enough for what stands between its chunks. */
const chunk = (type: string, bytes = 0) => {
  const part = Buffer.alloc(12 + bytes)
  part.writeUInt32BE(bytes)
  part.write(type, 4, 'latin1')
  return part
}
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const png = (...chunks: Buffer[]) => new Uint8Array(Buffer.concat([SIGNATURE, chunk('IHDR', 13), ...chunks]))

/** The slices that are made of the file, each of which is an object of the browser's process. */
function sourceOf(bytes: Uint8Array<ArrayBuffer>, kind: 'jpeg' | 'png') {
  let slices = 0
  const source = new Blob([bytes])
  const slice = source.slice.bind(source)
  source.slice = (...range) => {
    slices += 1
    return slice(...range)
  }
  return { ...browserSource(source, bytes, kind), slices }
}

test('CREATE-03 EXIF is left out of a PNG, and thousands of pieces side by side as one', async () => {
  const exif = Array.from({ length: 10_000 }, () => chunk('eXIf', 8))
  const { file, slices } = sourceOf(png(...exif, chunk('IDAT', 5), chunk('IEND')), 'png')
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(png(chunk('IDAT', 5), chunk('IEND')))
  expect(slices).toBe(2)
})

test('CREATE-03 a JPEG with thousands of pieces of EXIF is read as one with one', async () => {
  const plain = photo('orientation-1.jpg')
  const exif = Buffer.from('ffe10008457869660000', 'hex')
  const many = [plain.slice(0, 2), ...Array.from({ length: 10_000 }, () => exif), plain.slice(2)]
  const { file, slices } = sourceOf(new Uint8Array(Buffer.concat(many)), 'jpeg')
  const alone = sourceOf(plain, 'jpeg')
  expect(await file.arrayBuffer()).toEqual(await alone.file.arrayBuffer())
  expect(slices).toBeLessThan(5)
})

test('CREATE-03 thousands of pieces between others are refused before a slice is made', () => {
  const pieces = Array.from({ length: 1_000 }, () => [chunk('eXIf', 8), chunk('tEXt', 1)]).flat()
  expect(() => sourceOf(png(...pieces, chunk('IDAT', 5), chunk('IEND')), 'png')).toThrow('broken')
})
