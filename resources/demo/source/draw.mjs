/**
 * Renders the pictures and videos of the demo community into resources/demo: `npm run demo [-- name …] [--out DIR]
 * [--draft]`. Without names it renders all of them, which takes a while: they are path-traced on the CPU.
 */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PICTURES } from './catalog.mjs'
import { grade } from './grades.mjs'
import { loadShaders } from './load-shaders.mjs'
import { openRenderer } from './open-renderer.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, draft: { type: 'boolean', default: false } },
})
const folder = resolve(values.out ?? join(import.meta.dirname, '..'))

const OUTPUT = {
  post: { side: 1080, maxBytes: 130_000, quality: 0.86 },
  story: { side: 1080, maxBytes: 110_000, quality: 0.84 },
  avatar: { side: 160, maxBytes: 9_500, quality: 0.9 },
  video: { side: 960 },
  thumbnail: { side: 320, maxBytes: 18_000, quality: 0.84 },
}

/** `rate` in frames per second; `quantizer` of the first attempt, 0 (best) to 63; `soundBitrate` in bits per second. */
const VIDEO = { rate: 24, quantizer: 24, soundBitrate: 32_000, maxBytes: 400_000 }

function size(picture, use) {
  const ratio = Math.min(1, OUTPUT[use].side / Math.max(picture.width, picture.height))
  return { width: Math.round(picture.width * ratio), height: Math.round(picture.height * ratio) }
}

function output(picture, use) {
  const { maxBytes, quality } = OUTPUT[use]
  return { ...size(picture, use), type: 'image/webp', maxBytes, quality }
}

/** The file of a picture or video, followed by its thumbnail. */
function fileNames({ name, use, seconds }) {
  const file = `${name}.${seconds === undefined ? 'webp' : 'webm'}`
  return use === 'avatar' ? [file] : [file, `${name}-thumb.webp`]
}

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
  const thumbnails = use === 'avatar' ? [] : [output(picture, 'thumbnail')]
  const files =
    seconds === undefined
      ? await renderer.renderImage({ ...job, width, height, outputs: [output(picture, use), ...thumbnails] })
      : await renderer.renderVideo({
          ...job,
          ...size(picture, 'video'),
          video: { ...VIDEO, seconds, still: picture.still, sound: picture.sound },
          outputs: thumbnails,
        })
  const names = fileNames(picture)
  await Promise.all(files.map((base64, i) => writeFile(join(folder, names[i]), base64, 'base64')))
}

function manifest() {
  const rendered = PICTURES.filter((picture) => existsSync(join(folder, fileNames(picture)[0])))
  const entries = rendered.map((picture) => {
    const { name, use, alt, seconds } = picture
    const [file, thumbnail] = fileNames(picture)
    return [
      name,
      {
        use,
        file,
        ...(thumbnail !== undefined && { thumbnail }),
        ...size(picture, seconds === undefined ? use : 'video'),
        ...(seconds !== undefined && { durationMs: seconds * 1_000 }),
        alt,
      },
    ]
  })
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
}

const wanted = positionals.length > 0 ? PICTURES.filter(({ name }) => positionals.includes(name)) : PICTURES
await mkdir(folder, { recursive: true })
const renderer = await openRenderer()
try {
  for (const picture of wanted) {
    const start = performance.now()
    try {
      await render(renderer, picture)
      console.log(`${picture.name} ${((performance.now() - start) / 1000).toFixed(1)} s`)
    } catch (error) {
      process.exitCode = 1
      console.error(`${picture.name}: ${error.message}`)
    }
  }
} finally {
  await renderer.close()
}
await writeFile(join(folder, 'manifest.json'), manifest())
