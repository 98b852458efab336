// @ts-check
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './paths.mjs'

/**
 * Writes a generated file, or, with `--check` on the command line, compares it and fails when it is stale.
 * @param {string} path from the project's folder
 * @param {string} text what the file should hold
 * @param {string} command what brings it up to date, for the message
 */
export function writeOrCheck(path, text, command) {
  const file = join(ROOT, path)
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text)
    console.log(`wrote ${path}`)
    return
  }
  // Windows checkouts may have CRLF.
  const committed = existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : null
  if (committed !== text) {
    console.error(`${path} does not fit the migrations any more: run ${command} and commit what it writes.`)
    process.exitCode = 1
  }
}
