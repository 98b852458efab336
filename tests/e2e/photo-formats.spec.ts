import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import {
  heicWith,
  jpegWithExif,
  miniHeif,
  mirroring,
  orientationBlock,
  type PngPlace,
  plainTiff,
  pngWithExif,
  RAW_FILES,
  rotation,
  storedScene,
  TYPES,
  tiffFile,
  webpWithExif,
} from '#tests/camera-files'
import { iccProfile } from '#tests/icc-profile'
import { box } from '#tests/picture-files'
import { CORNERS, cameraPath, expectColours, expectPixelsAlone, look, photoPath } from './fixtures/photos'
import { startConversation } from './support/conversations'
import { chooseFiles } from './support/files'
import { longStep } from './support/long-step'
import { dataUrlOf, keepObjectUrls, mediaOf } from './support/media'
import { expect, test } from './support/test'

const cameraFile = (name: string) => readFileSync(cameraPath(name))
const stored = (orientation: number) =>
  jpegWithExif(readFileSync(photoPath(`orientation-${orientation}.jpg`)), null)

const ASSETS = join(import.meta.dirname, '../../out/renderer/assets')
const workerUrl = () => `/assets/${readdirSync(ASSETS).find((name) => /^picture\.worker-.*\.js$/.test(name))}`

interface Decoded {
  width: number
  height: number
  /** What the app takes for the size of the whole photo, upright. */
  original: { width: number; height: number }
  /** The middles of the four quarters in reading order, in sRGB and in Display P3. */
  srgb: number[][]
  p3: number[][]
}

/** The picture as the app's worker decodes it, or the code of its refusal. */
function decode(page: Page, file: Uint8Array): Promise<Decoded | string> {
  return page.evaluate(
    async ({ url, base64 }) => {
      const scope = globalThis as { pictures?: Worker; lastId?: number }
      scope.pictures ??= new Worker(url, { type: 'module' })
      const worker = scope.pictures
      const id = (scope.lastId ?? 0) + 1
      scope.lastId = id
      const source = new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))])
      const answer = await new Promise<{
        type: string
        code?: string
        picture?: { preview: Blob; width: number; height: number }
      }>((resolve, reject) => {
        worker.onerror = (event) => reject(new Error(event.message))
        worker.onmessage = ({ data }) => data.id === id && resolve(data)
        worker.postMessage({ id, source, kind: 'storage', preview: { side: 4_000, isQuick: false } })
      })
      if (answer.picture === undefined) return answer.code ?? answer.type
      const image = await createImageBitmap(answer.picture.preview)
      const { width, height } = image
      const look = (colorSpace: 'srgb' | 'display-p3') => {
        const pen = new OffscreenCanvas(width, height).getContext('2d', { colorSpace })
        pen?.drawImage(image, 0, 0)
        const places = [
          [0.1, 0.1],
          [0.9, 0.1],
          [0.1, 0.9],
          [0.9, 0.9],
        ]
        return places.map(([x = 0, y = 0]) => [
          ...(pen?.getImageData(Math.floor(x * width), Math.floor(y * height), 1, 1).data ?? []),
        ])
      }
      const original = { width: answer.picture.width, height: answer.picture.height }
      return { width, height, original, srgb: look('srgb'), p3: look('display-p3') }
    },
    { url: workerUrl(), base64: Buffer.from(file).toString('base64') },
  )
}

async function expectUpright(page: Page, file: Uint8Array, what: string): Promise<void> {
  const decoded = await decode(page, file)
  expect(decoded, what).toMatchObject({ ...SIZE, original: SIZE })
  if (typeof decoded !== 'string') expectColours(decoded.srgb, CORNERS)
}

// A document of the app's origin that does not run the app: only its worker is needed.
test.beforeEach(async ({ page }) => {
  await page.goto('/config.json')
})

const SIZE = { width: 120, height: 80 }
/** A camera held upright is the usual one; the others are a long step. */
const UPRIGHT = 6
const OTHER_ORIENTATIONS = [1, 2, 3, 4, 5, 7, 8]

/** Checks the usual orientation, and the others in `npm run test:long`. */
async function eachOrientation(check: (orientation: number) => Promise<void>): Promise<void> {
  await check(UPRIGHT)
  await longStep('other orientations', async () => {
    for (const orientation of OTHER_ORIENTATIONS) await check(orientation)
  })
}

