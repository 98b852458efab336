// @ts-check
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './paths.mjs'

/**
 * Writes a generated file. With `--check` on the command line it compares the file instead, and fails if it is stale.
 * @param {string} path relative to the project folder
 * @param {string} text the generated content
 * @param {string} command regenerates the file; for the message
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
    console.error(`${path} is out of date with the migrations: run ${command} and commit the result.`)
    process.exitCode = 1
  }
}
