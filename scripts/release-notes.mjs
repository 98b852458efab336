// @ts-check
// Prints the notes of the version in package.json, for its release: the entries under `## X.Y.Z` or `## X.Y.Z - DATE`. Fails if there are
// none. The workflow `release` runs it; a folder can be given instead of the project's.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2] ?? '.'
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const sections = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1)
const section = sections.find((text) => text.split(/\s/, 1)[0] === version)
const notes = section?.slice(section.indexOf('\n')).trim()
if (!notes) throw new Error(`CHANGELOG.md has no entries under '## ${version}'.`)
console.log(notes)
