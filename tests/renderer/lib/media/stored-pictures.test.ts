import { describe, expect, test } from 'vitest'
import { BROKEN_PICTURE, withSafePictures } from '#/renderer/lib/media/stored-pictures'
import { unwrap } from '#/renderer/lib/supabase'
import { bytes, photo } from './files'

const toUrl = (data: Uint8Array, type = 'png') =>
  `data:image/${type};base64,${Buffer.from(data).toString('base64')}`

const side = (pixels: number) => pixels.toString(16).padStart(8, '0')
/** The header of a PNG; the rest is not read. */
const png = (width: number, height: number) =>
  toUrl(bytes(`89 'PNG' 0d0a1a0a 0000000d 'IHDR' ${side(width)} ${side(height)} 08 02 000000`))

const BOMB = png(20_000, 20_000)
const SMALL = toUrl(photo('pixel.png'))

describe('withSafePictures', () => {
  test.each([
    ['avatar_url', null],
    ['thumbnail_url', null],
    ['image_url', BROKEN_PICTURE],
    ['media_url', BROKEN_PICTURE],
  ])('replaces a picture with too many pixels in %s', async (column, instead) => {
    expect(await withSafePictures([{ id: 'a', [column]: BOMB }])).toEqual([{ id: 'a', [column]: instead }])
    expect(await withSafePictures([{ id: 'a', [column]: SMALL }])).toEqual([{ id: 'a', [column]: SMALL }])
  })

  test('finds pictures at every depth of a response', async () => {
    const data = [{ author: { avatar_url: BOMB, username: 'mara' }, posts: [{ thumbnail_url: BOMB }] }]
    await expect(unwrap(Promise.resolve({ data, error: null }))).resolves.toEqual([
      { author: { avatar_url: null, username: 'mara' }, posts: [{ thumbnail_url: null }] },
    ])
  })

  test('allows fewer pixels for avatars and thumbnails than for full pictures', async () => {
    const picture = png(4_096, 4_096)
    expect(await withSafePictures({ image_url: picture, media_url: png(8_000, 8_000) })).toEqual({
      image_url: picture,
      media_url: png(8_000, 8_000),
    })
    expect(await withSafePictures({ avatar_url: picture, thumbnail_url: png(1_025, 1_024) })).toEqual({
      avatar_url: null,
      thumbnail_url: null,
    })
    expect(await withSafePictures({ image_url: png(4_097, 4_096) })).toEqual({ image_url: BROKEN_PICTURE })
  })

  test('reads the size of a JPEG behind long metadata', async () => {
    const metadata = `ffe1 fffd ${'00'.repeat(65_531)}`
    const jpeg = (width: string, height: string) =>
      toUrl(bytes(`ffd8 ${metadata} ffc0 0011 08 ${height} ${width} 03`), 'jpeg')
    const small = jpeg('0400', '0300')
    expect(await withSafePictures({ image_url: small })).toEqual({ image_url: small })
    expect(await withSafePictures({ image_url: jpeg('ffff', 'ffff') })).toEqual({ image_url: BROKEN_PICTURE })
  })

  test.each([
    ['a format that the database does not accept', toUrl(photo('plain.bmp'))],
    ['an unknown format', 'data:image/png;base64,AAAA'],
    ['invalid base64', `${SMALL.slice(0, 40)}%41${SMALL.slice(40)}`],
    ['a truncated header', toUrl(bytes("89 'PNG' 0d0a1a0a 0000000d 'IHDR' 0000"))],
  ])('replaces a picture with %s', async (_, image_url) => {
    expect(await withSafePictures({ image_url })).toEqual({ image_url: BROKEN_PICTURE })
  })

  test('keeps WebP and JPEG pictures, videos and other columns unchanged', async () => {
    const rows = {
      image_url: toUrl(photo('lossy.webp'), 'webp'),
      thumbnail_url: toUrl(photo('orientation-1.jpg'), 'jpeg'),
      media_url: 'data:video/mp4;base64,AAAA',
      content: BOMB,
      avatar_url: null,
    }
    expect(await withSafePictures({ ...rows })).toEqual(rows)
  })
})
