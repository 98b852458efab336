import { describe, expect, test } from 'vitest'
import { BROKEN_PICTURE, withSafePictures } from '#/renderer/lib/media/stored-pictures'
import { unwrap } from '#/renderer/lib/supabase'
import { bytes, photo } from './files'

const toUrl = (data: Uint8Array, type = 'png') =>
  `data:image/${type};base64,${Buffer.from(data).toString('base64')}`

const side = (pixels: number) => pixels.toString(16).padStart(8, '0')
/** A PNG as far as its header goes; what follows is of no matter. */
const png = (width: number, height: number) =>
  toUrl(bytes(`89 'PNG' 0d0a1a0a 0000000d 'IHDR' ${side(width)} ${side(height)} 08 02 000000`))

const BOMB = png(20_000, 20_000)
const SMALL = toUrl(photo('pixel.png'))

describe('pictures that would not fit into memory are never decoded', () => {
  test.each([
    ['avatar_url', null],
    ['thumbnail_url', null],
    ['image_url', BROKEN_PICTURE],
    ['media_url', BROKEN_PICTURE],
  ])('a bomb in %s', (column, instead) => {
    expect(withSafePictures([{ id: 'a', [column]: BOMB }])).toEqual([{ id: 'a', [column]: instead }])
    expect(withSafePictures([{ id: 'a', [column]: SMALL }])).toEqual([{ id: 'a', [column]: SMALL }])
  })

  test('is found wherever an answer has it', async () => {
    const data = [{ author: { avatar_url: BOMB, username: 'mara' }, posts: [{ thumbnail_url: BOMB }] }]
    await expect(unwrap(Promise.resolve({ data, error: null }))).resolves.toEqual([
      { author: { avatar_url: null, username: 'mara' }, posts: [{ thumbnail_url: null }] },
    ])
  })

  test('what is shown small and often may be less large than what is shown by itself', () => {
    const picture = png(4_096, 4_096)
    expect(withSafePictures({ image_url: picture, media_url: png(8_000, 8_000) })).toEqual({
      image_url: picture,
      media_url: png(8_000, 8_000),
    })
    expect(withSafePictures({ avatar_url: picture, thumbnail_url: png(1_025, 1_024) })).toEqual({
      avatar_url: null,
      thumbnail_url: null,
    })
    expect(withSafePictures({ image_url: png(4_097, 4_096) })).toEqual({ image_url: BROKEN_PICTURE })
  })

  test('a JPEG whose size comes after long notes is read to there', () => {
    const notes = `ffe1 fffd ${'00'.repeat(65_531)}`
    const jpeg = (width: string, height: string) =>
      toUrl(bytes(`ffd8 ${notes} ffc0 0011 08 ${height} ${width} 03`), 'jpeg')
    const fine = jpeg('0400', '0300')
    expect(withSafePictures({ image_url: fine })).toEqual({ image_url: fine })
    expect(withSafePictures({ image_url: jpeg('ffff', 'ffff') })).toEqual({ image_url: BROKEN_PICTURE })
  })

  test.each([
    ['another kind than the database takes', toUrl(photo('plain.bmp'))],
    ['nothing that is known', 'data:image/png;base64,AAAA'],
    ['no base64', `${SMALL.slice(0, 40)}%41${SMALL.slice(40)}`],
    ['a header that is cut off', toUrl(bytes("89 'PNG' 0d0a1a0a 0000000d 'IHDR' 0000"))],
  ])('%s is not shown either', (_, image_url) => {
    expect(withSafePictures({ image_url })).toEqual({ image_url: BROKEN_PICTURE })
  })

  test('a WebP and a JPEG of this app stay as they are; videos and other texts are not looked at', () => {
    const rows = {
      image_url: toUrl(photo('lossy.webp'), 'webp'),
      thumbnail_url: toUrl(photo('orientation-1.jpg'), 'jpeg'),
      media_url: 'data:video/mp4;base64,AAAA',
      content: BOMB,
      avatar_url: null,
    }
    expect(withSafePictures({ ...rows })).toEqual(rows)
  })
})
