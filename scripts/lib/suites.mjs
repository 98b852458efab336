// @ts-check
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ensureChromium } from './chromium.mjs'
import { ROOT } from './paths.mjs'
import { run } from './process.mjs'
import { toolPath } from './tools.mjs'

/**
 * A part of `npm test` or `npm run test:long`.
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} script of Node
 * @property {string[]} args
 * @property {'vitest' | 'playwright'} [runner] whose report counts; without one, the command counts as one test
 * @property {NodeJS.ProcessEnv} [env] added to this process' environment
 *
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {readonly string[]} failures the name of each failed test, or why the suite failed
 *
 * @typedef {import('vitest/node').JsonTestResults} VitestReport
 * @typedef {import('@playwright/test/reporter').JSONReportSuite} PlaywrightSuite
 * @typedef {import('@playwright/test/reporter').JSONReport} PlaywrightReport
 */

const MINUTE = 60_000
/** After this time Playwright stops and reports what has run. */
const PLAYWRIGHT_MS = 120 * MINUTE
/** Only stops a suite that hangs: far longer than a slow machine needs. */
const SUITE_MS = PLAYWRIGHT_MS + MINUTE
/** How much of a failed suite, and of each error of a failed test, the end repeats. */
const MAX_LINES = 20

/** Marks end-to-end tests that only `npm run test:long` runs; each of their rows also has a test that `npm test` runs. */
const LONG_TAG = '@long'
/** Marks end-to-end tests with steps that only `npm run test:long` runs. */
const STEPS_TAG = '@steps'

/**
 * @param {string} name
 * @param {string} packageName
 * @param {string[]} args
 * @param {string} [command]
 * @returns {Suite}
 */
const tool = (name, packageName, args, command) => ({ name, script: toolPath(packageName, command), args })

/**
 * @param {string} name
 * @param {string[]} args
 * @returns {Suite}
 */
const vitest = (name, args) => ({ ...tool(name, 'vitest', ['run', ...args]), runner: 'vitest' })

/**
 * @param {string} name
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Suite}
 */
const playwright = (name, args, env = {}) => ({
  ...tool(name, '@playwright/test', ['test', `--global-timeout=${PLAYWRIGHT_MS}`, ...args], 'playwright'),
  runner: 'playwright',
  env,
})

const BUILD = { name: 'build', script: join(ROOT, 'scripts/build.mjs'), args: ['--stale'] }

/** The steps of `npm test`. Suites of one step run beside each other; the end-to-end tests come last, because they need both cores. */
export const allSteps = () => [
  [
    // With several threads, each compiler checks the same types several times.
    tool('typecheck', 'typescript', ['--singleThreaded', '-p', '.'], 'tsc'),
    tool('typecheck (renderer)', 'typescript', ['--singleThreaded', '-p', 'src/renderer'], 'tsc'),
    tool('typecheck (main and backend)', 'typescript', ['--singleThreaded', '-p', 'src/main'], 'tsc'),
    tool('lint and format', '@biomejs/biome', ['check', '--error-on-warnings', '.']),
    tool('dead code', 'knip', []),
    BUILD,
  ],
  [
    vitest('unit tests', ['--project=unit*', '--tags-filter=!long']),
    vitest('backend tests', ['--project=backend', '--tags-filter=!long']),
    vitest('packaging tests', ['--project=packaging', '--tags-filter=!long']),
  ],
  [
    // The tests of motion turn it on themselves.
    playwright('end-to-end tests', [`--grep-invert=${LONG_TAG}`], {
      VIGNETTE_TEST_STEPS: 'short',
      VIGNETTE_TEST_MOTION: 'reduce',
    }),
  ],
]

/**
 * The steps of `npm run test:long`.
 * @param {readonly string[]} names parts of file names of Vitest's long tests; without names, the long end-to-end tests also run
 */
export function longSteps(names) {
  const isLong = `--grep=${LONG_TAG}|${STEPS_TAG}`
  const suites = [
    BUILD,
    vitest('long tests', ['--project=long', '--passWithNoTests', ...names]),
    vitest('long backend tests', ['--project=backend', '--tags-filter=long', '--passWithNoTests', ...names]),
  ]
  const endToEnd = [
    playwright('end-to-end (desktop)', ['--project=desktop', isLong]),
    // The stand-in imitates other systems, on which all desktop tests must pass.
    playwright('end-to-end (desktop, as Windows)', ['--project=desktop'], { STANDIN_PLATFORM: 'win32' }),
    playwright('end-to-end (desktop, as macOS)', ['--project=desktop'], { STANDIN_PLATFORM: 'darwin' }),
    playwright('end-to-end (browser)', ['--project=browser', isLong]),
  ]
  return [...suites, ...(names.length === 0 ? endToEnd : [])].map((suite) => [suite])
}

/** Without colours and blank lines. @param {string} text @returns {string[]} */
const linesOf = (text) => stripVTControlCharacters(text).match(/^.*\S.*$/gm) ?? []

