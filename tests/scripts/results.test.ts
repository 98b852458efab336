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

test('counts passed, failed and skipped tests', () => {
  expect(countVitest(vitestReport(), true)).toEqual({ passed: 10, failed: 0, skipped: 0 })
  expect(countPlaywright(playwrightReport({ unexpected: 2, skipped: 1 }), false)).toEqual({
    passed: 5,
    failed: 2,
    skipped: 1,
  })
})

test('a suite without a report counts as one failure', () => {
  expect(countVitest(null, true)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  expect(countPlaywright(null, true)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

test('a test file that fails to load counts as a failure', () => {
  const testResults = [{ status: 'failed', assertionResults: [] }]
  expect(countVitest(vitestReport({ testResults }), false).failed).toBe(1)
})

test('a suite that crashes without a failed test counts as one failure', () => {
  expect(countVitest(vitestReport(), false)).toEqual({ passed: 10, failed: 1, skipped: 0 })
  expect(countPlaywright(playwrightReport(), false).failed).toBe(1)
  expect(countPlaywright(playwrightReport({}, [{ message: 'no tests found' }]), false).failed).toBe(1)
})

test('tests that the tag filter excludes do not count as skipped', () => {
  const assertionResults = [
    { status: 'passed', tags: [] },
    { status: 'skipped', tags: ['long'] },
    { status: 'skipped', tags: [] },
  ]
  const report = vitestReport({ numPendingTests: 2, testResults: [{ status: 'passed', assertionResults }] })
  expect(countVitest(report, true).skipped).toBe(1)
  expect(countVitest(report, true, true).skipped).toBe(1)
})

test('a flaky test counts as a failure', () => {
  expect(countPlaywright(playwrightReport({ flaky: 1 }), true).failed).toBe(1)
})

test('adds up suites and prints one line for each', () => {
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

test('repeats the details of failed suites only', () => {
  const counts = { passed: 1, failed: 0, skipped: 0, seconds: 1 }
  const results = [
    { ...counts, name: 'typecheck', details: ['fine'] },
    { ...counts, name: 'lint and format', failed: 1, details: ['README.md format', 'Found 1 error.'] },
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
