import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BUDGETS, firstLoadScripts, measureBundles } from '../../scripts/lib/budgets.mjs'

const PAGE = `<!doctype html>
<link rel="icon" href="/favicon.svg">
<script type="module" crossorigin src="/assets/index-1.js"></script>
<link rel="modulepreload" crossorigin href="/assets/vendor-2.js">
<link rel="stylesheet" href="/assets/index-3.css">`

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'vignette-budget-'))
  await mkdir(join(root, 'out/renderer/assets'), { recursive: true })
  await mkdir(join(root, 'out/main'))
  await writeFile(join(root, 'out/renderer/index.html'), PAGE)
  await writeFile(join(root, 'out/renderer/assets/index-1.js'), 'x'.repeat(1_000_000))
  await writeFile(join(root, 'out/renderer/assets/vendor-2.js'), randomBytes(1_000))
  await writeFile(join(root, 'out/main/index.cjs'), 'x'.repeat(BUDGETS.main))
})

afterEach(() => rm(root, { recursive: true }))

test('the first load is the entry and its imports, without styles and icons', () => {
  expect(firstLoadScripts(PAGE)).toEqual(['/assets/index-1.js', '/assets/vendor-2.js'])
})

test('an entry that is preloaded too is loaded once', () => {
  const page = `${PAGE}\n<link rel="modulepreload" crossorigin href="/assets/index-1.js">`
  expect(firstLoadScripts(page)).toEqual(['/assets/index-1.js', '/assets/vendor-2.js'])
})

test('measures the renderer gzipped and main uncompressed', () => {
  const [renderer, main] = measureBundles(root)
  expect(renderer?.ok).toBe(true)
  expect(renderer?.bytes).toBeLessThan(5_000)
  expect(main).toMatchObject({ bytes: BUDGETS.main, ok: true })
})

test('fails if a bundle exceeds its budget by one byte', async () => {
  await writeFile(join(root, 'out/main/index.cjs'), 'x'.repeat(BUDGETS.main + 1))
  await writeFile(join(root, 'out/renderer/assets/vendor-2.js'), randomBytes(BUDGETS.rendererFirstLoad))
  expect(measureBundles(root).map(({ ok }) => ok)).toEqual([false, false])
})

test('throws if the page has no scripts', async () => {
  await writeFile(join(root, 'out/renderer/index.html'), '<!doctype html>')
  expect(() => measureBundles(root)).toThrow(/build first/)
})
