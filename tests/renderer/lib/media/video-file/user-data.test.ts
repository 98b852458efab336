import { describe, expect, test } from 'vitest'
import {
  lengthSizeOf,
  withoutAv1UserData,
  withoutConfiguredAv1UserData,
  withoutConfiguredUserData,
  withoutUserData,
} from '#/renderer/lib/media/video-file/user-data'
import { bytes } from '#tests/renderer/lib/media/files'

/** A packet of units, each after its length in four bytes. */
function packet(...units: string[]): Uint8Array<ArrayBuffer> {
  return bytes(units.map((unit) => `${bytes(unit).length.toString(16).padStart(8, '0')} ${unit}`).join(' '))
}

const clean = (codec: 'avc' | 'hevc', ...units: string[]) => withoutUserData(packet(...units), codec, 4)

describe('STORY-11 messages of the camera inside of the pictures are removed', () => {
  const picture = '65 88 84 00'
  const timing = '06 01 02 0a 0b 80'

  test('from H.264: the date, place and name of a camera, with other messages in the same unit', () => {
    const named = "06 05 05 'Canon' 80"
    const registered = "06 04 03 'abc' 80"
    expect(clean('avc', named, picture)).toEqual(packet(picture))
    expect(clean('avc', '09 f0', registered, timing, picture, named)).toEqual(
      packet('09 f0', timing, picture),
    )
    expect(clean('avc', "06 01 01 00 05 02 'ab' 80", picture)).toEqual(packet(picture))
    expect(clean('avc', named)).toHaveLength(0)
  })

  test('sizes count neither escapes nor end with a byte of 255', () => {
    // A message of three zeros, escaped as 00 00 03 00, and one of 260 bytes come before the free data.
    expect(clean('avc', "06 01 03 00 00 03 00 05 01 'x' 80", picture)).toEqual(packet(picture))
    expect(clean('avc', `06 01 ff 05 ${'11 '.repeat(260)} 05 01 'x' 80`, picture)).toEqual(packet(picture))
    expect(clean('avc', `06 01 ff 05 ${'05 '.repeat(260)} 80`, picture)).toHaveLength(4 + 265 + 4 + 4)
  })

  test('from HEVC, before and after a picture, and from its configuration', () => {
    const frame = '26 01 af'
    expect(clean('hevc', "4e 01 05 01 'x' 80", frame, "50 01 04 01 'x' 80")).toEqual(packet(frame))
    expect(clean('hevc', '4e 01 01 01 00 80', frame)).toEqual(packet('4e 01 01 01 00 80', frame))

    const start = `${'00'.repeat(21)} 03`
    const sets = "a1 0001 0003 'sps'"
    const messages = "a7 0002 0001 'a' 0002 'bc'"
    expect(withoutConfiguredUserData(bytes(`${start} 02 ${messages} ${sets}`), 'hevc')).toEqual(
      bytes(`${start} 01 ${sets}`),
    )
    expect(lengthSizeOf(bytes(`${start} 00`), 'hevc')).toBe(4)
    expect(lengthSizeOf(bytes('01 64 00 0a fd'), 'avc')).toBe(2)
  })

  test('and whatever decoders do not need: unknown units and messages, filling', () => {
    expect(
      clean('avc', "1e 'place'", "0c 'place'", "06 c8 05 'place' 80", "06 03 05 'place' 80", picture),
    ).toEqual(packet(picture))
    expect(clean('hevc', "4c 01 'place'", "7c 01 'place'", "4e 01 88 05 'place' 80", '26 01 af')).toEqual(
      packet('26 01 af'),
    )
  })

  test('from the configuration of H.264: other units, and bytes behind the lists', () => {
    const [sequence, picture] = ["0004 67 'sps'", "0003 68 'pp'"]
    const other = "0006 1e 'place'"
    const colours = 'fd f8 f8'
    // High, High 10, High 4:2:2 and the former High 4:4:4.
    for (const profile of ['64', '6e', '7a', '90'])
      expect(
        withoutConfiguredUserData(
          bytes(
            `01 ${profile} 00 0a ff e2 ${sequence} ${other} 02 ${other} ${picture} ${colours} 01 ${other} 'place'`,
          ),
          'avc',
        ),
      ).toEqual(bytes(`01 ${profile} 00 0a ff e1 ${sequence} 01 ${picture} ${colours} 00`))
    const baseline = `01 42 00 0a ff e1 ${sequence} 01 ${picture}`
    expect(withoutConfiguredUserData(bytes(`${baseline} 'place'`), 'avc')).toEqual(bytes(baseline))
    expect(withoutConfiguredUserData(bytes(`01 64 00 0a ff e1 ${sequence} 01 ${picture}`), 'avc')).toEqual(
      bytes(`01 64 00 0a ff e1 ${sequence} 01 ${picture}`),
    )
    expect(() => withoutConfiguredUserData(bytes('01 64 00 0a ff e1 ffff 67'), 'avc')).toThrow(RangeError)
  })

  test('from AV1: metadata, padding and unknown units, in packets and in the configuration', () => {
    const [sequence, frame] = ['0a 02 00 01', '32 03 aa bb cc']
    const metadata = "2a 06 04 'place'"
    const padding = "7a 05 'place'"
    const long = `2e 00 80 02 ${'11 '.repeat(256)}`
    expect(withoutAv1UserData(bytes(`12 00 ${metadata} ${sequence} ${long} ${frame} ${padding}`))).toEqual(
      bytes(`12 00 ${sequence} ${frame}`),
    )
    expect(withoutAv1UserData(bytes(`${sequence} 30 aa bb`))).toEqual(bytes(`${sequence} 30 aa bb`))
    expect(withoutConfiguredAv1UserData(bytes(`81 08 0c 00 ${sequence} ${metadata}`))).toEqual(
      bytes(`81 08 0c 00 ${sequence}`),
    )
    expect(withoutAv1UserData(bytes('32 ff ff ff ff ff ff ff ff ff 01 aa'))).toHaveLength(12)
  })

  test('damaged packets keep their bytes and end', () => {
    const odd = bytes('00 00 ff ff 65')
    expect(withoutUserData(odd, 'avc', 4)).toEqual(odd)
    expect(clean('avc', '06', '06 ff', '65')).toEqual(packet('06', '06 ff', '65'))
  })
})
