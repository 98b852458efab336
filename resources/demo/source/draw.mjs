/**
 * Renders the pictures and videos of the demo community into resources/demo: `npm run demo [-- name …] [--out DIR]
 * [--draft] [--sizes]`. Without names it renders all of them, which takes a while: they are path-traced on the CPU.
 * `--sizes` only creates the smaller sizes again, from the files that are there.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { rgbaToThumbHash } from 'thumbhash'
import { PICTURES } from './catalog.mjs'
import { grade } from './grades.mjs'
import { loadShaders } from './load-shaders.mjs'
import { openRenderer } from './open-renderer.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    draft: { type: 'boolean', default: false },
    sizes: { type: 'boolean', default: false },
  },
})
const folder = resolve(values.out ?? join(import.meta.dirname, '..'))

/** Of the files: longest side in pixels, bytes, and the quality of the first attempt. */
const OUTPUT = {
  post: { side: 4096, maxBytes: 330_000, quality: 0.84 },
  story: { side: 1080, maxBytes: 110_000, quality: 0.84 },
  avatar: { side: 320, maxBytes: 30_000, quality: 0.9 },
  video: { side: 960 },
}

/** Of a post, where the picture is larger: pixels of the longest side of the middle size, and the width in the feed. */
const MIDDLE = { side: 2048, maxBytes: 330_000, quality: 0.84 }
const FEED = { width: 1080, maxBytes: 150_000, quality: 0.86 }

/** In grids, and as poster of a video: the shorter side. */
const GRID = { side: 640, maxBytes: 90_000, quality: 0.84 }

/** Longest side of the picture that a ThumbHash is computed from: the algorithm's maximum. */
const THUMBHASH_SIDE = 100

/** `rate` in frames per second; `soundBitrate` in bits per second. */
const VIDEO = { rate: 24, soundBitrate: 32_000, maxBytes: 400_000 }

/** By use: posts store MP4 only. */
const VIDEO_TYPES = { post: 'mp4', story: 'webm' }

function scaled({ width, height }, factor) {
  const ratio = Math.min(1, factor)
  return { width: Math.round(width * ratio), height: Math.round(height * ratio) }
}

/** The pixels of the main file. */
function mainSize(picture) {
  const { side } = OUTPUT[picture.seconds === undefined ? picture.use : 'video']
  return scaled(picture, side / Math.max(picture.width, picture.height))
}

/** The files of a picture or video and their pixels; see `pictureSizes` of the app. Sizes that are the same are one file. */
function filesOf(picture) {
  const { name, use, seconds } = picture
  const size = mainSize(picture)
  if (seconds !== undefined) {
    const grid = { file: `${name}-poster.webp`, ...scaled(size, GRID.side / Math.min(size.width, size.height)) }
    return { main: { file: `${name}.${VIDEO_TYPES[use]}`, ...size }, grid }
  }
  const main = { file: `${name}.webp`, ...size }
  if (use === 'avatar') return { main }
  const smaller = (larger, kind, factor) =>
    factor < 1 ? { file: `${name}-${kind}.webp`, ...scaled(larger, factor) } : larger
  const middle = smaller(main, 'middle', MIDDLE.side / Math.max(size.width, size.height))
  const grid = smaller(middle, 'grid', GRID.side / Math.min(middle.width, middle.height))
  if (use === 'story') return { main, grid }
  const feed = smaller(middle, 'feed', FEED.width / middle.width)
  return { main, ...(middle !== main && { middle }), feed, grid }
}

const output = ({ width, height }, { maxBytes, quality }) => ({ width, height, type: 'image/webp', maxBytes, quality })

const write = (file, base64) => writeFile(join(folder, file), base64, 'base64')

async function render(renderer, picture) {
  const { use, seconds } = picture
  const job = {
    shaders: await loadShaders(picture.scene ?? picture.name),
    scale: values.draft ? 0.35 : (picture.scale ?? 0.66),
    exposure: {
      samples: values.draft ? Math.ceil(picture.samples / 3) : picture.samples,
      seed: picture.seed ?? 1,
      params: picture.params ?? [0, 0, 0, 0],
    },
    grade: grade(picture.filmStock, picture.grade),
  }
  const { width, height } = picture
  const { main } = filesOf(picture)
  const content =
    seconds === undefined
      ? await renderer.renderImage({ ...job, width, height, output: output(main, OUTPUT[use]) })
      : await renderer.renderVideo({
          ...job,
          width: main.width,
          height: main.height,
          video: { ...VIDEO, seconds, sound: picture.sound, type: VIDEO_TYPES[use] },
        })
  await write(main.file, content)
}

/** Creates the smaller sizes from the main file. */
async function deriveSizes(renderer, picture) {
  const { main, middle, feed, grid } = filesOf(picture)
  const sizes = [[middle, MIDDLE], [feed, FEED], [grid, GRID]]
  const wanted = sizes.filter(([file]) => file !== undefined && file !== main)
  const byFile = new Map(wanted.toReversed().map(([file, quality]) => [file.file, { ...file, ...output(file, quality) }]))
  const outputs = [...byFile.values()]
  const contents = await renderer.deriveSizes({
    content: await readFile(join(folder, main.file), 'base64'),
    type: picture.seconds === undefined ? 'image/webp' : `video/${VIDEO_TYPES[picture.use]}`,
    still: picture.still ?? 0,
    outputs,
  })
  await Promise.all(contents.map((content, i) => write(outputs[i].file, content)))
}

async function thumbhash(renderer, { width, height, file }) {
  const size = scaled({ width, height }, THUMBHASH_SIDE / Math.max(width, height))
  const content = await readFile(join(folder, file), 'base64')
  const pixels = Buffer.from(await renderer.readPixels({ content, type: 'image/webp', ...size }), 'base64')
  return Buffer.from(rgbaToThumbHash(size.width, size.height, pixels)).toString('base64')
}

async function manifest(renderer) {
  const entries = []
  for (const picture of PICTURES) {
    const { name, use, alt, seconds } = picture
    const { main, middle, feed, grid } = filesOf(picture)
    if (![main, middle ?? main, feed ?? main, grid ?? main].every(({ file }) => existsSync(join(folder, file)))) continue
    const { file, ...size } = main
    entries.push([
      name,
      {
        use,
        file,
        ...(middle !== undefined && { middle: middle.file }),
        ...(feed !== undefined && { feed: feed.file }),
        ...(grid !== undefined && { grid: grid.file }),
        ...size,
        ...(seconds !== undefined && { durationMs: seconds * 1_000 }),
        ...(use !== 'avatar' && { thumbhash: await thumbhash(renderer, grid) }),
        alt,
      },
    ])
  }
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
}

const wanted = positionals.length > 0 ? PICTURES.filter(({ name }) => positionals.includes(name)) : PICTURES
await mkdir(folder, { recursive: true })
const renderer = await openRenderer()
try {
  for (const picture of wanted) {
    const start = performance.now()
    try {
      if (!values.sizes) await render(renderer, picture)
      await deriveSizes(renderer, picture)
      console.log(`${picture.name} ${((performance.now() - start) / 1000).toFixed(1)} s`)
    } catch (error) {
      process.exitCode = 1
      console.error(`${picture.name}: ${error.message}`)
    }
  }
  await writeFile(join(folder, 'manifest.json'), await manifest(renderer))
} finally {
  await renderer.close()
}
