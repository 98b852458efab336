// @ts-check
/**
 * Generates the small photos, and the files that only look like photos, for the tests: `node scripts/test-photos.mjs
 * [--out DIR]`. The output is committed, so run it only to add a file; the bytes vary slightly between Chromium versions.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { CHROMIUM_FLAGS, ensureChromium } from './lib/chromium.mjs'
import { ROOT } from './lib/paths.mjs'
import { avif, bmp, gif, heic } from './test-photos/containers.mjs'
import { webpWithMetadata, withMetadata } from './test-photos/exif.mjs'
import { openPhotoGenerator } from './test-photos/open-photo-generator.mjs'

const { values } = parseArgs({ options: { out: { type: 'string' } } })
const folder = resolve(values.out ?? join(ROOT, 'tests/e2e/fixtures/photos'))

const BLUE = '#2a78c8'
const DISPLAY_P3 = {
  width: 96,
  height: 64,
  colour: 'color(display-p3 0.8 0.4 0.2)',
  colorSpace: 'display-p3',
}

/**
 * @param {Awaited<ReturnType<typeof openPhotoGenerator>>} generator
 * @returns {Promise<Record<string, Buffer>>} by file name
 */
async function makePhotos(generator) {
  /** @type {Record<string, Buffer>} */
  const upright = {}
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const scene = await generator.scene({ width: 120, height: 80, orientation, detail: 200, quality: 0.9 })
    upright[`orientation-${orientation}.jpg`] = withMetadata(scene, orientation)
  }
  const jpeg = await generator.scene({ width: 120, height: 80, orientation: 1, detail: 200, quality: 0.9 })
  const lossy = await generator.plain({
    width: 70,
    height: 50,
    colour: BLUE,
    type: 'image/webp',
    quality: 0.8,
  })
  const frame = await generator.av1({ width: 64, height: 48, colour: BLUE })
  return {
    ...upright,
    'display-p3.jpg': await generator.plain({ ...DISPLAY_P3, type: 'image/jpeg', quality: 0.95 }),
    'display-p3.png': await generator.plain({ ...DISPLAY_P3, type: 'image/png' }),
    'transparent.png': await generator.disc({ side: 80, colour: BLUE, type: 'image/png' }),
    'transparent.webp': await generator.disc({ side: 80, colour: BLUE, type: 'image/webp', quality: 0.8 }),
    'lossy.webp': lossy,
    'metadata.webp': webpWithMetadata(lossy),
    'lossless.webp': await generator.plain({
      width: 70,
      height: 50,
      colour: BLUE,
      type: 'image/webp',
      quality: 1,
    }),
    'pixel.png': await generator.plain({ width: 1, height: 1, colour: BLUE, type: 'image/png' }),
    // A red frame, then a blue one.
    'animated.gif': gif(60, [
      [0xd0, 0x1c, 0x1c],
      [0x1c, 0x43, 0xd0],
    ]),
    'plain.bmp': bmp(51, 33, [0x2a, 0x78, 0xc8]),
    'plain.avif': avif(64, 48, frame),
    'iphone.heic': heic(),
    'drawing.svg': Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>A disc</title><circle r="4"/></svg>\n',
    ),
    'empty.jpg': Buffer.alloc(0),
    'notes.jpg': Buffer.from('Milk, bread, and a film for the old camera.\n'),
    'cut-off.jpg': jpeg.subarray(0, Math.round(jpeg.length * 0.6)),
    'claims-144-megapixels.jpg': withHeaderSize(jpeg, 12_000, 12_000),
  }
}

/**
 * Replaces the size in a JPEG's header.
 * @param {Buffer} jpeg
 * @param {number} width
 * @param {number} height
 */
function withHeaderSize(jpeg, width, height) {
  const changed = Buffer.from(jpeg)
  const startOfFrame = changed.indexOf(Buffer.from([0xff, 0xc0]))
  changed.writeUInt16BE(height, startOfFrame + 5)
  changed.writeUInt16BE(width, startOfFrame + 7)
  return changed
}

const executablePath = await ensureChromium()
if (executablePath === null) process.exit(1)
const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
try {
  const photos = await makePhotos(await openPhotoGenerator(browser))
  await mkdir(folder, { recursive: true })
  for (const [name, bytes] of Object.entries(photos)) {
    await writeFile(join(folder, name), bytes)
    console.log(`${name} ${bytes.length}`)
  }
} finally {
  await browser.close()
}
