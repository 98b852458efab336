// @ts-check
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureBundles } from './budgets.mjs'
import { ensureChromium } from './chromium.mjs'
import { desktopRuntime } from './desktop.mjs'
import { failureLines, lastLines, playwrightFailures, vitestFailures } from './failures.mjs'
import { ROOT } from './paths.mjs'
import { run } from './process.mjs'
import { countPlaywright, countStep, countVitest, failureReport, summary, total } from './results.mjs'
import { runTool } from './tools.mjs'

/**
 * @typedef {import('./results.mjs').Outcome} Outcome
 * @typedef {import('./results.mjs').SuiteResult} SuiteResult
 * @typedef {{ name: string, run: () => Promise<Outcome> }} Suite
 * @typedef {Suite | readonly Suite[]} Step one suite, or several that run side by side
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
      if (result.ok) return countStep(true)
      console.error(result.output.trimEnd())
      return { ...countStep(false), said: [...lastLines(result.output), ...timeOut(result)] }
    },
  }
}

/** @param {import('./process.mjs').RunResult} result */
function timeOut({ timedOut }) {
  return timedOut ? ['It took too long and was ended.'] : []
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
 * One or more projects of vitest.config.ts.
 * @param {string} name
 * @param {number} timeoutMs
 * @param {{ names?: readonly string[], onlyLong?: boolean }} [choice] parts of file names, all files without any; and whether
 *   to run the tests with the tag `long` or the others
 * @returns {Suite}
 */
function vitest(name, timeoutMs, { names = [], onlyLong = false } = {}) {
  // `unit*` is `unit` and `unit-isolated`.
  const project = name === 'unit' ? 'unit*' : name
  return {
    name: `${name} tests`,
    run: () =>
      inTemporaryFolder(async (folder) => {
        const file = join(folder, 'report.json')
        const args = ['run', ...names, '--project', project, '--reporter=default', '--reporter=json']
        args.push(`--tags-filter=${onlyLong ? 'long' : '!long'}`)
        const result = await runTool('vitest', [...args, `--outputFile.json=${file}`], { timeoutMs })
        const report = readReport(file)
        const said = [...failureLines(vitestFailures(report)), ...timeOut(result)]
        return { ...countVitest(report, result.ok, onlyLong), said }
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
const BUILD = step('build', () =>
  run(process.execPath, [join(ROOT, 'scripts/build.mjs'), '--stale'], {
    quiet: true,
    timeoutMs: 10 * MINUTE,
  }),
)

/** @type {Suite} */
const BUNDLES = {
  name: 'bundle sizes',
  run: async () => {
    const parts = measureBundles()
    const lines = parts.map(({ name, bytes, budget, ok }) => {
      const size = `${(bytes / 1000).toFixed(1)} of ${budget / 1000} KB`
      return `${ok ? '' : 'Too large: '}${name}: ${size}`
    })
    console.log(lines.join('\n'))
    return { ...total(parts.map(({ ok }) => countStep(ok))), said: lines }
  },
}

const UNIT = vitest('unit', 10 * MINUTE)

/**
 * What `npm run check` does.
 * @type {readonly Step[]}
 */
export const CHECKS = [[...STATIC, FRESH], UNIT]

const BACKEND = vitest('backend', 20 * MINUTE)

const PACKAGING = vitest('packaging', 10 * MINUTE)

/**
 * What `npm test` does before the end-to-end tests. The suites of Vitest run side by side: those of the backend often wait.
 * The backend suite checks that generated files are fresh.
 * @type {readonly Step[]}
 */
export const BASICS = [[...STATIC, BUILD], BUNDLES, [UNIT, BACKEND, PACKAGING]]

/**
 * Tests of tests/long, all or those whose file name contains one of the given names.
 * @param {readonly string[]} names
 */
export function longTests(names) {
  return vitest('long', 60 * MINUTE, { names })
}

/** Tests of the backend project with the tag `long`. */
export const LONG_BACKEND = vitest('backend', 30 * MINUTE, { onlyLong: true })

/** Marks end-to-end tests of `npm run test:long`; for their acceptance row `npm test` has another end-to-end test. */
export const LONG_TAG = '@long'

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
        if (chromium === null) return { ...countStep(false), said: ['There is no Chromium to run it in.'] }
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
        const report = readReport(file)
        const said = [...failureLines(playwrightFailures(report)), ...timeOut(result)]
        return { ...countPlaywright(report, result.ok), said }
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
  const outcome = await runSuite().catch((error) => {
    console.error(error instanceof Error ? error.message : error)
    return { ...countStep(false), said: [String(error)] }
  })
  return { name, ...outcome, seconds: (Date.now() - begun) / 1000 }
}

/**
 * Runs suites one after the other, all of them whatever fails, and prints what each counted, how long it took, and once
 * more why it failed.
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
  for (const line of failureReport(results)) console.log(line)
  return total(results)
}
