// @ts-check

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 *
 * @typedef {Counts & { details?: readonly string[] }} Outcome `details`: lines for the failure report
 *
 * @typedef {Outcome & { name: string, seconds: number }} SuiteResult
 *
 * @typedef {object} VitestReport the part of `vitest --reporter=json` that is used here
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{ status: string, assertionResults: { status?: string, tags?: string[] }[] }[]} testResults one per file
 *
 * @typedef {object} PlaywrightReport the part of Playwright's JSON report that is used here
 * @property {{ expected: number, unexpected: number, flaky: number, skipped: number }} stats
 * @property {unknown[]} errors failures outside of any test
 */

/**
 * Counts one failure for a suite that crashed, hung or wrote no report.
 * @param {Counts} counts
 * @param {boolean} ok whether its program succeeded
 * @returns {Counts}
 */
function withCrash(counts, ok) {
  return ok || counts.failed > 0 ? counts : { ...counts, failed: 1 }
}

/**
 * Vitest reports tests that the tag filter excluded as skipped; they are not counted.
 * @param {VitestReport | null} report
 * @param {boolean} ok
 * @param {boolean} [onlyLong] whether only the tests with the tag `long` were run, or only the others
 */
export function countVitest(report, ok, onlyLong = false) {
  if (report === null) return { passed: 0, failed: 1, skipped: 0 }
  // A file that fails to load has no tests to count.
  const failedToLoad = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const excluded = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, tags = [] }) => status === 'skipped' && tags.includes('long') !== onlyLong)
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + failedToLoad.length,
    skipped: report.numPendingTests + report.numTodoTests - excluded.length,
  }
  return withCrash(counts, ok)
}

/**
 * A flaky test, which passed only on a retry, counts as failed.
 * @param {PlaywrightReport | null} report
 * @param {boolean} ok
 */
export function countPlaywright(report, ok) {
  if (report === null) return { passed: 0, failed: 1, skipped: 0 }
  const { expected, unexpected, flaky, skipped } = report.stats
  return withCrash({ passed: expected, failed: unexpected + flaky + report.errors.length, skipped }, ok)
}

/**
 * The counts of a command that is not a test runner.
 * @param {boolean} ok
 * @returns {Counts}
 */
export function countCommand(ok) {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 }
}

/**
 * One line per suite.
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
 * The details of the failed suites, printed last because the rest of the output may be far above or truncated.
 * @param {readonly SuiteResult[]} results
 */
export function failureReport(results) {
  return results
    .filter(({ failed }) => failed > 0)
    .flatMap(({ name, details = [] }) => ['', `✗ ${name}`, ...details.map((line) => `  ${line}`)])
}

/**
 * Adds up counts.
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
