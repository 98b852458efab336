import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ROOT } from '../../scripts/lib/paths.mjs'
import { commandOutcome } from '../../scripts/lib/results.mjs'
import { longSteps, runSuites } from '../../scripts/lib/suites.mjs'

const namesOf = (steps: ReturnType<typeof longSteps>) =>
  steps.flatMap((step) => [step].flat()).map(({ name }) => name)

test('npm run test:long has a suite for each file of tests/long, and runs the long tests of other folders too', () => {
  const files = readdirSync(join(ROOT, 'tests/long')).filter((file) => file.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(3)
  expect(namesOf(longSteps([]))).toEqual([
    'build',
    ...files.map((file) => `long tests: ${file.replace('.test.ts', '')}`),
    'backend tests',
    'end-to-end (desktop)',
    'end-to-end (desktop, the stand-in as Windows)',
    'end-to-end (desktop, the stand-in as macOS)',
    'end-to-end (browser)',
    'end-to-end (browser, without Storage)',
  ])
  expect(namesOf(longSteps(['sca', 'load']))).toEqual(['build', 'long tests: load', 'long tests: scale'])
  expect(() => longSteps(['none'])).toThrow('No long test is named none')
})

test('npm run test:long with a name also finds backend tests with the tag long', () => {
  expect(namesOf(longSteps(['response-memory']))).toEqual(['build', 'backend tests'])
  expect(namesOf(longSteps(['scale', 'response-memory']))).toEqual([
    'build',
    'long tests: scale',
    'backend tests',
  ])
  // It has no long test.
  expect(() => longSteps(['fair-queue'])).toThrow('No long test')
})

test('goes on after suites that fail or throw, and reports each', async () => {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => lines.push(...line.split('\n')))
  onTestFinished(() => log.mockRestore())
  const run = async () => commandOutcome(true)
  const suites = [
    { name: 'fails', run: async () => commandOutcome(false, 'one is wrong') },
    [
      { name: 'throws', run: () => Promise.reject(new Error('no disk')) },
      { name: 'beside', run },
    ],
    { name: 'last', run },
  ]
  expect(await runSuites(suites)).toEqual({ passed: 2, failed: 2 })
  const summary = lines.slice(lines.indexOf('── last') + 1).join('\n')
  for (const part of ['✗ fails', '✗ throws', '✓ beside', '✓ last', 'one is wrong', 'Error: no disk'])
    expect(summary).toContain(part)
})
