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

  test('a file without a program, and one that ends in it, is left as it is', async () => {
    const whole = await read('layer-two.mpegts')
    for (const content of [new Uint8Array(188 * 10).fill(0x47), whole.subarray(0, 188 * 2 + 20)]) {
      const transport = await readableTransport(new Blob([content]))
      expect(transport).toEqual({ unreadTypes: [], hasOtherSound: false, hasOtherPictures: false })
    }
  })
})