test('CREATE-11 every orientation is applied once, wherever the file has it', { tag: '@steps' }, async ({
  page,
}) => {
  await eachOrientation(async (orientation) => {
    const jpeg = stored(orientation)
    const scene = storedScene(SIZE, orientation, CORNERS)
    const upright = (file: Uint8Array, what: string) => expectUpright(page, file, `${what} ${orientation}`)
    await upright(readFileSync(photoPath(`orientation-${orientation}.jpg`)), 'JPEG')
    for (const [type, number] of Object.entries(TYPES))
      if (type !== 'undefined')
        await upright(jpegWithExif(jpeg, orientationBlock(orientation, { type: number })), `JPEG ${type}`)
    await upright(jpegWithExif(jpeg, orientationBlock(orientation, { count: 2 })), 'JPEG twice')
    await upright(
      jpegWithExif(jpeg, orientationBlock(orientation, { count: 3, isLittle: false })),
      'JPEG elsewhere',
    )
    for (const place of ['before', 'after', 'zTXt', 'tEXt'] satisfies PngPlace[])
      await upright(pngWithExif(scene, orientationBlock(orientation), place), `PNG ${place}`)
    await upright(plainTiff(scene, orientation), 'TIFF')
    await upright(plainTiff(scene, orientation, false), 'TIFF of the other byte order')
    for (const [maker, file] of Object.entries(RAW_FILES)) await upright(file(jpeg, orientation), maker)
    // The orientation of the file counts, not that of its preview.
    const turned = jpegWithExif(jpeg, orientationBlock(orientation === 6 ? 3 : 6))
    await upright(RAW_FILES.DNG?.(turned, orientation) ?? new Uint8Array(), 'DNG with a turned preview')
  })
})

test('CREATE-11 a WebP is turned by its EXIF, which Chromium ignores', { tag: '@steps' }, async ({
  page,
}) => {
  await eachOrientation(async (orientation) => {
    const { width, height, rgb } = storedScene(SIZE, orientation, CORNERS)
    const base64 = await page.evaluate(
      async ({ size, pixels }) => {
        const canvas = new OffscreenCanvas(size.width, size.height)
        const rgba = new Uint8ClampedArray(size.width * size.height * 4).fill(255)
        pixels.forEach((value, index) => {
          rgba[Math.floor(index / 3) * 4 + (index % 3)] = value
        })
        canvas.getContext('2d')?.putImageData(new ImageData(rgba, size.width, size.height), 0, 0)
        const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 1 })
        return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())))
      },
      { size: { width, height }, pixels: Array.from(rgb) },
    )
    const webp = Buffer.from(base64, 'base64')
    await expectUpright(page, webpWithExif(webp, orientationBlock(orientation)), `WebP ${orientation}`)
  })
})

/** The corners after the transformations of a HEIC file. */
function cornersAfter(turns: number, axis: number | null): number[][] {
  let [topLeft, topRight, bottomLeft, bottomRight] = CORNERS
  for (let turn = 0; turn < turns; turn += 1)
    [topLeft, topRight, bottomLeft, bottomRight] = [topRight, bottomRight, topLeft, bottomLeft]
  if (axis === 0) [topLeft, topRight, bottomLeft, bottomRight] = [bottomLeft, bottomRight, topLeft, topRight]
  if (axis === 1) [topLeft, topRight, bottomLeft, bottomRight] = [topRight, topLeft, bottomRight, bottomLeft]
  return [topLeft, topRight, bottomLeft, bottomRight].map((corner) => corner ?? [])
}

test('CREATE-11 HEIC is turned and mirrored once, by its container', { tag: '@steps' }, async ({ page }) => {
  const heic = cameraFile('corners.heic')
  const check = async (turns: number, axis: number | null) => {
    const properties = [...(turns > 0 ? [rotation(turns)] : []), ...(axis === null ? [] : [mirroring(axis)])]
    const decoded = await decode(page, heicWith(heic, properties))
    const size = turns % 2 === 0 ? SIZE : { width: SIZE.height, height: SIZE.width }
    expect(decoded, `${turns} turns, axis ${axis}`).toMatchObject(size)
    if (typeof decoded !== 'string') expectColours(decoded.srgb, cornersAfter(turns, axis))
  }
  await check(3, null)
  await check(1, 0)
  await longStep('other turns and axes', async () => {
    for (const turns of [0, 1, 2, 3]) for (const axis of [null, 0, 1]) await check(turns, axis)
  })
})

/** The middles of the quarters in reading order. */
function cornersOf({ width, height, rgb }: ReturnType<typeof storedScene>): number[][] {
  return [0.1, 0.9].flatMap((y) =>
    [0.1, 0.9].map((x) => {
      const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 3
      return [...rgb.subarray(at, at + 3), 255]
    }),
  )
}

