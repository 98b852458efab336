// @ts-check
// `npm run mutants` is mutation testing: it applies small changes to a copy of the project, one at a time, and reports which
// ones the closest tests detect. The same seed gives the same mutants.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ensureInstalled } from './lib/install.mjs'
import { shuffle } from './lib/mutants/mutation.mjs'
import { copyProject, runMutant } from './lib/mutants/run-mutant.mjs'
import { stepsFor } from './lib/mutants/steps.mjs'
import { AREAS, projectFiles, projectTargets } from './lib/mutants/targets.mjs'
import { requireNode } from './lib/node-version.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'

requireNode()
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '60' },
    /** policies, triggers, backend, main, renderer or shared; may be repeated */
    area: { type: 'string', multiple: true, default: [...AREAS] },
    /** File for the results. Mutants that it lists as killed or invalid are not run again. */
    json: { type: 'string' },
    /** Skips the end-to-end tests, which take most of the time. */
    quick: { type: 'boolean', default: false },
    /** Only lists the first mutants of each area, including invalid ones. */
    list: { type: 'boolean', default: false },
  },
})
const share = Math.ceil(Number(values.count) / values.area.length)

/** @typedef {import('./lib/mutants/mutation.mjs').Mutant} Mutant */
/** @typedef {import('./lib/mutants/run-mutant.mjs').Outcome & { id: string, area: string, mutant: string }} Result */

/** @param {Mutant} mutant */
function describeMutant({ area, file, line, operator, before, after }) {
  const short = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').trim().slice(0, 90) || '(nothing)'
  return `${area} ${file}:${line} ${operator}: ${short(before)} → ${short(after)}`
}

/** @param {Mutant} mutant */
const steps = (mutant) => stepsFor(mutant).filter(({ kind }) => !values.quick || kind === 'vitest')

const files = projectFiles()
const targets = projectTargets(files)
const mutantsByArea = values.area.map((area) =>
  shuffle(
    targets.filter((target) => target.area === area),
    values.seed,
  ),
)
if (values.list) {
  for (const mutant of mutantsByArea.flatMap((mutants) => mutants.slice(0, share)))
    console.log(describeMutant(mutant))
  process.exit(0)
}

await ensureInstalled()
const copy = copyProject(files)
stopChildrenOnExit()
// Registered after stopChildrenOnExit, and retried: the children may still be writing.
process.on('exit', () => rmSync(copy, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 }))

/** @type {Map<string, Result>} */
const results = new Map()
if (values.json && existsSync(values.json)) {
  for (const result of JSON.parse(readFileSync(values.json, 'utf8'))) results.set(result.id, result)
}

/** @type {Result[]} */
const counted = []
for (const mutants of mutantsByArea) {
  let remaining = share
  for (const mutant of mutants) {
    if (remaining === 0) break
    const known = results.get(mutant.id)
    const startedAt = Date.now()
    const outcome =
      known && known.status !== 'survived' ? known : await runMutant(copy, mutant, steps(mutant))
    const { id, area } = mutant
    const result = { id, area, mutant: describeMutant(mutant), status: outcome.status, by: outcome.by }
    results.set(id, result)
    if (values.json) writeFileSync(values.json, `${JSON.stringify([...results.values()], null, 2)}\n`)
    if (outcome.status === 'invalid') continue
    remaining -= 1
    counted.push(result)
    const label = outcome.status === 'killed' ? `killed by ${outcome.by}` : 'SURVIVED'
    console.log(`${result.mutant}\n  ${label} (${Math.round((Date.now() - startedAt) / 1000)} s)`)
  }
}

console.log('')
for (const area of values.area) {
  const inArea = counted.filter((result) => result.area === area)
  const survivors = inArea.filter(({ status }) => status === 'survived')
  console.log(`${area}: ${survivors.length} of ${inArea.length} survived`)
}
