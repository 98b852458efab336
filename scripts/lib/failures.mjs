// @ts-check
import { relative } from 'node:path'
import { ROOT } from './paths.mjs'

/**
 * @typedef {object} VitestFailures the part of `vitest --reporter=json` that is used here
 * @property {{ name: string, status: string, message?: string, assertionResults: { fullName: string, status: string,
 *   failureMessages?: string[] | null }[] }[]} testResults one per file
 *
 * @typedef {object} PlaywrightSuite
 * @property {PlaywrightSuite[]} [suites]
 * @property {{ title: string, file: string, line: number, ok: boolean, tests: { results: { error?: { message?: string }
 *   }[] }[] }[]} [specs]
 *
 * @typedef {object} PlaywrightFailures the part of Playwright's JSON report that is used here
 * @property {PlaywrightSuite[]} [suites]
 * @property {{ message?: string }[]} errors failures outside of any test
 *
 * @typedef {object} Failure
 * @property {string} name
 * @property {string} message
 */

/** How many lines of a suite the summary repeats. */
const MAX_LINES = 20

/** How many lines of a failure message are shown; the rest is the stack. */
const MAX_MESSAGE_LINES = 4

/** ANSI colour sequences. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/** @param {string} text */
function nonEmptyLines(text) {
  return text
    .replace(COLOURS, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
}

/**
 * The last lines of a program's output, without empty lines and colours.
 * @param {string} output
 */
export function lastLines(output) {
  return nonEmptyLines(output).slice(-MAX_LINES)
}

/**
 * A short list of the failed tests, with the start of each message if there is room.
 * @param {readonly Failure[]} failures
 */
export function failureLines(failures) {
  const lines = failures.flatMap(({ name, message }) => [
    name,
    ...nonEmptyLines(message)
      .slice(0, MAX_MESSAGE_LINES)
      .map((line) => `    ${line.trim()}`),
  ])
  if (lines.length <= MAX_LINES) return lines
  const names = failures.map(({ name }) => name)
  if (names.length <= MAX_LINES) return names
  return [...names.slice(0, MAX_LINES - 1), `and ${names.length - MAX_LINES + 1} more`]
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
      if (failed.length === 0) return [{ name: file, message }]
      return failed.map(({ fullName, failureMessages }) => ({
        name: `${file}: ${fullName}`,
        message: failureMessages?.[0] ?? '',
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
      message: tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? '')).join('\n'),
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
    message,
  }))
  return [...(report?.suites ?? []).flatMap(failuresIn), ...outside]
}