test('CREATE-11 a mini HEIF is read, and turned once', { tag: '@steps' }, async ({ page }) => {
  await eachOrientation(async (orientation) => {
    const size = orientation < 5 ? SIZE : { width: SIZE.height, height: SIZE.width }
    const decoded = await decode(page, miniHeif(cameraFile('corners.heic'), SIZE, orientation))
    expect(decoded, `${orientation}`).toMatchObject({ ...size, original: size })
    // The scene, which is stored upright, is turned like one that is stored for the inverse orientation.
    const inverse = [1, 2, 3, 4, 5, 8, 7, 6][orientation - 1] ?? 1
    if (typeof decoded !== 'string')
      expectColours(decoded.srgb, cornersOf(storedScene(SIZE, inverse, CORNERS)))
  })
})

test('CREATE-11 a photo keeps its size if the file has a larger picture, such as a gain map', async ({
  page,
}) => {
  const larger = [box('ispe', [0, 0, 0, 0], [0, 0, 4, 0], [0, 0, 4, 0])]
  const jpeg = stored(1)
  const files: [what: string, file: Uint8Array, size: { width: number; height: number }][] = [
    ['HEIC', heicWith(cameraFile('corners.heic'), larger, false), SIZE],
    ['AVIF', heicWith(readFileSync(photoPath('plain.avif')), larger, false), { width: 64, height: 48 }],
    ['JPEG', Buffer.concat([jpeg, readFileSync(cameraPath('cmyk.jpg'))]), SIZE],
  ]
  for (const [what, file, size] of files)
    expect(await decode(page, file), what).toMatchObject({ ...size, original: size })
})

test('CREATE-11 every form of JPEG, TIFF and JPEG XL is read', { tag: '@long' }, async ({ page }) => {
  const jpeg = stored(1)
  const video = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')
  const forms: [what: string, file: Uint8Array][] = [
    ['JPEG XL', cameraFile('corners.jxl')],
    ['a TIFF of 16 bits with LZW', cameraFile('corners-lzw16.tif')],
    ['a TIFF with JPEG inside', cameraFile('corners-jpeg.tif')],
    ['a TIFF of planes', cameraFile('corners-planes.tif')],
    [
      'bytes between segments',
      Buffer.concat([jpeg.subarray(0, 20), Buffer.from([0, 1, 2, 3]), jpeg.subarray(20)]),
    ],
    ['no end marker', jpeg.subarray(0, -2)],
    ['a Motion Photo', Buffer.concat([jpeg, video])],
    ['an MPO', Buffer.concat([jpeg, stored(6)])],
  ]
  for (const [what, file] of forms) await expectUpright(page, file, what)

  const size = (name: string) => decode(page, cameraFile(name))
  const swapped = { width: 80, height: 120 }
  expect(await size('jpeg-extra-bytes-between-segments.jpg')).toMatchObject(SIZE)
  expect(await size('jpeg-without-end-marker.jpg')).toMatchObject(SIZE)
  expect(await size('jpeg-orientation-6-as-long.jpg')).toMatchObject(swapped)
  expect(await size('png-exif-orientation-6-after-idat.png')).toMatchObject(swapped)
  expect(await size('webp-exif-orientation-6.webp')).toMatchObject(swapped)
  const arithmetic = await size('arithmetic.jpg')
  expect(arithmetic).toMatchObject(SIZE)
  if (typeof arithmetic !== 'string') expectColours(arithmetic.srgb.slice(0, 1), [[220, 30, 30, 255]])
  expect(await size('cmyk.jpg')).toMatchObject(SIZE)
  expect(await size('animated-apng.png')).toMatchObject(SIZE)
  expect(await size('animated-avif.avif')).toMatchObject({ width: 150, height: 150 })
  // 9,248 × 6,936 pixels, as the test shows them.
  expect(await size('64-megapixel.png')).toMatchObject({ width: 4_000, height: 3_000 })
  const png = readFileSync(photoPath('display-p3.png'))
  expect(await decode(page, png.subarray(0, -12)), 'a PNG without IEND').toMatchObject({
    width: 96,
    height: 64,
  })
})

