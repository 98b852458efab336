// @ts-check
import { relative } from 'node:path'
import { ROOT } from './paths.mjs'

/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed
 * @property {readonly string[]} skipped the names of tests that did not run
 * @property {readonly string[]} details lines that are repeated at the end if the suite failed
 *
 * @typedef {Outcome & { name: string, seconds: number }} SuiteResult
 *
 * @typedef {object} VitestReport the part of `vitest --reporter=json` that is used here
 * @property {{ name: string, status: string, assertionResults: { fullName: string, status: string, tags?: string[] }[]
 *   }[]} testResults one per file
 *
 * @typedef {object} PlaywrightSuite
 * @property {PlaywrightSuite[]} [suites]
 * @property {{ title: string, file: string, line: number, ok: boolean, tests: { status: string }[] }[]} [specs]
 *
 * @typedef {object} PlaywrightReport the part of Playwright's JSON report that is used here
 * @property {{ expected: number, flaky: number }} stats
 * @property {PlaywrightSuite[]} [suites]
 * @property {{ message?: string }[]} errors failures outside of any test
 */

/** How many lines of a failed suite the end repeats. */
const MAX_LINES = 20

/** ANSI colour sequences. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/**
 * The outcome of a command that is not a test runner.
 * @param {boolean} ok
 * @param {string} [output]
 * @returns {Outcome}
 */
export function commandOutcome(ok, output = '') {
  if (ok) return { passed: 1, failed: 0, skipped: [], details: [] }
  const lines = output.replace(COLOURS, '').split('\n')
  const details = lines.map((line) => line.trimEnd()).filter((line) => line !== '')
  return { passed: 0, failed: 1, skipped: [], details: details.slice(-MAX_LINES) }
}

/** @param {readonly string[]} lines */
const shortened = (lines) => (lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES), 'and more'])

/**
 * @param {number} passed
 * @param {readonly string[]} skipped
 * @param {readonly string[]} failures
 * @param {boolean} ok
 * @returns {Outcome}
 */
function testOutcome(passed, skipped, failures, ok) {
  // A runner that crashed without a failed test is one failure.
  const all = ok || failures.length > 0 ? failures : ['It failed outside of its tests; see its output.']
  return { passed, failed: all.length, skipped, details: shortened(all) }
}

/**
 * @param {VitestReport} report
 * @param {boolean} ok
 * @param {boolean} [onlyLong] whether only the tests with the tag `long` were run, or only the others: Vitest reports
 *   the excluded tests as skipped
 */
export function vitestOutcome({ testResults }, ok, onlyLong = false) {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: relative(ROOT, name) })),
  )
  const failed = tests.filter(({ status }) => status === 'failed')
  // A file that fails to load has no tests.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const skipped = tests.filter(
    ({ status, tags = [] }) => !['passed', 'failed'].includes(status) && tags.includes('long') === onlyLong,
  )
  const nameOf = (/** @type {{ file: string, fullName: string }} */ { file, fullName }) =>
    `${file}: ${fullName}`
  const failures = [...failed.map(nameOf), ...broken.map(({ name }) => relative(ROOT, name))]
  const passed = tests.filter(({ status }) => status === 'passed').length
  return testOutcome(passed, skipped.map(nameOf), failures, ok)
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {NonNullable<PlaywrightSuite['specs']>}
 */
const allSpecs = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(allSpecs)]

/**
 * @param {PlaywrightReport} report
 * @param {boolean} ok
 */
export function playwrightOutcome({ stats, suites = [], errors }, ok) {
  const flaky = stats.flaky > 0 ? [`${stats.flaky} passed only on a retry`] : []
  const outside = errors.map(({ message = '' }) => message.split('\n')[0] ?? '')
  const specs = suites.flatMap(allSpecs).map(({ title, file, line, ...spec }) => ({
    ...spec,
    name: `${file}:${line}: ${title}`,
  }))
  const failed = specs.filter((spec) => !spec.ok).map(({ name }) => name)
  // Also tests that a global timeout left out.
  const skipped = specs.filter(({ tests }) => tests.some(({ status }) => status === 'skipped'))
  return testOutcome(
    stats.expected,
    skipped.map(({ name }) => name),
    [...failed, ...flaky, ...outside],
    ok,
  )
}

/**
 * One line per suite, then the tests that did not run and the details of failed suites: last, because the output above may be
 * truncated.
 * @param {readonly SuiteResult[]} results
 */
export function summary(results) {
  const width = Math.max(...results.map(({ name }) => name.length))
  const lines = results.map(({ name, passed, failed, skipped, seconds }) => {
    const counts = `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`
    return `${failed > 0 ? '✗' : '✓'} ${name.padEnd(width)}  ${counts} (${seconds.toFixed(1)} s)`
  })
  const left = results
    .filter(({ skipped }) => skipped.length > 0)
    .flatMap(({ name, skipped }) => [
      '',
      `○ ${name}: did not run`,
      ...shortened(skipped).map((line) => `  ${line}`),
    ])
  const failures = results
    .filter(({ failed }) => failed > 0)
    .flatMap(({ name, details }) => ['', `✗ ${name}`, ...details.map((line) => `  ${line}`)])
  return [...lines, ...left, ...failures]
}
