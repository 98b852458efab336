// @ts-check
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from '../paths.mjs'
import { run } from '../process.mjs'
import { toolPath } from '../tools.mjs'

/**
 * @typedef {import('./mutation.mjs').Mutant} Mutant
 * @typedef {import('./steps.mjs').Step} Step
 * @typedef {{ status: 'killed' | 'survived' | 'invalid', by: string }} Outcome `by`: the test that detected it
 */

const MINUTE = 60_000
const NO_COLOUR_ENV = { NO_COLOR: '1', FORCE_COLOR: '0' }

/**
 * Copies the project to a temporary folder. Packages are linked, caches are not.
 * @param {readonly string[]} files
 */
export function copyProject(files) {
  const copy = mkdtempSync(join(tmpdir(), 'vignette-mutants-'))
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    copyFileSync(join(ROOT, file), join(copy, file))
  }
  mkdirSync(join(copy, 'node_modules'))
  const locked = 'node_modules/.package-lock.json'
  copyFileSync(join(ROOT, locked), join(copy, locked))
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((each) => !each.startsWith('.'))) {
    symlinkSync(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name), 'junction')
  }
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false, incremental: true }
  const config = { extends: './tsconfig.json', compilerOptions, include: ['src'] }
  writeFileSync(join(copy, 'tsconfig.mutants.json'), JSON.stringify(config))
  return copy
}

/**
 * Applies a mutant in a copy of the project and runs the steps until one fails.
 * @param {string} copy
 * @param {Mutant} mutant
 * @param {readonly Step[]} steps
 * @returns {Promise<Outcome>}
 */
export async function runMutant(copy, mutant, steps) {
  const { file, source, start, end, after } = mutant
  // The cache of prepared databases depends only on the migrations, so it would outlive a mutant of the code that fills it.
  rmSync(join(copy, 'node_modules/.cache'), { recursive: true, force: true })
  writeFileSync(join(copy, file), source.slice(0, start) + after + source.slice(end))
  try {
    if (!(await isValid(copy, file))) return { status: 'invalid', by: '' }
    for (const step of steps) {
      const by = await (step.kind === 'vitest' ? runVitest(copy, step) : runEndToEnd(copy, step))
      if (by !== null) return { status: 'killed', by }
    }
    return { status: 'survived', by: '' }
  } finally {
    writeFileSync(join(copy, file), source)
  }
}

/**
 * Whether a TypeScript mutant compiles, or the migrations run with an SQL mutant.
 * @param {string} copy
 * @param {string} file
 * @throws {Error} if the check does not finish, so that a busy machine does not make a mutant invalid
 */
async function isValid(copy, file) {
  const migrate =
    "const { withMigratedDatabase } = await import('./scripts/lib/migrated-database.mjs'); await withMigratedDatabase(async () => {})"
  const args = file.endsWith('.sql')
    ? ['--input-type=module', '--eval', migrate]
    : [toolPath('typescript', 'tsc'), '-p', 'tsconfig.mutants.json']
  const { ok, timedOut } = await run(process.execPath, args, {
    cwd: copy,
    quiet: true,
    timeoutMs: 5 * MINUTE,
  })
  if (timedOut) throw new Error(`The check whether ${file} is valid took more than five minutes`)
  return ok
}

/** A failed test in the output of Vitest: `FAIL  |project| path > title`. */
const FAILED_TEST = /FAIL\s+(\|(\S+)\| (\S+).*)/

/**
 * Runs Vitest until the first failure. A test can time out on a busy machine, so its file must fail a second time, alone.
 * @param {string} copy
 * @param {Extract<Step, { kind: 'vitest' }>} step
 * @returns {Promise<string | null>} the test that failed
 */
async function runVitest(copy, { args, minutes }) {
  const options = { cwd: copy, quiet: true, timeoutMs: minutes * MINUTE, env: NO_COLOUR_ENV }
  const vitest = (/** @type {string[]} */ ...args) =>
    run(process.execPath, [toolPath('vitest'), ...args, '--bail=1'], options)
  for (;;) {
    const result = await vitest(...args)
    if (result.ok) return null
    const [, , project, file] = FAILED_TEST.exec(result.output) ?? []
    const isRepeatable = project !== undefined && file !== undefined
    if (!isRepeatable || !(await vitest('run', '--project', project, file)).ok)
      return failedTestName(result, FAILED_TEST)
  }
}

/**
 * Builds the app and runs end-to-end tests until the first failure; scripts/e2e.mjs sets the timeouts. A test can be flaky
 * on a busy machine, so it must fail a second time, alone.
 * @param {string} copy
 * @param {Extract<Step, { kind: 'e2e' }>} step
 * @returns {Promise<string | null>} the test that failed
 */
async function runEndToEnd(copy, { project, specs }) {
  const options = { cwd: copy, quiet: true, env: NO_COLOUR_ENV }
  const playwright = (/** @type {string[]} */ ...args) =>
    run(process.execPath, ['scripts/e2e.mjs', `--project=${project}`, '--max-failures=1', ...args], options)
  for (;;) {
    const result = await playwright(...specs)
    if (result.ok) return null
    if (!(await playwright('--last-failed')).ok)
      return failedTestName(result, /^\s*(\S+\.spec\.ts:\d+: .+)$/m)
  }
}

/**
 * @param {import('../process.mjs').RunResult} result
 * @param {RegExp} pattern
 */
function failedTestName({ output, timedOut }, pattern) {
  if (timedOut) return 'the timeout'
  return pattern.exec(output)?.[1] ?? output.trim().split('\n').at(-1) ?? ''
}
