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
import { countCommand, countPlaywright, countVitest, failureReport, summary, total } from './results.mjs'
import { runTool } from './tools.mjs'

/**
 * @typedef {import('./results.mjs').Outcome} Outcome
 * @typedef {import('./results.mjs').SuiteResult} SuiteResult
 * @typedef {{ name: string, run: () => Promise<Outcome> }} Suite
 * @typedef {Suite | readonly Suite[]} Step one suite, or several that run in parallel
 */

/** The timeouts below only stop what hangs: they are far longer than a slow machine needs. */
const MINUTE = 60_000

/**
 * A suite that runs one command and shows its output only if it fails.
 * @param {string} name
 * @param {() => Promise<import('./process.mjs').RunResult>} runCommand
 * @returns {Suite}
 */
function commandSuite(name, runCommand) {
  return {
    name,
    run: async () => {
      const result = await runCommand()
      if (result.ok) return countCommand(true)
      console.error(result.output.trimEnd())
      return { ...countCommand(false), details: [...lastLines(result.output), ...timeoutDetails(result)] }
    },
  }
}

/** @param {import('./process.mjs').RunResult} result */
function timeoutDetails({ timedOut }) {
  return timedOut ? ['It timed out and was killed.'] : []
}

/**
 * Reads the report of a test runner; null if it wrote none.
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
 * Calls `use` with a new folder, then deletes it.
 * @template T
 * @param {(folder: string) => Promise<T>} use
 */
async function withTemporaryFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'vignette-test-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A suite that runs projects of vitest.config.ts.
 * @param {string} name
 * @param {number} timeoutMs
 * @param {{ names?: readonly string[], onlyLong?: boolean }} [filter] `names`: parts of file names, or none for all files;
 *   `onlyLong`: whether to run only the tests with the tag `long`, or only the others
 * @returns {Suite}
 */
function vitest(name, timeoutMs, { names = [], onlyLong = false } = {}) {
  // `unit*` matches `unit` and `unit-isolated`.
  const project = name === 'unit' ? 'unit*' : name
  return {
    name: `${name} tests`,
    run: () =>
      withTemporaryFolder(async (folder) => {
        const file = join(folder, 'report.json')
        const args = ['run', ...names, '--project', project, '--reporter=default', '--reporter=json']
        args.push(`--tags-filter=${onlyLong ? 'long' : '!long'}`)
        const result = await runTool('vitest', [...args, `--outputFile.json=${file}`], { timeoutMs })
        const report = readReport(file)
        const details = [...failureLines(vitestFailures(report)), ...timeoutDetails(result)]
        return { ...countVitest(report, result.ok, onlyLong), details }
      }),
  }
}

/** @type {readonly Suite[]} */
const STATIC = [
  commandSuite('typecheck', () =>
    runTool('typescript', ['-p', '.'], { command: 'tsc', quiet: true, timeoutMs: 5 * MINUTE }),
  ),
  commandSuite('lint and format', () =>
    runTool('@biomejs/biome', ['check', '--error-on-warnings', '.'], { quiet: true, timeoutMs: 5 * MINUTE }),
  ),
  commandSuite('dead code', () => runTool('knip', [], { quiet: true, timeoutMs: 5 * MINUTE })),
]

/** @type {Suite} */
const GENERATED_FILES = commandSuite('generated files are fresh', () =>
  run(process.execPath, [join(ROOT, 'scripts/types.mjs'), '--check'], {
    quiet: true,
    timeoutMs: 5 * MINUTE,
  }),
)

/** @type {Suite} */
const BUILD = commandSuite('build', () =>
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
    return { ...total(parts.map(({ ok }) => countCommand(ok))), details: lines }
  },
}

const UNIT = vitest('unit', 10 * MINUTE)

/**
 * The steps of `npm run check`.
 * @type {readonly Step[]}
 */
export const CHECK_STEPS = [[...STATIC, GENERATED_FILES], UNIT]

const BACKEND = vitest('backend', 20 * MINUTE)

const PACKAGING = vitest('packaging', 10 * MINUTE)

/**
 * The steps of `npm test` before the end-to-end tests. The Vitest suites run in parallel, because the backend tests often
 * wait. The backend suite also checks that generated files are fresh.
 * @type {readonly Step[]}
 */
export const BASE_STEPS = [[...STATIC, BUILD], BUNDLES, [UNIT, BACKEND, PACKAGING]]

/**
 * Tests of tests/long, all or those whose file name contains one of the given names.
 * @param {readonly string[]} names
 */
export function longTests(names) {
  return vitest('long', 60 * MINUTE, { names })
}

/** Tests of the backend project with the tag `long`. */
export const LONG_BACKEND = vitest('backend', 30 * MINUTE, { onlyLong: true })

/** Marks end-to-end tests that only `npm run test:long` runs; each of their rows also has a test that `npm test` runs. */
export const LONG_TAG = '@long'

/**
 * A suite that runs a project of playwright.config.ts.
 * @param {'browser' | 'desktop'} project
 * @param {readonly string[]} [args] more arguments for Playwright
 * @returns {Suite}
 */
export function endToEnd(project, args = []) {
  return {
    name: `end-to-end (${project})`,
    run: () =>
      withTemporaryFolder(async (folder) => {
        const isInChromium = project === 'browser' || desktopRuntime() === 'standin'
        const chromium = isInChromium ? await ensureChromium() : ''
        if (chromium === null) return { ...countCommand(false), details: ['No Chromium is available.'] }
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
        const details = [...failureLines(playwrightFailures(report)), ...timeoutDetails(result)]
        return { ...countPlaywright(report, result.ok), details }
      }),
  }
}

/**
 * Runs a suite and measures its time. A rejection counts as a failure.
 * @param {Suite} suite
 * @returns {Promise<SuiteResult>}
 */
async function runSuite({ name, run }) {
  const startedAt = Date.now()
  const outcome = await run().catch((error) => {
    console.error(error instanceof Error ? error.message : error)
    return { ...countCommand(false), details: [String(error)] }
  })
  return { name, ...outcome, seconds: (Date.now() - startedAt) / 1000 }
}

/**
 * Runs all steps in sequence, even after a failure, and prints counts, times and the details of failures.
 * @param {readonly Step[]} steps
 */
export async function runSuites(steps) {
  /** @type {SuiteResult[]} */
  const results = []
  const startedAt = Date.now()
  for (const suites of steps.map((step) => [step].flat())) {
    console.log(`\n── ${suites.map(({ name }) => name).join(', ')}`)
    results.push(...(await Promise.all(suites.map(runSuite))))
  }
  console.log(`\n${summary(results).join('\n')}`)
  console.log(`\ntotal time ${((Date.now() - startedAt) / 60_000).toFixed(1)} min`)
  for (const line of failureReport(results)) console.log(line)
  return total(results)
}
