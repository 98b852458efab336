import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../scripts/lib/paths.mjs'
import { commandOutcome, playwrightOutcome, summary, vitestOutcome } from '../../scripts/lib/results.mjs'

describe('a command', () => {
  test('counts as one test, and repeats the last twenty lines of its output without colours if it fails', () => {
    expect(commandOutcome(true, 'fine')).toEqual({ passed: 1, failed: 0, skipped: [], details: [] })
    const output = Array.from({ length: 30 }, (_, index) => `\u001b[31mline ${index}\u001b[39m`).join('\n\n')
    const { details, ...counts } = commandOutcome(false, `${output}\n`)
    expect(counts).toEqual({ passed: 0, failed: 1, skipped: [] })
    expect(details).toHaveLength(20)
    expect(details.at(-1)).toBe('line 29')
  })
})

describe('a Vitest report', () => {
  const passed = { fullName: 'is fine', status: 'passed' }
  const failed = { fullName: 'counts adds up', status: 'failed' }
  const file = (name: string, assertionResults: object[], status = 'passed') => ({
    name: join(ROOT, name),
    status,
    assertionResults: assertionResults as { fullName: string; status: string }[],
  })

  test('counts passed and failed tests, and names the failed and skipped ones', () => {
    const testResults = [
      file('a.test.ts', [passed, passed, failed, { fullName: 'waits', status: 'skipped' }]),
    ]
    expect(vitestOutcome({ testResults }, false)).toEqual({
      passed: 2,
      failed: 1,
      skipped: ['a.test.ts: waits'],
      details: ['a.test.ts: counts adds up'],
    })
  })

  test('counts a file that fails to load as a failure', () => {
    const testResults = [file('a.test.ts', [passed]), file('b.test.ts', [], 'failed')]
    expect(vitestOutcome({ testResults }, false)).toMatchObject({ failed: 1, details: ['b.test.ts'] })
  })

  test('counts a crash without a failed test as one failure', () => {
    expect(vitestOutcome({ testResults: [file('a.test.ts', [passed])] }, false)).toMatchObject({
      passed: 1,
      failed: 1,
    })
  })

  test('does not count tests that the tag filter excludes', () => {
    const skipped = { fullName: 'waits', status: 'skipped' }
    const testResults = [
      file('a.test.ts', [
        passed,
        { fullName: 'waits for long', status: 'skipped', tags: ['long'] },
        { ...skipped, tags: [] },
      ]),
    ]
    expect(vitestOutcome({ testResults }, true).skipped).toEqual(['a.test.ts: waits'])
    expect(vitestOutcome({ testResults }, true, true).skipped).toEqual(['a.test.ts: waits for long'])
  })

  test('repeats at most twenty names', () => {
    const many = Array.from({ length: 25 }, (_, index) => ({ ...failed, fullName: `test ${index}` }))
    const { failed: count, details } = vitestOutcome({ testResults: [file('a.test.ts', many)] }, false)
    expect(count).toBe(25)
    expect(details).toHaveLength(21)
    expect(details.at(-1)).toBe('and more')
  })
})

describe('a Playwright report', () => {
  const report = (over: object = {}) => ({
    stats: { expected: 5, flaky: 0 },
    errors: [],
    ...over,
  })
  const spec = (title: string, ok: boolean, status = ok ? 'expected' : 'unexpected') => ({
    ...{ title, ok, tests: [{ status }] },
    ...{ file: 'feed.spec.ts', line: 7 },
  })

  test('counts passed tests, and names the failed and skipped ones of nested suites', () => {
    const nested = { specs: [spec('closes', false), spec('waits', true, 'skipped')] }
    const suites = [{ specs: [spec('opens', true)], suites: [nested] }]
    expect(playwrightOutcome(report({ suites }), false)).toEqual({
      passed: 5,
      failed: 1,
      skipped: ['feed.spec.ts:7: waits'],
      details: ['feed.spec.ts:7: closes'],
    })
  })

  test('counts errors outside of tests, crashes and flaky tests as failures', () => {
    const outside = report({ errors: [{ message: 'no tests found' }] })
    expect(playwrightOutcome(outside, false)).toMatchObject({ failed: 1, details: ['no tests found'] })
    expect(playwrightOutcome(report(), false).failed).toBe(1)
    const stats = { expected: 5, flaky: 1 }
    expect(playwrightOutcome(report({ stats }), true).failed).toBe(1)
  })
})

test('prints one line for each suite, then what did not run, then the details of the failed ones', () => {
  const results = [
    { name: 'unit', passed: 10, failed: 0, skipped: [], seconds: 1.25, details: ['fine'] },
    {
      name: 'backend tests',
      passed: 3,
      failed: 2,
      skipped: ['a: waits'],
      seconds: 60,
      details: ['a: one', 'a: two'],
    },
    { name: 'build', passed: 0, failed: 1, skipped: [], seconds: 2, details: [] },
  ]
  expect(summary(results)).toEqual([
    '✓ unit           10 passed, 0 failed (1.3 s)',
    '✗ backend tests  3 passed, 2 failed, 1 skipped (60.0 s)',
    '✗ build          0 passed, 1 failed (2.0 s)',
    '',
    '○ backend tests: did not run',
    '  a: waits',
    '',
    '✗ backend tests',
    '  a: one',
    '  a: two',
    '',
    '✗ build',
  ])
})
