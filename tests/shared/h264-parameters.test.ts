import { readFile } from 'node:fs/promises'
import { BufferSource, EncodedPacketSink, Input, MP4, MPEG_TS, QTFF } from 'mediabunny'
import { describe, expect, test } from 'vitest'
import { bytesOf } from '#/renderer/lib/media/video-file/user-data'
import { isInterlaced } from '#/shared/h264-parameters'
import { videoPath } from '#tests/e2e/fixtures/videos'

async function firstOf(name: string) {
  const source = new BufferSource(new Uint8Array(await readFile(videoPath(`kinds/${name}`))))
  const [track] = await new Input({ source, formats: [MP4, MPEG_TS, QTFF] }).getVideoTracks()
  if (track === undefined) throw new Error('The video has no pictures')
  const packet = await new EncodedPacketSink(track).getFirstPacket()
  const description = (await track.getDecoderConfig())?.description
  return {
    configuration: description === undefined ? null : bytesOf(description),
    packet: packet?.data ?? new Uint8Array(),
  }
}

/** The sequence parameters of a packet of a transport stream. */
function parametersOf(packet: Uint8Array): Uint8Array {
  const at = packet.findIndex((byte, index) => (byte & 0x1f) === 7 && packet[index - 1] === 1)
  const end = packet.findIndex((byte, index) => index > at && byte === 0 && packet[index + 1] === 0)
  return packet.subarray(at, end)
}

describe('STORY-08 interlaced pictures in H.264', () => {
  test.each([
    ['interlaced.mpegts', true],
    ['camera.m2ts', false],
    ['clip.mpegts', false],
    ['clip.mov', false],
    ['clip.3gp', false],
    ['ten-bit.mp4', false],
  ])('%s: %s', async (name, expected) => {
    const { configuration, packet } = await firstOf(name)
    expect(isInterlaced(configuration, packet)).toBe(expected)
  })

  test('are also known by the configuration of an MP4', async () => {
    const sps = parametersOf((await firstOf('interlaced.mpegts')).packet)
    const configuration = Uint8Array.of(1, 0x64, 0, 0x0a, 0xff, 0xe1, 0, sps.length, ...sps)
    expect(isInterlaced(configuration, new Uint8Array())).toBe(true)
  })

  test('a file without parameters has none; damaged ones end the reading', () => {
    expect(isInterlaced(null, Uint8Array.of(0, 0, 0, 1, 9, 16))).toBe(false)
    expect(isInterlaced(Uint8Array.of(1, 0x64, 0, 0x0a, 0xff, 0xe0), new Uint8Array())).toBe(false)
    expect(() => isInterlaced(null, Uint8Array.of(0, 0, 1, 0x67, 0x64, 0, 10))).toThrow(RangeError)
  })
})
