import { expect, test } from 'vitest'
import { countPlaywright, countVitest, failureReport, summary, total } from '../../scripts/lib/results.mjs'

const vitestReport = (over: object = {}) => ({
  numPassedTests: 10,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ status: 'passed', assertionResults: [{}] }],
  ...over,
})

const playwrightReport = (stats: object = {}, errors: unknown[] = []) => ({
  stats: { expected: 5, unexpected: 0, flaky: 0, skipped: 0, ...stats },
  errors,
})

test('a report is counted as it is', () => {
  expect(countVitest(vitestReport(), true)).toEqual({ passed: 10, failed: 0, skipped: 0 })
  expect(countPlaywright(playwrightReport({ unexpected: 2, skipped: 1 }), false)).toEqual({
    passed: 5,
    failed: 2,
    skipped: 1,
  })
})

test('a suite without a report has failed once', () => {
  expect(countVitest(null, true)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  expect(countPlaywright(null, true)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

test('a test file that cannot be loaded counts as a failure', () => {
  const testResults = [{ status: 'failed', assertionResults: [] }]
  expect(countVitest(vitestReport({ testResults }), false).failed).toBe(1)
})

test('a suite that ends badly without a failed test has failed once', () => {
  expect(countVitest(vitestReport(), false)).toEqual({ passed: 10, failed: 1, skipped: 0 })
  expect(countPlaywright(playwrightReport(), false).failed).toBe(1)
  expect(countPlaywright(playwrightReport({}, [{ message: 'no tests found' }]), false).failed).toBe(1)
})

test('tests that the filter by tag left out are not counted as skipped', () => {
  const assertionResults = [
    { status: 'passed', tags: [] },
    { status: 'skipped', tags: ['long'] },
    { status: 'skipped', tags: [] },
  ]
  const report = vitestReport({ numPendingTests: 2, testResults: [{ status: 'passed', assertionResults }] })
  expect(countVitest(report, true).skipped).toBe(1)
  expect(countVitest(report, true, true).skipped).toBe(1)
})

test('a test that only passed when tried again has failed', () => {
  expect(countPlaywright(playwrightReport({ flaky: 1 }), true).failed).toBe(1)
})

test('suites add up, and each gets its line', () => {
  const results = [
    { name: 'unit', passed: 10, failed: 0, skipped: 0, seconds: 1.25 },
    { name: 'backend tests', passed: 3, failed: 2, skipped: 1, seconds: 60 },
  ]
  expect(total(results)).toEqual({ passed: 13, failed: 2, skipped: 1 })
  expect(summary(results)).toEqual([
    '✓ unit           10 passed, 0 failed (1.3 s)',
    '✗ backend tests  3 passed, 2 failed, 1 skipped (60.0 s)',
  ])
})

test('why suites failed is repeated, of those alone', () => {
  const counts = { passed: 1, failed: 0, skipped: 0, seconds: 1 }
  const results = [
    { ...counts, name: 'typecheck', said: ['fine'] },
    { ...counts, name: 'lint and format', failed: 1, said: ['README.md format', 'Found 1 error.'] },
    { ...counts, name: 'build', failed: 1 },
  ]
  expect(failureReport(results)).toEqual([
    '',
    '✗ lint and format',
    '  README.md format',
    '  Found 1 error.',
    '',
    '✗ build',
  ])
})
