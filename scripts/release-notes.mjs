// @ts-check
// Prints the notes of the version in package.json, for its release. The workflow `release` runs it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './lib/paths.mjs'
import { releaseNotes } from './lib/release-notes.mjs'

const read = (/** @type {string} */ name) => readFileSync(join(ROOT, name), 'utf8')
console.log(releaseNotes(read('CHANGELOG.md'), JSON.parse(read('package.json')).version))