test('CREATE-11 colours of HEIC and TIFF keep their profile', async ({ page }) => {
  // Display P3 (0.8 0.4 0.2), as in photos/display-p3.png.
  const p3 = await decode(page, cameraFile('p3.heic'))
  if (typeof p3 === 'string') throw new Error(p3)
  expectColours(p3.p3.slice(0, 1), [[204, 102, 51, 255]])
  expectColours(p3.srgb.slice(0, 1), [[219, 94, 31, 255]])

  // Adobe RGB (1998): the same numbers are another colour.
  const adobe = iccProfile(
    [
      [0.6097, 0.3111, 0.0195],
      [0.2053, 0.6257, 0.0609],
      [0.1492, 0.0632, 0.7446],
    ],
    563 / 256,
  )
  const pixels = new Uint8Array(120 * 80 * 3).map((_, index) => [120, 180, 60][index % 3] ?? 0)
  const long = (...values: number[]) => ({ type: TYPES.long, values })
  const tiff = tiffFile({
    directory: {
      256: long(120),
      257: long(80),
      258: { type: TYPES.short, values: [8, 8, 8] },
      259: long(1),
      262: long(2),
      273: 'data',
      277: long(3),
      278: long(80),
      279: long(pixels.length),
      34675: { type: TYPES.undefined, values: adobe },
    },
    data: pixels,
  })
  const decoded = await decode(page, tiff)
  if (typeof decoded === 'string') throw new Error(decoded)
  // By the formulas of Adobe RGB (1998) and sRGB.
  expectColours(decoded.srgb.slice(0, 1), [[81, 182, 42, 255]])
})

/** A TIFF of one colour: `sample` is the bytes of a row of 8 pixels. */
function tiffOf(row: readonly number[], tags: Readonly<Record<number, readonly number[]>>): Uint8Array {
  const data = Uint8Array.from({ length: row.length * 15 * 80 }, (_, index) => row[index % row.length] ?? 0)
  const short = (values: readonly number[]) => ({ type: TYPES.short, values: [...values] })
  const common = {
    256: short([120]),
    257: short([80]),
    259: short([1]),
    273: 'data' as const,
    278: short([80]),
  }
  const own = Object.fromEntries(Object.entries(tags).map(([tag, values]) => [tag, short(values)]))
  const count = { type: TYPES.long, values: [data.length] }
  return tiffFile({ directory: { ...common, 279: count, ...own }, data })
}
const each = (pixel: readonly number[]) => Array.from({ length: 8 }, () => pixel).flat()

test('CREATE-11 a TIFF of any kind of grey, and with premultiplied colours, keeps its colours', async ({
  page,
}) => {
  const kinds: [what: string, file: Uint8Array, colour: number[]][] = [
    ['white paper of a scan', tiffOf([0], { 258: [1], 262: [0], 277: [1] }), [255, 255, 255, 255]],
    ['black ink of a scan', tiffOf([0xff], { 258: [1], 262: [0], 277: [1] }), [0, 0, 0, 255]],
    ['white of 1 bit', tiffOf([0xff], { 258: [1], 262: [1], 277: [1] }), [255, 255, 255, 255]],
    ['grey of 2 bits', tiffOf([0xaa, 0xaa], { 258: [2], 262: [1], 277: [1] }), [170, 170, 170, 255]],
    [
      'negative of 4 bits',
      tiffOf([0x33, 0x33, 0x33, 0x33], { 258: [4], 262: [0], 277: [1] }),
      [204, 204, 204, 255],
    ],
    ['grey of 8 bits', tiffOf(each([77]), { 258: [8], 262: [1], 277: [1] }), [77, 77, 77, 255]],
    ['negative of 8 bits', tiffOf(each([0]), { 258: [8], 262: [0], 277: [1] }), [255, 255, 255, 255]],
    ['grey of 16 bits', tiffOf(each([0xff, 0xff]), { 258: [16], 262: [1], 277: [1] }), [255, 255, 255, 255]],
    ['CMYK', tiffOf(each([0, 255, 255, 0]), { 258: [8, 8, 8, 8], 262: [5], 277: [4] }), [254, 0, 0, 255]],
  ]
  for (const [what, file, colour] of kinds) {
    const decoded = await decode(page, file)
    expect(decoded, what).toMatchObject(SIZE)
    if (typeof decoded !== 'string') expectColours(decoded.srgb.slice(0, 1), [colour])
  }
  // Half transparent: the ground shines through the same colour alike.
  const clear = { 258: [8, 8, 8, 8], 262: [2], 277: [4] }
  const plain = await decode(page, tiffOf(each([200, 100, 60, 128]), { ...clear, 338: [2] }))
  const multiplied = await decode(page, tiffOf(each([100, 50, 30, 128]), { ...clear, 338: [1] }))
  if (typeof plain === 'string' || typeof multiplied === 'string') throw new Error('A TIFF was refused')
  expectColours(multiplied.srgb.slice(0, 1), plain.srgb.slice(0, 1))
})

