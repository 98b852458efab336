// @ts-check
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureBundles } from './budgets.mjs'
import { build } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { desktopRuntime } from './desktop.mjs'
import { ROOT } from './paths.mjs'
import { run } from './process.mjs'
import { countPlaywright, countStep, countVitest, summary, total } from './results.mjs'
import { runTool } from './tools.mjs'

/**
 * @typedef {import('./results.mjs').Counts} Counts
 * @typedef {import('./results.mjs').SuiteResult} SuiteResult
 * @typedef {{ name: string, run: () => Promise<Counts> }} Suite
 * @typedef {Suite | readonly Suite[]} Step one suite, or quiet ones that run side by side
 */

/** Time limits below are there for what hangs, far above what a slow machine needs. */
const MINUTE = 60_000

/**
 * A step that runs a program and is silent unless it fails.
 * @param {string} name
 * @param {() => Promise<import('./process.mjs').RunResult>} program
 * @returns {Suite}
 */
function step(name, program) {
  return {
    name,
    run: async () => {
      const result = await program()
      if (!result.ok) console.error(result.output.trimEnd())
      tellTimeOut(result)
      return countStep(result.ok)
    },
  }
}

/** @param {import('./process.mjs').RunResult} result */
function tellTimeOut({ timedOut }) {
  if (timedOut) console.error('It took too long and was ended.')
}

/**
 * Reads the report a test runner was asked to write; null when it wrote none.
 * @param {string} file
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/**
 * Gives a fresh folder to a function and takes it away afterwards.
 * @template T
 * @param {(folder: string) => Promise<T>} use
 */
async function inTemporaryFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'vignette-test-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A project of vitest.config.ts.
 * @param {string} project
 * @param {number} timeoutMs
 * @returns {Suite}
 */
function vitest(project, timeoutMs) {
  return {
    name: `${project} tests`,
    run: () =>
      inTemporaryFolder(async (folder) => {
        const file = join(folder, 'report.json')
        const args = ['run', '--project', project, '--reporter=default', '--reporter=json']
        const result = await runTool('vitest', [...args, `--outputFile.json=${file}`], { timeoutMs })
        tellTimeOut(result)
        return countVitest(readReport(file), result.ok)
      }),
  }
}

/** @type {readonly Suite[]} */
const STATIC = [
  step('typecheck', () =>
    runTool('typescript', ['-p', '.'], { command: 'tsc', quiet: true, timeoutMs: 5 * MINUTE }),
  ),
  step('lint and format', () =>
    runTool('@biomejs/biome', ['check', '--error-on-warnings', '.'], { quiet: true, timeoutMs: 5 * MINUTE }),
  ),
  step('dead code', () => runTool('knip', [], { quiet: true, timeoutMs: 5 * MINUTE })),
]

/** @type {Suite} */
const FRESH = step('generated files are fresh', () =>
  run(process.execPath, [join(ROOT, 'scripts/types.mjs'), '--check'], {
    quiet: true,
    timeoutMs: 5 * MINUTE,
  }),
)

/** @type {Suite} */
const BUILD = { name: 'build', run: async () => countStep(await build({ quiet: true })) }

/** @type {Suite} */
const BUNDLES = {
  name: 'bundle sizes',
  run: async () => {
    const parts = measureBundles()
    for (const { name, bytes, budget, ok } of parts) {
      const size = `${(bytes / 1000).toFixed(1)} of ${budget / 1000} KB`
      console.log(`${ok ? '' : 'Too large: '}${name}: ${size}`)
    }
    return total(parts.map(({ ok }) => countStep(ok)))
  },
}

const UNIT = vitest('unit', 10 * MINUTE)

/**
 * What `npm run check` does.
 * @type {readonly Step[]}
 */
export const CHECKS = [[...STATIC, FRESH], UNIT]

/**
 * What `npm test` does before the long suites; among those are the tests of all generated files.
 * @type {readonly Step[]}
 */
export const BASICS = [[...STATIC, BUILD], BUNDLES, UNIT]

/** @type {Suite} */
export const BACKEND = vitest('backend', 20 * MINUTE)

/** @type {Suite} */
export const PACKAGING = vitest('packaging', 10 * MINUTE)

/**
 * A project of playwright.config.ts.
 * @param {'browser' | 'desktop'} project
 * @param {readonly string[]} [args] more arguments for Playwright
 * @returns {Suite}
 */
export function endToEnd(project, args = []) {
  return {
    name: `end-to-end (${project})`,
    run: () =>
      inTemporaryFolder(async (folder) => {
        const isInChromium = project === 'browser' || desktopRuntime() === 'standin'
        const chromium = isInChromium ? await ensureChromium() : ''
        if (chromium === null) return countStep(false)
        const file = join(folder, 'report.json')
        const result = await runTool(
          '@playwright/test',
          ['test', `--project=${project}`, '--reporter=list,json', ...args],
          {
            command: 'playwright',
            timeoutMs: 25 * MINUTE,
            env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
          },
        )
        tellTimeOut(result)
        return countPlaywright(readReport(file), result.ok)
      }),
  }
}

/**
 * Runs a suite, whatever becomes of it, and says how long it took.
 * @param {Suite} suite
 * @returns {Promise<SuiteResult>}
 */
async function timed({ name, run: runSuite }) {
  const begun = Date.now()
  const counts = await runSuite().catch((error) => {
    console.error(error instanceof Error ? error.message : error)
    return countStep(false)
  })
  return { name, ...counts, seconds: (Date.now() - begun) / 1000 }
}

/**
 * Runs suites one after the other, all of them whatever fails, and prints what each counted and how long it took.
 * @param {readonly Step[]} steps
 */
export async function runSuites(steps) {
  /** @type {SuiteResult[]} */
  const results = []
  const begun = Date.now()
  for (const together of steps.map((each) => [each].flat())) {
    console.log(`\n── ${together.map(({ name }) => name).join(', ')}`)
    results.push(...(await Promise.all(together.map(timed))))
  }
  console.log(`\n${summary(results).join('\n')}`)
  console.log(`\nall of it in ${((Date.now() - begun) / 60_000).toFixed(1)} min`)
  return total(results)
}
