import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JSONReport } from '@playwright/test/reporter'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { JsonTestResults } from 'vitest/node'
import { ROOT } from '../../scripts/lib/paths.mjs'
import {
  allSteps,
  longSteps,
  playwrightOutcome,
  runSuites,
  vitestOutcome,
} from '../../scripts/lib/suites.mjs'

describe('npm test', () => {
  test('runs every project of Vitest but the long one, and both of Playwright', () => {
    const projects = (file: string) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^ +(?:test: \{ )?name: '([\w-]+)'/gm)].map(
        ([, name = '']) => name,
      )
    const args = allSteps().flatMap((step) => step.flatMap((suite) => suite.args))
    const patterns = args.flatMap((arg) => /^--project=(.*)/.exec(arg)?.[1] ?? [])
    const isRun = (name: string) => patterns.some((pattern) => name.startsWith(pattern.replace('*', '')))
    expect(projects('vitest.config.ts').filter((name) => !isRun(name))).toEqual(['long'])
    // Without a project, Playwright runs all of them.
    expect(patterns.some((pattern) => projects('playwright.config.ts').includes(pattern))).toBe(false)
  })

  test('npm run test:long runs the rest: all suites, or those of Vitest for files with a name', () => {
    const names = (only: string[]) => longSteps(only).flatMap((step) => step.map(({ name }) => name))
    expect(names([])).toEqual([
      'build',
      'long tests',
      'long backend tests',
      'end-to-end (desktop)',
      'end-to-end (desktop, as Windows)',
      'end-to-end (desktop, as macOS)',
      'end-to-end (browser)',
    ])
    expect(names(['scale'])).toEqual(['build', 'long tests', 'long backend tests'])
    expect(longSteps(['scale']).flatMap((step) => step.map(({ args }) => args.at(-1)))).toEqual([
      '--stale',
      'scale',
      'scale',
    ])
  })
})

describe('a Vitest report', () => {
  const results = (...statuses: string[]) =>
    statuses.map((status, index) => ({ fullName: `test ${index}`, status }))
  /** Only what is read of a report. */
  const outcome = (testResults: object[]) => vitestOutcome({ testResults } as JsonTestResults)
  const file = (name: string, assertionResults: ReturnType<typeof results>, status = 'passed') => ({
    name: join(ROOT, name),
    status,
    assertionResults,
  })

  test('counts passed and failed tests, names the failed ones, and leaves out those that a tag excludes', () => {
    const testResults = [file('a.test.ts', results('passed', 'passed', 'failed', 'skipped'), 'failed')]
    expect(outcome(testResults)).toEqual({ passed: 2, failures: ['a.test.ts: test 2'] })
  })

  test('repeats how the error of a failed test begins, without colours', () => {
    const failureMessages = [`\u001b[31mError: expected 1\u001b[39m\n\n  received 2\n${'at …\n'.repeat(90)}`]
    const [failed] = results('failed')
    const testResults = [file('a.test.ts', [{ ...failed, failureMessages } as never], 'failed')]
    expect(outcome(testResults).failures.map((text) => text.split('\n'))).toEqual([
      ['a.test.ts: test 0', '    Error: expected 1', '      received 2', ...Array(18).fill('    at …')],
    ])
  })

  test('counts a file that fails to load as a failure', () => {
    const testResults = [file('a.test.ts', results('passed')), file('b.test.ts', [], 'failed')]
    expect(outcome(testResults)).toEqual({ passed: 1, failures: ['b.test.ts'] })
  })
})