test('CREATE-05 CREATE-11 files that cannot be read are refused with their reason', async ({ page }) => {
  const jpeg = stored(1)
  const tiff = plainTiff(storedScene(SIZE, 1, CORNERS), 1)
  const huge = tiffFile({
    directory: { 256: { type: TYPES.long, values: [20_000] }, 257: { type: TYPES.long, values: [20_000] } },
  })
  const otherCodec = Buffer.from(
    cameraFile('corners.heic').toString('latin1').replaceAll('hvc1', 'unci'),
    'latin1',
  )
  // Its brands do not name the codec, which libheif was built without.
  const avifAsHeif = Buffer.from(
    readFileSync(photoPath('plain.avif')).toString('latin1').replaceAll('avif', 'mif1'),
    'latin1',
  )
  const rgb = { 258: [8, 8, 8], 262: [2], 277: [3] }
  const refused: [what: string, file: Uint8Array, code: string][] = [
    ['a HEIF without a codec', otherCodec, 'unsupported'],
    ['a HEIF of AV1', avifAsHeif, 'unsupported'],
    ['a mini HEIF of AV1', Buffer.from('\0\0\0\x10ftypmif3avif\0\0\0\x08mini', 'latin1'), 'unsupported'],
    ['a file of Photoshop', Buffer.from('8BPS\0\x01', 'latin1'), 'unsupported'],
    ['a TIFF in Lab', tiffOf(each([200, 0, 0]), { ...rgb, 262: [8] }), 'unsupported'],
    ['a TIFF with bits in reverse', tiffOf(each([1, 1, 1]), { ...rgb, 266: [2] }), 'unsupported'],
    ['a TIFF with signed samples', tiffOf(each([1, 1, 1]), { ...rgb, 339: [2, 2, 2] }), 'unsupported'],
    [
      'a TIFF of 16-bit CMYK',
      tiffOf(each([0, 0, 0, 0, 0, 0, 0, 0]), { 258: [16, 16, 16, 16], 262: [5], 277: [4] }),
      'unsupported',
    ],
    ['a TIFF with old-style JPEG', tiffOf(each([1, 1, 1]), { ...rgb, 259: [6] }), 'unsupported'],
    ['half of a TIFF with JPEG', cameraFile('corners-jpeg.tif').subarray(0, 900), 'broken'],
    ['half of a JPEG', jpeg.subarray(0, jpeg.length / 2), 'broken'],
    ['half of a PNG', readFileSync(photoPath('display-p3.png')).subarray(0, 400), 'broken'],
    ['half of a HEIC', cameraFile('corners.heic').subarray(0, 1_000), 'broken'],
    ['half of a JPEG XL', cameraFile('corners.jxl').subarray(0, 300), 'broken'],
    ['half of a TIFF', tiff.subarray(0, 10_000), 'broken'],
    ['a TIFF of 400 megapixels', huge, 'too-many-pixels'],
    ['a RAW file without preview', cameraFile('raw-head.RAF'), 'raw'],
    ['a RAW file without preview', cameraFile('raw-head.RW2'), 'raw'],
    ['a RAW file without preview', cameraFile('raw-head.CR3'), 'raw'],
    ['a PNG of 300,000 pixels', cameraFile('thin-300000x8.png'), 'too-long'],
    ['the start of a HEIC', readFileSync(photoPath('iphone.heic')), 'broken'],
  ]
  for (const [what, file, code] of refused) expect(await decode(page, file), what).toBe(code)
})

/** The colours of the picture that the composer shows. */
async function previewColours(page: Page): Promise<number[][]> {
  await expect(page.getByRole('progressbar', { name: texts.composer.working })).toHaveCount(0)
  const shown = page.getByRole('img', { name: texts.composer.previewAlt })
  await expect(shown).toBeVisible()
  return (await look(page, await dataUrlOf(page, (await shown.getAttribute('src')) ?? ''))).colours.slice(
    0,
    4,
  )
}

