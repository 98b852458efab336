import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { readableTransport } from '#/renderer/lib/media/video-file/transport-stream'
import { videoPath } from '#tests/e2e/fixtures/videos'

const read = (name: string) => readFile(videoPath(`kinds/${name}`))

describe('STORY-08 what a transport stream has besides what is read', () => {
  test.each([
    ['clip.mpegts', { hasOtherSound: false, hasOtherPictures: false }],
    ['camera.m2ts', { hasOtherSound: false, hasOtherPictures: false }],
    ['layer-two.mpegts', { hasOtherSound: true, hasOtherPictures: false }],
    ['mpeg-2.mpegts', { hasOtherSound: true, hasOtherPictures: true }],
  ])('%s', async (name, expected) => {
    expect(await readableTransport(new Blob([await read(name)]))).toMatchObject(expected)
  })

  test('the type of sound of layer II is not read', async () => {
    const file = await read('layer-two.mpegts')
    const { unreadTypes } = await readableTransport(new Blob([file]))
    expect(unreadTypes.map((at) => file[at])).toEqual([0x03])
  })

  test.each([
    ['in one packet', 0],
    ['in several', 20],
  ])('of a program with thirty streams %s, the first are read', async (_, descriptorBytes) => {
    const stream = [
      0x1b,
      0xe1,
      0x00,
      0xf0,
      descriptorBytes,
      ...Array.from({ length: descriptorBytes }, () => 5),
    ]
    const table = [
      ...[0, 0, 1, 0xc1, 0, 0, 0xe1, 0x00, 0xf0, 0],
      ...Array.from({ length: 30 }, () => stream).flat(),
      ...[0, 0, 0, 0],
    ]
    const section = [0, 2, 0xb0 | ((table.length - 1) >> 8), (table.length - 1) & 255, ...table.slice(1)]
    const packets = Array.from({ length: Math.max(10, Math.ceil(section.length / 184)) }, (_none, index) => {
      const content = section.slice(index * 184, (index + 1) * 184)
      return [0x47, index === 0 ? 0x41 : 0x01, 0, 0x10, ...content, ...Array(184 - content.length).fill(0xff)]
    })
    const file = new Uint8Array(packets.flat())
    const { unreadTypes } = await readableTransport(new Blob([file]))
    expect(unreadTypes).toHaveLength(22)
    expect(unreadTypes.every((at) => file[at] === 0x1b)).toBe(true)
  })

  test('a file without a program, and one that ends in it, is left as it is', async () => {
    const whole = await read('layer-two.mpegts')
    for (const content of [new Uint8Array(188 * 10).fill(0x47), whole.subarray(0, 188 * 2 + 20)]) {
      const transport = await readableTransport(new Blob([content]))
      expect(transport).toEqual({ unreadTypes: [], hasOtherSound: false, hasOtherPictures: false })
    }
  })
})
