// @ts-check
// `npm run mutants`: plants small defects at random places, one at a time in a copy of the project, and says which of
// them the tests nearest to their place notice. The same seed gives the same mutants.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ensureInstalled } from './lib/install.mjs'
import { copyProject, judge } from './lib/mutants/judge.mjs'
import { shuffle } from './lib/mutants/mutation.mjs'
import { AREAS, projectFiles, projectPlaces } from './lib/mutants/places.mjs'
import { stepsFor } from './lib/mutants/steps.mjs'
import { requireNode } from './lib/node-version.mjs'
import { endWithChildren } from './lib/process.mjs'

requireNode()
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '60' },
    /** policies, triggers, backend, main, renderer or shared; may be repeated */
    area: { type: 'string', multiple: true, default: [...AREAS] },
    /** Where to keep the results. What the file says of mutants that were killed or invalid is not tried again. */
    json: { type: 'string' },
    /** Without end-to-end tests, which take most of the time. */
    quick: { type: 'boolean', default: false },
    /** Only prints the first mutants of each area, valid or not. */
    list: { type: 'boolean', default: false },
  },
})
const share = Math.ceil(Number(values.count) / values.area.length)

/** @typedef {import('./lib/mutants/mutation.mjs').Mutant} Mutant */
/** @typedef {import('./lib/mutants/judge.mjs').Verdict & { id: string, area: string, mutant: string }} Result */

/** @param {Mutant} mutant */
function describeMutant({ area, file, line, operator, before, after }) {
  const short = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').trim().slice(0, 90) || '(nothing)'
  return `${area} ${file}:${line} ${operator}: ${short(before)} → ${short(after)}`
}

/** @param {Mutant} mutant */
const steps = (mutant) => stepsFor(mutant).filter(({ kind }) => !values.quick || kind === 'vitest')

const files = projectFiles()
const places = projectPlaces(files)
const drawn = values.area.map((area) =>
  shuffle(
    places.filter((place) => place.area === area),
    values.seed,
  ),
)
if (values.list) {
  for (const mutant of drawn.flatMap((mutants) => mutants.slice(0, share)))
    console.log(describeMutant(mutant))
  process.exit(0)
}

await ensureInstalled()
const copy = copyProject(files)
endWithChildren()
// After those children were told to end, who may still be writing.
process.on('exit', () => rmSync(copy, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 }))

/** @type {Map<string, Result>} */
const results = new Map()
if (values.json && existsSync(values.json)) {
  for (const result of JSON.parse(readFileSync(values.json, 'utf8'))) results.set(result.id, result)
}

/** @type {Result[]} */
const counted = []
for (const mutants of drawn) {
  let left = share
  for (const mutant of mutants) {
    if (left === 0) break
    const known = results.get(mutant.id)
    const startedAt = Date.now()
    const verdict = known && known.status !== 'survived' ? known : await judge(copy, mutant, steps(mutant))
    const { id, area } = mutant
    const result = { id, area, mutant: describeMutant(mutant), status: verdict.status, by: verdict.by }
    results.set(id, result)
    if (values.json) writeFileSync(values.json, `${JSON.stringify([...results.values()], null, 2)}\n`)
    if (verdict.status === 'invalid') continue
    left -= 1
    counted.push(result)
    const end = verdict.status === 'killed' ? `killed by ${verdict.by}` : 'SURVIVED'
    console.log(`${result.mutant}\n  ${end} (${Math.round((Date.now() - startedAt) / 1000)} s)`)
  }
}

console.log('')
for (const area of values.area) {
  const those = counted.filter((result) => result.area === area)
  const survivors = those.filter(({ status }) => status === 'survived')
  console.log(`${area}: ${survivors.length} of ${those.length} survived`)
}
