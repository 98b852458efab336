import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { failureLines, lastLines, playwrightFailures, vitestFailures } from '../../scripts/lib/failures.mjs'
import { ROOT } from '../../scripts/lib/paths.mjs'

test('keeps the last twenty non-empty lines of a program, without colours', () => {
  const output = Array.from({ length: 30 }, (_, index) => `\u001b[31mline ${index}\u001b[39m`).join('\n\n')
  const lines = lastLines(`${output}\n`)
  expect(lines).toHaveLength(20)
  expect(lines.at(-1)).toBe('line 29')
})

describe('the list of failed tests', () => {
  test('has the name and the first lines of the message of each', () => {
    expect(
      failureLines([{ name: 'a.test.ts: adds up', message: 'expected 1\n  to be 2\n\n at a\n at b\n at c' }]),
    ).toEqual(['a.test.ts: adds up', '    expected 1', '    to be 2', '    at a', '    at b'])
  })

  test('has only names if there are many, and is cut off after twenty lines', () => {
    const failures = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `test ${index}`, message: 'no' }))
    expect(failureLines(failures(20))).toEqual(failures(20).map(({ name }) => name))
    const lines = failureLines(failures(25))
    expect(lines).toHaveLength(20)
    expect(lines.at(-1)).toBe('and 6 more')
  })
})

test('reads failed tests and files that fail to load from a Vitest report', () => {
  const passed = { fullName: 'is fine', status: 'passed' }
  const failed = { fullName: 'counts adds up', status: 'failed', failureMessages: ['expected 1 to be 2'] }
  const report = {
    testResults: [
      { name: join(ROOT, 'a.test.ts'), status: 'failed', assertionResults: [passed, failed] },
      { name: join(ROOT, 'b.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] },
      { name: join(ROOT, 'c.test.ts'), status: 'passed', assertionResults: [passed] },
    ],
  }
  expect(vitestFailures(report)).toEqual([
    { name: 'a.test.ts: counts adds up', message: 'expected 1 to be 2' },
    { name: 'b.test.ts', message: 'no such module' },
  ])
  expect(vitestFailures(null)).toEqual([])
})

test('reads failed tests of nested suites and errors outside of tests from a Playwright report', () => {
  const spec = (title: string, ok: boolean) => ({
    title,
    file: 'feed.spec.ts',
    line: 7,
    ok,
    tests: [{ results: [ok ? {} : { error: { message: 'locator not found' } }] }],
  })
  const report = {
    suites: [{ specs: [spec('opens', true)], suites: [{ specs: [spec('closes', false)] }] }],
    errors: [{ message: 'no tests found' }],
  }
  expect(playwrightFailures(report)).toEqual([
    { name: 'feed.spec.ts:7: closes', message: 'locator not found' },
    { name: 'Outside of any test', message: 'no tests found' },
  ])
  expect(playwrightFailures(null)).toEqual([])
})
