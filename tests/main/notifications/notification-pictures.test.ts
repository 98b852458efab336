import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NativeImage } from 'electron'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNotificationPictures } from '#/main/notifications/notification-pictures'
import { recordingLog } from '../support/recording-log'

let folder: string
let decoded: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-pictures-'))
  decoded = 0
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** The header of a PNG of this size. */
function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

const urlOf = (bytes: Buffer, type = 'png') => `data:image/${type};base64,${bytes.toString('base64')}`

function createTestPictures(path: string, isEmpty = false) {
  const log = recordingLog()
  const pictures = createNotificationPictures({
    folder: path,
    decode: (bytes) => {
      decoded += 1
      return {
        isEmpty: () => isEmpty,
        resize: (size: object) => ({ size, toPNG: () => bytes }),
      } as unknown as NativeImage
    },
    log,
  })
  return { pictures, log }
}

describe('DESK-10 the sender’s picture', () => {
  test('is scaled to 96 × 96 pixels', () => {
    const { pictures } = createTestPictures(folder)
    expect(pictures.image(urlOf(png(256, 256)))).toMatchObject({ size: { width: 96, height: 96 } })
  })

  test.each([
    ['no picture', undefined],
    ['an address', 'https://example.com/a.png'],
    ['another format', urlOf(png(96, 96), 'jpeg')],
    ['data that is not a PNG', urlOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
    ['a PNG with few bytes and many pixels', urlOf(png(60_000, 60_000))],
    ['a PNG with one very long row', urlOf(png(1, 257))],
    ['a PNG without pixels', urlOf(png(0, 96))],
    ['a truncated PNG', urlOf(png(96, 96).subarray(0, 20))],
  ])('does not decode %s', (_what, url) => {
    expect(createTestPictures(folder).pictures.image(url)).toBeNull()
    expect(decoded).toBe(0)
  })

  test('omits a picture that cannot be decoded', () => {
    expect(createTestPictures(folder, true).pictures.image(urlOf(png(96, 96)))).toBeNull()
  })

  test('is written once per sender and deleted with the others', async () => {
    const path = join(folder, 'pictures')
    const { pictures, log } = createTestPictures(path)
    const image = pictures.image(urlOf(png(96, 96)))
    if (image === null) throw new Error('no image')
    const url = await pictures.write(image)
    expect(await pictures.write(image)).toBe(url)
    expect(await readdir(path)).toHaveLength(1)
    expect(await readFile(fileURLToPath(url ?? ''))).toEqual(png(96, 96))
    await pictures.clear()
    await pictures.clear()
    expect(await readdir(folder)).toEqual([])
    expect(log.lines).toEqual([])
  })

  test('omits and logs a picture that cannot be written', async () => {
    const path = join(folder, 'file')
    await writeFile(path, '')
    const { pictures, log } = createTestPictures(path)
    const image = pictures.image(urlOf(png(96, 96)))
    expect(image && (await pictures.write(image))).toBeNull()
    expect(log.lines.join()).toContain('warn could not write a notification picture')
  })
})