describe('a Playwright report', () => {
  /** Only what is read of a report. */
  const outcome = (report: object) => playwrightOutcome(report as JSONReport)
  const stats = { expected: 5, flaky: 0, skipped: 0 }
  const spec = (title: string, ok: boolean) => ({ title, ok, file: 'feed.spec.ts', line: 7 })

  test('counts passed tests, and names the failed ones of nested suites', () => {
    const suites = [{ specs: [spec('opens', true)], suites: [{ specs: [spec('closes', false)] }] }]
    expect(outcome({ stats, errors: [], suites })).toEqual({
      passed: 5,
      failures: ['feed.spec.ts:7: closes'],
    })
  })

  test('repeats how the error of a failed test begins', () => {
    const errors = [{ message: 'Error: not visible\nLocator: button' }]
    const specs = [{ ...spec('closes', false), tests: [{ results: [{ errors }] }] }]
    expect(outcome({ stats, errors: [], suites: [{ specs }] }).failures).toEqual([
      'feed.spec.ts:7: closes\n    Error: not visible\n    Locator: button',
    ])
  })

  test('counts errors outside of tests, tests that passed on a retry, and tests that did not run', () => {
    const errors = [{ message: 'no tests found\nat …' }]
    expect(outcome({ stats: { expected: 5, flaky: 1, skipped: 3 }, errors, suites: [] })).toEqual({
      passed: 5,
      failures: ['no tests found', '1 passed only on a retry', '3 did not run'],
    })
  })
})

describe('the runner', () => {
  let folder: string
  let lines: string[]
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vignette-suites-'))
    lines = []
    vi.spyOn(console, 'log').mockImplementation((text: string) => lines.push(...text.split('\n')))
  })
  afterEach(() => {
    vi.restoreAllMocks()
    rmSync(folder, { recursive: true })
  })

  /** A suite whose script has this code. */
  function suite(name: string, code: string, runner?: 'vitest') {
    const script = join(folder, `${name}.mjs`)
    writeFileSync(script, code)
    return { name, script, args: [], ...(runner !== undefined && { runner }) }
  }
  /** Writes a report to the file that Vitest gets as an argument. */
  const report = (statuses: string[]) => `
    import { writeFileSync } from 'node:fs'
    const assertionResults = ${JSON.stringify(statuses)}.map((status, index) => ({ fullName: 'test ' + index, status }))
    const file = process.argv.at(-1).split('=').at(-1)
    writeFileSync(file, JSON.stringify({ testResults: [{ name: 'a', status: 'passed', assertionResults }] }))`
  const ended = async (...suites: Parameters<typeof runSuites>[0][number]) => {
    const counts = await runSuites([suites])
    return { ...counts, text: lines.join('\n') }
  }

  test('counts a command as one test, and repeats the last twenty lines of a failed one without colours', async () => {
    const output = Array.from({ length: 30 }, (_, index) => `\u001b[31mline ${index}\u001b[39m`).join('\n\n')
    const fails = suite('fails', `console.log(${JSON.stringify(output)}); process.exitCode = 1`)
    const { text, ...counts } = await ended(suite('passes', ''), fails)
    expect(counts).toEqual({ passed: 1, failed: 1 })
    expect(text).toMatch(/✓ passes {2}1 passed, 0 failed \(\d/)
    expect(text).toContain('\n✗ fails\n  line 10\n')
    expect(text).toMatch(/ {2}line 29$/)
  })

  test('goes on after suites that fail, and names a runner that crashed, wrote no report, or could not start', async () => {
    const counts = await runSuites([
      [
        suite('crashed after its tests', `${report(['passed'])}\nprocess.exitCode = 1`, 'vitest'),
        suite('killed', "process.kill(process.pid, 'SIGKILL')", 'vitest'),
        { ...suite('missing', '', 'vitest'), script: join(folder, 'none.mjs') },
      ],
      [suite('last', report(['passed', 'failed', 'passed']), 'vitest')],
    ])
    expect(counts).toEqual({ passed: 3, failed: 4 })
    const text = lines.join('\n')
    expect(text).toContain('✗ crashed after its tests\n  It failed outside of its tests; see its output.')
    expect(text).toContain('✗ killed\n  It wrote no report.')
    expect(text).toContain('✗ missing\n  It wrote no report.')
    expect(text).toContain('✗ last\n  a: test 1')
  })

  test('repeats at most twenty names', async () => {
    const counts = await runSuites([[suite('many', report(Array(25).fill('failed')), 'vitest')]])
    expect(counts).toEqual({ passed: 0, failed: 25 })
    expect(lines.at(-1)).toBe('  and more')
    expect(lines.filter((line) => /^ {2}.*test \d+$/.test(line))).toHaveLength(20)
  })
})
