/**
 * Draws the pictures of the demo community into resources/demo: `npm run demo [-- name …] [--out DIR] [--draft]`.
 * Without names it draws all of them, which takes a while: they are path-traced on the processor.
 */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openDarkroom } from './demo-pictures/browser.mjs'
import { PICTURES } from './demo-pictures/catalogue.mjs'
import { grade } from './demo-pictures/grades.mjs'
import { loadShaders } from './demo-pictures/shaders.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, draft: { type: 'boolean', default: false } },
})
const folder = resolve(values.out ?? join(import.meta.dirname, '..', 'resources', 'demo'))

const OUTPUT = {
  post: { side: 1080, maxBytes: 130_000, quality: 0.86 },
  story: { side: 1080, maxBytes: 110_000, quality: 0.84 },
  avatar: { side: 160, maxBytes: 9_500, quality: 0.9 },
  thumbnail: { side: 320, maxBytes: 18_000, quality: 0.84 },
}

function output(picture, use) {
  const { side, maxBytes, quality } = OUTPUT[use]
  const ratio = Math.min(1, side / Math.max(picture.width, picture.height))
  return {
    width: Math.round(picture.width * ratio),
    height: Math.round(picture.height * ratio),
    type: 'image/webp',
    maxBytes,
    quality,
  }
}

/** Draws one picture and writes its files. */
async function draw(darkroom, picture) {
  const uses = picture.use === 'avatar' ? ['avatar'] : [picture.use, 'thumbnail']
  const files = await darkroom.print({
    shaders: await loadShaders(picture.scene ?? picture.name),
    width: picture.width,
    height: picture.height,
    scale: values.draft ? 0.35 : (picture.scale ?? 0.66),
    exposure: {
      samples: values.draft ? Math.ceil(picture.samples / 3) : picture.samples,
      seed: picture.seed ?? 1,
      params: picture.params ?? [0, 0, 0, 0],
    },
    grade: grade(picture.film, picture.grade),
    outputs: uses.map((use) => output(picture, use)),
  })
  const names = uses.map((use) =>
    use === 'thumbnail' ? `${picture.name}-thumb.webp` : `${picture.name}.webp`,
  )
  await Promise.all(files.map((base64, i) => writeFile(join(folder, names[i]), base64, 'base64')))
}

function manifest() {
  const entries = PICTURES.filter(({ name }) => existsSync(join(folder, `${name}.webp`))).map((picture) => {
    const { width, height } = output(picture, picture.use)
    const { name, use, alt } = picture
    return [
      name,
      {
        use,
        file: `${name}.webp`,
        ...(use === 'avatar' ? {} : { thumbnail: `${name}-thumb.webp` }),
        width,
        height,
        alt,
      },
    ]
  })
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
}

const wanted = positionals.length > 0 ? PICTURES.filter(({ name }) => positionals.includes(name)) : PICTURES
await mkdir(folder, { recursive: true })
const darkroom = await openDarkroom()
try {
  for (const picture of wanted) {
    const start = performance.now()
    try {
      await draw(darkroom, picture)
      console.log(`${picture.name} ${((performance.now() - start) / 1000).toFixed(1)} s`)
    } catch (error) {
      process.exitCode = 1
      console.error(`${picture.name}: ${error.message}`)
    }
  }
} finally {
  await darkroom.close()
}
await writeFile(join(folder, 'manifest.json'), manifest())
