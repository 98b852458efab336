import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { readableTransport } from '#/renderer/lib/media/transport-stream'
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

  test('sound of layer II loses its type, and nothing else changes', async () => {
    const file = new Uint8Array(await read('layer-two.mpegts'))
    const { source } = await readableTransport(new Blob([file]))
    const changed = new Uint8Array(await source.arrayBuffer())
    const places = [...file.keys()].filter((at) => file[at] !== changed[at])
    expect(places.map((at) => [file[at], changed[at]])).toEqual([[0x03, 0]])
    expect(changed.length).toBe(file.length)
  })

  test('a file without a program, and one that ends in it, is left as it is', async () => {
    const whole = await read('layer-two.mpegts')
    for (const content of [new Uint8Array(188 * 10).fill(0x47), whole.subarray(0, 188 * 2 + 20)]) {
      const source = new Blob([content])
      const transport = await readableTransport(source)
      expect(transport).toEqual({ source, hasOtherSound: false, hasOtherPictures: false })
    }
  })
})
