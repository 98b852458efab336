// @ts-check
// Renders every icon from resources/icons/vignette.svg: `node scripts/icons.mjs`.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { CHROMIUM_FLAGS, ensureChromium } from './lib/chromium.mjs'
import { icns, ico } from './lib/icon-files.mjs'
import { ROOT } from './lib/paths.mjs'

const folder = join(ROOT, 'resources/icons')
const source = readFileSync(join(folder, 'vignette.svg'), 'utf8')

/** Width and height of the source, in SVG units. */
const SIDE = 1024
const ACCENT = '#E0352B'

/** @typedef {'tile' | 'iris' | 'small' | 'outline'} Group */

/**
 * The source with only these groups visible, cropped to a centred square.
 * @param {Group[]} groups
 * @param {number} view side of the square in SVG units
 * @param {string} [extra] SVG drawn on top
 * @param {string} [style]
 */
function drawing(groups, view, extra = '', style = '') {
  const start = (SIDE - view) / 2
  const hidden = ['tile', 'iris', 'small', 'outline'].filter(
    (id) => !groups.includes(/** @type {Group} */ (id)),
  )
  const rule = hidden.length === 0 ? '' : `${hidden.map((id) => `#${id}`).join()}{display:none}`
  return source
    .replace(`viewBox="0 0 ${SIDE} ${SIDE}"`, `viewBox="${start} ${start} ${view} ${view}"`)
    .replace('</title>', `</title><style>${rule}${style}</style>`)
    .replace('</svg>', `${extra}</svg>`)
}

/** Enlarges the iris within its tile. */
const LARGE_IRIS = '#iris{transform-origin:center;transform:scale(1.14)}'

/**
 * The app icon. Small sizes fill the square, because every pixel counts there.
 * @param {number} size
 */
function appIcon(size) {
  if (size <= 32)
    return drawing(['tile', 'small'], SIDE, '', '#small{transform-origin:center;transform:scale(1.3)}')
  return drawing(['tile', 'iris'], SIDE, '', LARGE_IRIS)
}

/** macOS icons have a margin around the tile: it is 824 of 1024 units wide. */
const macIcon = () => drawing(['tile', 'iris'], (SIDE * 1024) / 824, '', LARGE_IRIS)

/** The iris without a tile, for trays of any colour. */
const trayIcon = (/** @type {boolean} */ hasUnread) => {
  const dot = `<circle cx="704" cy="704" r="124" fill="#FFF"/><circle cx="704" cy="704" r="96" fill="${ACCENT}"/>`
  return drawing(['small'], 640, hasUnread ? dot : '')
}

/** @param {string} label */
function overlay(label) {
  const size = label.length > 1 ? 560 : 720
  return drawing(
    [],
    SIDE,
    `<circle cx="512" cy="512" r="500" fill="${ACCENT}"/><text x="512" y="512" text-anchor="middle" dominant-baseline="central" font-family="Inter, 'Segoe UI', Helvetica, Arial, sans-serif" font-weight="700" font-size="${size}" fill="#FFF">${label}</text>`,
  )
}

const executablePath = await ensureChromium()
if (executablePath === null) process.exit(1)
const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS] })
const page = await browser.newPage()

/**
 * @param {string} svg
 * @param {number} size in pixels
 * @returns {Promise<Buffer>}
 */
async function render(svg, size) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`)
  return page.screenshot({ omitBackground: true })
}

/** @param {string} name @param {Uint8Array} bytes */
const write = (name, bytes) => writeFileSync(join(folder, name), bytes)

/**
 * @param {readonly number[]} sizes
 * @param {(size: number) => string} draw
 */
async function renderAll(sizes, draw) {
  const images = []
  for (const size of sizes) images.push({ size, png: await render(draw(size), size) })
  return images
}

const app = await renderAll([16, 24, 32, 48, 64, 128, 256, 512], appIcon)
for (const { size, png } of app) write(`app/${size}x${size}.png`, png)
write('vignette.ico', ico(app.filter(({ size }) => size !== 128 && size !== 512)))

const mac = await renderAll([16, 32, 64, 128, 256, 512, 1024], (size) =>
  size <= 32 ? drawing(['tile', 'small'], (SIDE * 1024) / 824) : macIcon(),
)
write('vignette.icns', icns(mac))

for (const [name, hasUnread] of /** @type {const} */ ([
  ['tray', false],
  ['tray-unread', true],
])) {
  write(`tray/${name}.ico`, ico(await renderAll([16, 20, 24, 32], () => trayIcon(hasUnread))))
  write(`tray/${name}.png`, await render(trayIcon(hasUnread), 24))
  write(`tray/${name}@2x.png`, await render(trayIcon(hasUnread), 48))
}
write('tray/trayTemplate.png', await render(drawing(['outline'], 720), 18))
write('tray/trayTemplate@2x.png', await render(drawing(['outline'], 720), 36))

for (const label of ['1', '2', '3', '4', '5', '6', '7', '8', '9', '9+']) {
  const name = `overlay/${label.replace('+', '-plus')}`
  write(`${name}.png`, await render(overlay(label), 16))
  write(`${name}@2x.png`, await render(overlay(label), 32))
}

await browser.close()
console.log('wrote resources/icons')
