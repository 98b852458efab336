// @ts-check
// `npm run mutants` is mutation testing of the migrations: it plants small defects in policies, checks, triggers and functions, one at a
// time, in a copy of the project, and reports which ones no test notices. The same seed gives the same mutants.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from './lib/paths.mjs'
import { run, stopChildrenOnExit } from './lib/process.mjs'
import { shuffle, sqlTargets } from './lib/sql-mutants.mjs'
import { toolPath } from './lib/tools.mjs'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
  },
})

/** Prepares a database with the migrations; fails if they do not run. */
const MIGRATE =
  "const { importTypeScript } = await import('./scripts/lib/import-typescript.mjs'); const { openMigratedDatabase } = await importTypeScript('tests/supabase/schema/support/migrated-database.ts'); await (await openMigratedDatabase()).close()"

/** The tests of behaviour, cheapest first. Those of the migrations' text would fail for every mutant. */
const TESTS = [
  ['supabase/rights/rights.pglite', 'supabase/schema'],
  ['supabase/reads', 'backend/realtime'],
]
const TEXTUAL = ['migrations', 'generated', 'schemas'].flatMap((name) => [
  '--exclude',
  `tests/supabase/schema/${name}.test.ts`,
])
const MINUTES = 25

const copy = mkdtempSync(join(tmpdir(), 'vignette-mutants-'))
stopChildrenOnExit()
// Registered after stopChildrenOnExit, and retried: the children may still be writing.
process.on('exit', () => rmSync(copy, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 }))
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate'], { cwd: ROOT })
const files = String(listed).trim().split('\n')
for (const file of files) cpSync(join(ROOT, file), join(copy, file))
// Packages are linked, caches are not.
mkdirSync(join(copy, 'node_modules'))
for (const name of readdirSync(join(ROOT, 'node_modules')).filter((each) => !each.startsWith('.')))
  symlinkSync(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name), 'junction')

/** @param {string[]} args of Node */
const passes = async (...args) =>
  (await run(process.execPath, args, { cwd: copy, quiet: true, timeoutMs: MINUTES * 60_000 })).ok

/** Whether a test notices a mutant; null if the migrations do not run with it. @param {import('./lib/sql-mutants.mjs').Mutant} mutant */
async function isNoticed({ file, source, start, end, after }) {
  writeFileSync(join(copy, file), source.slice(0, start) + after + source.slice(end))
  try {
    if (!(await passes('--input-type=module', '--eval', MIGRATE))) return null
    for (const names of TESTS) {
      const paths = names.map((name) => `tests/${name}`)
      if (!(await passes(toolPath('vitest'), 'run', '--project=backend', '--bail=1', ...paths, ...TEXTUAL)))
        return true
    }
    return false
  } finally {
    writeFileSync(join(copy, file), source)
  }
}

const migrations = files.filter((file) => /^supabase\/migrations\/.*\.sql$/.test(file)).sort()
const targets = sqlTargets(
  migrations.map((file) => ({ file, source: readFileSync(join(ROOT, file), 'utf8') })),
)
const short = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').trim().slice(0, 90) || '(nothing)'
let counted = 0
let survived = 0
for (const mutant of shuffle(targets, values.seed)) {
  if (counted === Number(values.count)) break
  const noticed = await isNoticed(mutant)
  if (noticed === null) continue
  counted += 1
  if (!noticed) survived += 1
  const { file, line, operator, before, after } = mutant
  console.log(
    `${noticed ? 'killed  ' : 'SURVIVED'} ${file}:${line} ${operator}: ${short(before)} → ${short(after)}`,
  )
}
console.log(`${survived} of ${counted} survived`)
