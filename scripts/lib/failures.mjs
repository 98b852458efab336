// @ts-check
import { relative } from 'node:path'
import { ROOT } from './paths.mjs'

/**
 * @typedef {object} VitestFailures what `vitest --reporter=json` writes of its tests, as far as it is read here
 * @property {{ name: string, status: string, message?: string, assertionResults: { fullName: string, status: string,
 *   failureMessages?: string[] | null }[] }[]} testResults one a file
 *
 * @typedef {object} PlaywrightSuite
 * @property {PlaywrightSuite[]} [suites]
 * @property {{ title: string, file: string, line: number, ok: boolean, tests: { results: { error?: { message?: string }
 *   }[] }[] }[]} [specs]
 *
 * @typedef {object} PlaywrightFailures what Playwright's json reporter writes of its tests, as far as it is read here
 * @property {PlaywrightSuite[]} [suites]
 * @property {{ message?: string }[]} errors failures outside of any test
 *
 * @typedef {object} Failure
 * @property {string} name
 * @property {string} said why, in as many lines as it takes
 */

/** Lines of one suite that are repeated at the end. */
const MOST_LINES = 20

/** Lines of why one test failed; what follows them is a stack. */
const LINES_EACH = 4

/** Escape sequences that colour a terminal. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/**
 * The lines of a text that say something.
 * @param {string} text
 */
function linesOf(text) {
  return text
    .replace(COLOURS, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
}

/**
 * What a program said last.
 * @param {string} output
 */
export function lastLines(output) {
  return linesOf(output).slice(-MOST_LINES)
}

/**
 * Which tests failed and why, shortly.
 * @param {readonly Failure[]} failures
 */
export function failureLines(failures) {
  const lines = failures.flatMap(({ name, said }) => [
    name,
    ...linesOf(said)
      .slice(0, LINES_EACH)
      .map((line) => `    ${line.trim()}`),
  ])
  if (lines.length <= MOST_LINES) return lines
  // Then their names alone, as many as there is room for.
  const names = failures.map(({ name }) => name)
  if (names.length <= MOST_LINES) return names
  return [...names.slice(0, MOST_LINES - 1), `and ${names.length - MOST_LINES + 1} more`]
}

/**
 * @param {VitestFailures | null} report
 * @returns {Failure[]}
 */
export function vitestFailures(report) {
  return (report?.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message = '', assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      const file = relative(ROOT, name)
      if (failed.length === 0) return [{ name: file, said: message }]
      return failed.map(({ fullName, failureMessages }) => ({
        name: `${file}: ${fullName}`,
        said: failureMessages?.[0] ?? '',
      }))
    })
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {Failure[]}
 */
function failuresIn({ suites = [], specs = [] }) {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ title, file, line, tests }) => ({
      name: `${file}:${line}: ${title}`,
      said: tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? '')).join('\n'),
    }))
  return [...own, ...suites.flatMap(failuresIn)]
}

/**
 * @param {PlaywrightFailures | null} report
 * @returns {Failure[]}
 */
export function playwrightFailures(report) {
  const outside = (report?.errors ?? []).map(({ message = '' }) => ({
    name: 'Outside of any test',
    said: message,
  }))
  return [...(report?.suites ?? []).flatMap(failuresIn), ...outside]
}
