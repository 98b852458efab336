// @ts-check
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT } from './paths.mjs'

/** Maximum sizes in bytes: the renderer's first load is measured gzipped, the main bundle uncompressed. */
export const BUDGETS = { rendererFirstLoad: 260_000, main: 500_000 }

/**
 * The scripts that a page loads initially: its entry and the static imports of the entry. If one of those imports the
 * entry, the page has two tags for it but loads it once.
 * @param {string} html
 */
export function firstLoadScripts(html) {
  const tags = html.match(/<(?:script|link)\b[^>]*>/g) ?? []
  const paths = tags
    .filter((tag) => tag.startsWith('<script') || /rel="modulepreload"/.test(tag))
    .map((tag) => /(?:src|href)="([^"]+\.m?js)"/.exec(tag)?.[1])
    .filter((path) => path !== undefined)
  return [...new Set(paths)]
}

/**
 * Compares the bundle sizes with their budgets.
 * @returns {{ name: string, bytes: number, budget: number, ok: boolean }[]}
 */
export function measureBundles(root = ROOT) {
  const renderer = join(root, 'out/renderer')
  const page = join(renderer, 'index.html')
  const scripts = existsSync(page) ? firstLoadScripts(readFileSync(page, 'utf8')) : []
  if (scripts.length === 0) throw new Error('out/renderer/index.html loads no script: build first')
  const sizes = scripts.map((path) => gzipSync(readFileSync(join(renderer, path)), { level: 9 }).length)
  return [
    {
      name: 'renderer, first load (gzip)',
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      budget: BUDGETS.rendererFirstLoad,
    },
    {
      name: 'out/main/index.cjs',
      bytes: statSync(join(root, 'out/main/index.cjs')).size,
      budget: BUDGETS.main,
    },
  ].map((part) => ({ ...part, ok: part.bytes <= part.budget }))
}