/** A failed test, and how its errors begin. @param {string} name @param {readonly string[] | null} [errors] */
const failure = (name, errors) =>
  [name, ...(errors ?? []).flatMap((error) => linesOf(error).slice(0, MAX_LINES))].join('\n    ')

/** @param {VitestReport} report @returns {Outcome} */
export function vitestOutcome({ testResults }) {
  const results = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(ROOT, name)
    // A file that fails to load has no tests.
    if (assertionResults.length === 0 && status === 'failed') return [{ name: file, status }]
    return assertionResults.map(({ fullName, status, failureMessages: errors }) => {
      return { name: failure(`${file}: ${fullName}`, errors), status }
    })
  })
  const failed = results.filter(({ status }) => status === 'failed')
  const passed = results.filter(({ status }) => status === 'passed')
  return { passed: passed.length, failures: failed.map(({ name }) => name) }
}

/** @param {PlaywrightSuite} suite @returns {PlaywrightSuite['specs']} */
const allSpecs = ({ suites = [], specs }) => [...specs, ...suites.flatMap(allSpecs)]

/** @param {PlaywrightReport} report @returns {Outcome} */
export function playwrightOutcome({ stats: { expected, flaky, skipped }, suites, errors }) {
  const failed = suites.flatMap(allSpecs).filter(({ ok }) => !ok)
  return {
    passed: expected,
    failures: [
      ...failed.map(({ title, file, line, tests = [] }) => {
        const found = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
        return failure(
          `${file}:${line}: ${title}`,
          found.map(({ message = '' }) => message),
        )
      }),
      ...errors.map(({ message = '' }) => message.split('\n')[0] ?? ''),
      ...(flaky > 0 ? [`${flaky} passed only on a retry`] : []),
      ...(skipped > 0 ? [`${skipped} did not run`] : []),
    ],
  }
}

const OUTCOMES = { vitest: vitestOutcome, playwright: playwrightOutcome }

/**
 * Runs a suite. Never throws: a suite that crashes, hangs or cannot start has failed.
 * @param {Suite} suite
 * @returns {Promise<Outcome>}
 */
async function outcomeOf({ script, args, runner, env }) {
  if (runner === 'playwright' && (await ensureChromium()) === null)
    return { passed: 0, failures: ['No Chromium is available.'] }
  const folder = mkdtempSync(join(tmpdir(), 'vignette-test-'))
  const report = join(folder, 'report.json')
  const reporters = {
    vitest: ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    playwright: ['--reporter=list,json'],
  }
  try {
    const { ok, timedOut, output } = await run(
      process.execPath,
      [script, ...args, ...(runner ? reporters[runner] : [])],
      {
        quiet: runner === undefined,
        timeoutMs: SUITE_MS,
        env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      },
    )
    if (timedOut) return { passed: 0, failures: ['It timed out and was killed.'] }
    if (runner === undefined) {
      // Its output is shown at the end, as the text of its one failure.
      return ok
        ? { passed: 1, failures: [] }
        : { passed: 0, failures: [linesOf(output).slice(-MAX_LINES).join('\n  ')] }
    }
    if (!existsSync(report)) return { passed: 0, failures: ['It wrote no report.'] }
    const outcome = OUTCOMES[runner](JSON.parse(readFileSync(report, 'utf8')))
    return ok || outcome.failures.length > 0
      ? outcome
      : { ...outcome, failures: ['It failed outside of its tests; see its output.'] }
  } catch (error) {
    return { passed: 0, failures: [String(error)] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Runs all steps in sequence, even after a failure. Prints a line for each suite, then the failures of each: last, because the output
 * above may be cut.
 * @param {Suite[][]} steps
 */
export async function runSuites(steps) {
  /** @type {({ name: string, seconds: number } & Outcome)[]} */
  const results = []
  for (const suites of steps) {
    console.log(`\n── ${suites.map(({ name }) => name).join(', ')}`)
    const finished = suites.map(async (suite) => {
      const startedAt = Date.now()
      const outcome = await outcomeOf(suite)
      return { name: suite.name, seconds: (Date.now() - startedAt) / 1000, ...outcome }
    })
    results.push(...(await Promise.all(finished)))
  }
  const width = Math.max(...results.map(({ name }) => name.length))
  console.log('')
  for (const { name, seconds, passed, failures } of results) {
    const counts = `${passed} passed, ${failures.length} failed (${seconds.toFixed(1)} s)`
    console.log(`${failures.length > 0 ? '✗' : '✓'} ${name.padEnd(width)}  ${counts}`)
  }
  for (const { name, failures } of results.filter((result) => result.failures.length > 0)) {
    const more = failures.length > MAX_LINES ? ['and more'] : []
    console.log([`\n✗ ${name}`, ...failures.slice(0, MAX_LINES), ...more].join('\n  '))
  }
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failures }) => sum + failures.length, 0),
  }
}
