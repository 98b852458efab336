import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { BROKEN_PICTURE, replaceUnsafe } from '#/renderer/lib/server/checks/stored-pictures'
import { mp4, track } from '#tests/mp4-files'
import { animatedPng, animatedWebp, progressiveJpeg, type Size } from '#tests/picture-files'
import { bytes, photo } from '#tests/renderer/lib/media/files'

const toUrl = (data: Uint8Array, type = 'png') =>
  `data:image/${type};base64,${Buffer.from(data).toString('base64')}`

const side = (pixels: number) => pixels.toString(16).padStart(8, '0')
/** The header of a PNG; the rest is not read. */
const png = (width: number, height: number) =>
  toUrl(bytes(`89 'PNG' 0d0a1a0a 0000000d 'IHDR' ${side(width)} ${side(height)} 08 02 000000`))

const BOMB = png(20_000, 20_000)
const SMALL = toUrl(photo('pixel.png'))

async function withSafePictures(row: Record<string, unknown>) {
  await replaceUnsafe(Object.keys(row).map((column) => ({ row, column })))
  return row
}

describe('replaceUnsafe', () => {
  test.each([
    ['avatar_url', null],
    ['thumbnail_url', null],
    ['image_url', BROKEN_PICTURE],
    ['media_url', BROKEN_PICTURE],
  ])('replaces a picture with too many pixels in %s', async (column, instead) => {
    expect(await withSafePictures({ id: 'a', [column]: BOMB })).toEqual({ id: 'a', [column]: instead })
    expect(await withSafePictures({ id: 'a', [column]: SMALL })).toEqual({ id: 'a', [column]: SMALL })
  })

  test('lets the page work while it checks many pictures', async () => {
    const now = vi.spyOn(performance, 'now')
    onTestFinished(() => now.mockRestore())
    let time = 0
    now.mockImplementation(() => (time += 20))
    const rows = Array.from({ length: 12 }, () => ({ thumbnail_url: BOMB as string | null }))
    const replaced = () => rows.filter(({ thumbnail_url }) => thumbnail_url === null).length
    const seen: number[] = []
    const looking = setInterval(() => seen.push(replaced()))
    await replaceUnsafe(rows.map((row) => ({ row, column: 'thumbnail_url' })))
    clearInterval(looking)
    expect(seen.some((count) => count > 0 && count < rows.length)).toBe(true)
    expect(replaced()).toBe(rows.length)
  })

  test.each([
    'http://example.com/bomb.jpg',
    'DATA:image/png;base64,AAAA',
    'data:text/html,x',
    'blob:https://example.com/1',
  ])('replaces %s, which no database stores', async (url) => {
    expect(await withSafePictures({ avatar_url: url, image_url: url })).toEqual({
      avatar_url: null,
      image_url: BROKEN_PICTURE,
    })
  })

  test('allows fewer pixels for avatars and thumbnails than for full pictures', async () => {
    const jpeg = (width: number, height: number) => toUrl(progressiveJpeg({ width, height }, 2), 'jpeg')
    const picture = jpeg(4_096, 4_096)
    expect(await withSafePictures({ image_url: picture, media_url: picture })).toEqual({
      image_url: picture,
      media_url: picture,
    })
    expect(await withSafePictures({ avatar_url: picture, thumbnail_url: jpeg(1_025, 1_024) })).toEqual({
      avatar_url: null,
      thumbnail_url: null,
    })
    const tooLarge = jpeg(4_097, 4_096)
    expect(await withSafePictures({ image_url: tooLarge, media_url: tooLarge })).toEqual({
      image_url: BROKEN_PICTURE,
      media_url: BROKEN_PICTURE,
    })
  })

  test('reads the size of a JPEG behind long metadata', async () => {
    const metadata = bytes(`ffe1 fffd ${'00'.repeat(65_531)}`)
    const jpeg = (size: Size) => {
      const file = progressiveJpeg(size, 2)
      return toUrl(Buffer.concat([file.subarray(0, 2), metadata, file.subarray(2)]), 'jpeg')
    }
    const small = jpeg({ width: 768, height: 1_024 })
    expect(await withSafePictures({ image_url: small })).toEqual({ image_url: small })
    const large = jpeg({ width: 65_535, height: 4_096 })
    expect(await withSafePictures({ image_url: large })).toEqual({ image_url: BROKEN_PICTURE })
  })

  test.each([
    ['an animated PNG', toUrl(animatedPng({ width: 8, height: 8 }))],
    ['an animated WebP', toUrl(animatedWebp({ width: 8, height: 8 }), 'webp')],
    ['a JPEG with 3,000 scans', toUrl(progressiveJpeg({ width: 64, height: 64 }, 3_000), 'jpeg')],
  ])('MEDIA-07 replaces %s', async (_, url) => {
    const rows = { image_url: url, media_url: url, avatar_url: url, thumbnail_url: url }
    expect(await withSafePictures(rows)).toEqual({
      image_url: BROKEN_PICTURE,
      media_url: BROKEN_PICTURE,
      avatar_url: null,
      thumbnail_url: null,
    })
  })

  test('MEDIA-07 replaces a video that would take gigabytes', async () => {
    const urlOf = (samples: number) =>
      `data:video/mp4;base64,${Buffer.from(mp4([track({ samples })])).toString('base64')}`
    const [good, bad] = [urlOf(1_000), urlOf(170_000_000)]
    expect(await withSafePictures({ media_url: good })).toEqual({ media_url: good })
    expect(await withSafePictures({ media_url: bad })).toEqual({ media_url: BROKEN_PICTURE })
  })

  test('MEDIA-07 replaces a video that starts like something else', async () => {
    const media_url = `data:video/mp4;base64,${SMALL.split(',')[1]}`
    expect(await withSafePictures({ media_url })).toEqual({ media_url: BROKEN_PICTURE })
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
      media_url: `data:video/mp4;base64,${btoa('\0\0\0\x18ftypmp42\0\0\0\0isommp42\0\0\0\x08moov')}`,
      content: BOMB,
      avatar_url: null,
    }
    expect(await withSafePictures({ ...rows })).toEqual(rows)
  })
})
