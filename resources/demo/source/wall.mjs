/**
 * Scales twelve pictures of the demo community to the widths in which the sign-in screen shows them, into resources/wall:
 * `node resources/demo/source/wall.mjs`.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'

const PICTURES = join(import.meta.dirname, '..')
const FOLDER = join(PICTURES, '../wall')
const NAMES = [
  ...['ridges', 'wetstreet', 'dunes', 'lookout', 'spiral', 'pool'],
  ...['lake', 'arches', 'startrails', 'snowtree', 'rainwindow', 'fogforest'],
]
/** Pixels: one and two for each pixel of the layout. */
const WIDTHS = [320, 640]
const QUALITY = 0.78

const executablePath = process.env.CHROMIUM_PATH
const browser = await chromium.launch({
  ...(executablePath !== undefined && existsSync(executablePath) && { executablePath }),
  ...(process.getuid?.() === 0 && { args: ['--no-sandbox'] }),
})
const page = await browser.newPage()
await mkdir(FOLDER, { recursive: true })
for (const name of NAMES) {
  const source = (await readFile(join(PICTURES, `${name}-feed.webp`))).toString('base64')
  for (const width of WIDTHS) {
    const scaled = await page.evaluate(
      async ([base64, toWidth, quality]) => {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
        const picture = await createImageBitmap(new Blob([bytes], { type: 'image/webp' }))
        const height = Math.round((picture.height / picture.width) * toWidth)
        const canvas = document.createElement('canvas')
        Object.assign(canvas, { width: toWidth, height })
        const context = canvas.getContext('2d')
        context.imageSmoothingQuality = 'high'
        context.drawImage(picture, 0, 0, toWidth, height)
        return canvas.toDataURL('image/webp', quality).split(',')[1]
      },
      [source, width, QUALITY],
    )
    await writeFile(join(FOLDER, `${name}-${width}.webp`), scaled, 'base64')
  }
}
await browser.close()
