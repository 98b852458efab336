// @ts-check

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 *
 * @typedef {Counts & { said?: readonly string[] }} Outcome with what is to be repeated at the end, if it failed
 *
 * @typedef {Outcome & { name: string, seconds: number }} SuiteResult
 *
 * @typedef {object} VitestReport what `vitest --reporter=json` writes, as far as it is read here
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{ status: string, assertionResults: { status?: string, tags?: string[] }[] }[]} testResults one a file
 *
 * @typedef {object} PlaywrightReport what Playwright's json reporter writes, as far as it is read here
 * @property {{ expected: number, unexpected: number, flaky: number, skipped: number }} stats
 * @property {unknown[]} errors failures outside of any test
 */

/**
 * A suite that ended badly though it counted no failure (it crashed, hung, or wrote no report) has one.
 * @param {Counts} counts
 * @param {boolean} ok how its program ended
 * @returns {Counts}
 */
function withCrash(counts, ok) {
  return ok || counts.failed > 0 ? counts : { ...counts, failed: 1 }
}

/**
 * Vitest calls tests skipped that the filter by tag left out; they are not counted.
 * @param {VitestReport | null} report
 * @param {boolean} ok
 * @param {boolean} [onlyLong] whether the tests with the tag `long` were run, or the others
 */
export function countVitest(report, ok, onlyLong = false) {
  if (report === null) return { passed: 0, failed: 1, skipped: 0 }
  // A file that cannot even be loaded has no tests to count.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const leftOut = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, tags = [] }) => status === 'skipped' && tags.includes('long') !== onlyLong)
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests - leftOut.length,
  }
  return withCrash(counts, ok)
}

/**
 * A test that passed only when tried again counts as failed.
 * @param {PlaywrightReport | null} report
 * @param {boolean} ok
 */
export function countPlaywright(report, ok) {
  if (report === null) return { passed: 0, failed: 1, skipped: 0 }
  const { expected, unexpected, flaky, skipped } = report.stats
  return withCrash({ passed: expected, failed: unexpected + flaky + report.errors.length, skipped }, ok)
}

/**
 * A step that is not a test runner: one passed, or one failed.
 * @param {boolean} ok
 * @returns {Counts}
 */
export function countStep(ok) {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 }
}

/**
 * One line a suite.
 * @param {readonly SuiteResult[]} results
 */
export function summary(results) {
  const width = Math.max(...results.map(({ name }) => name.length))
  return results.map(({ name, passed, failed, skipped, seconds }) => {
    const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    return `${failed > 0 ? '✗' : '✓'} ${name.padEnd(width)}  ${counts} (${seconds.toFixed(1)} s)`
  })
}

/**
 * Why suites failed, to be read where the output ends: the rest of it may be far above, or cut off.
 * @param {readonly SuiteResult[]} results
 */
export function failureReport(results) {
  return results
    .filter(({ failed }) => failed > 0)
    .flatMap(({ name, said = [] }) => ['', `✗ ${name}`, ...said.map((line) => `  ${line}`)])
}

/**
 * Several counts as one.
 * @param {readonly Counts[]} results
 * @returns {Counts}
 */
export function total(results) {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const { passed, failed, skipped } of results) {
    sum.passed += passed
    sum.failed += failed
    sum.skipped += skipped
  }
  return sum
}
