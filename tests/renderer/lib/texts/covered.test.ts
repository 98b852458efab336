import { expect, test } from 'vitest'
import { readAssertions } from './assertions'
import { readCatalogue } from './catalogue'
import { failuresWithoutTest, textsWithoutTest } from './coverage'
import { FAILURES_WITHOUT_TEST, TEXTS_WITHOUT_TEST } from './exceptions'
import { readFailureNames } from './failure-names'
import { HOLE, sourcesIn } from './sources'

const tests = sourcesIn('tests').filter(({ path }) => !path.startsWith('tests/renderer/lib/texts/'))
const sought = readAssertions(tests)

function sorted(values: Iterable<string>): string[] {
  return [...new Set(values)].map((value) => value.replaceAll(HOLE, '…')).sort()
}

test('every text on screen is in a test, or listed with the reason', () => {
  const catalogue = readCatalogue()
  expect(catalogue.length, 'texts found').toBeGreaterThan(500)
  const without = textsWithoutTest(catalogue, sought).map(({ key }) => key)
  expect(sorted(without)).toEqual(sorted(Object.values(TEXTS_WITHOUT_TEST).flat()))
})

test('every logged failure is in a test, or listed with the reason', () => {
  const names = readFailureNames(sourcesIn('src/renderer'))
  expect(names.length, 'names found').toBeGreaterThan(80)
  const called = readAssertions(tests.filter(({ code }) => code.includes('logFailure')))
  const without = failuresWithoutTest(names, sought, called)
  expect(sorted(without)).toEqual(sorted(Object.values(FAILURES_WITHOUT_TEST).flat()))
})