test('CREATE-11 CREATE-07 HEIC, TIFF, JPEG XL and the preview of a RAW file are posted, and the member knows what was used', async ({
  page,
  member,
}) => {
  await keepObjectUrls(page)
  await page.goto('/create')
  const raw = RAW_FILES.NEF?.(stored(6), 6) ?? new Uint8Array()
  await chooseFiles(page.getByRole('button', { name: texts.composer.choosePhotos }), [
    { name: 'IMG_0001.HEIC', mimeType: 'image/heic', buffer: cameraFile('corners.heic') },
    { name: 'scan.tif', mimeType: 'image/tiff', buffer: cameraFile('corners-lzw16.tif') },
    { name: 'photo.jxl', mimeType: 'image/jxl', buffer: cameraFile('corners.jxl') },
    { name: 'DSC_0001.NEF', mimeType: '', buffer: Buffer.from(raw) },
  ])
  const thumbnails = page.getByRole('button', { name: /^Photo \d of 4/ })
  await expect(thumbnails).toHaveCount(4)
  for (const index of [0, 1, 2, 3]) {
    await thumbnails.nth(index).click()
    expectColours(await previewColours(page), CORNERS)
    await expect(page.getByText(texts.media.preview)).toHaveCount(index === 3 ? 1 : 0)
  }
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.getByRole('button', { name: texts.composer.share }).click()
  await expect(page).toHaveURL('/')

  const { data } = await member.api
    .from('posts')
    .select('media:post_media(position,width,height,full_path)')
    .eq('user_id', member.id)
    .single()
    .throwOnError()
  expect(data.media).toHaveLength(4)
  for (const { width, height, full_path } of data.media) {
    expect({ width, height }).toEqual(SIZE)
    const full = (await mediaOf(member, full_path)) ?? ''
    expectColours((await look(page, full)).colours.slice(0, 4), CORNERS)
    expectPixelsAlone(full)
  }
})

test('CREATE-11 the smaller version in a HEIC is on screen while the photo is decoded: in a post, a story and a message', {
  tag: '@long',
}, async ({ page, member, other }) => {
  await keepObjectUrls(page)
  // Nothing but small versions is made.
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage
    Worker.prototype.postMessage = function (this: Worker, content: { preview?: object }) {
      if (content.preview !== undefined) post.call(this, content)
    }
  })
  const conversation = await startConversation(other, member)
  for (const [address, button, label] of [
    // The form of a post prepares its photos in the background.
    ['/create', /^Choose (photos|a photo)$/, null],
    ['/?story=new', texts.makeStory.choosePhoto, texts.makeStory.working],
    [`/messages?c=${conversation}`, texts.messages.addPhoto, texts.messages.preparingPhoto],
  ] as const) {
    await page.goto(address)
    await chooseFiles(page.getByRole('button', { name: button }), cameraPath('corners.heic'))
    const early = page.locator('form img[src^="blob:"][alt=""]').first()
    await expect(early, address).toBeVisible()
    if (label === null) await expect(page.getByRole('button', { name: 'Share' })).toBeEnabled()
    else await expect(page.getByRole('progressbar', { name: label })).toBeVisible()
    const seen = await look(page, await dataUrlOf(page, (await early.getAttribute('src')) ?? ''))
    expect(seen, address).toMatchObject({ width: 60, height: 40 })
    expectColours(seen.colours.slice(0, 4), CORNERS)
  }
})

test('CREATE-07 an animation is said to become a still in posts, stories, messages and profile photos', {
  tag: '@long',
}, async ({ page, member, other }) => {
  const animations = [
    cameraPath('animated-apng.png'),
    cameraPath('animated-avif.avif'),
    photoPath('animated.gif'),
  ]
  const choose = async (button: string | RegExp, path: string) => {
    await chooseFiles(page.getByRole('button', { name: button }), path)
  }
  const conversation = await startConversation(other, member)
  for (const path of animations) {
    await page.goto('/create')
    await choose(/^Choose (photos|a photo)$/, path)
    await expect(page.getByText(texts.media.still.post), path).toBeVisible()
    await page.getByRole('button', { name: texts.composer.removePhoto }).click()

    await page.goto('/?story=new')
    await choose(texts.makeStory.choosePhoto, path)
    await expect(page.getByText(texts.media.still.story), path).toBeVisible()
    await page.getByRole('button', { name: texts.makeStory.change }).click()

    await page.goto('/edit-profile')
    await choose('Change profile photo', path)
    await expect(page.getByText(texts.media.still.avatar), path).toBeVisible()

    await page.goto(`/messages?c=${conversation}`)
    await choose('Add a photo', path)
    await expect(page.getByText(texts.media.still.message), path).toBeVisible()
    await page.getByRole('button', { name: 'Remove photo' }).click()
  }
})
