// @ts-check
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureBundles } from './budgets.mjs'
import { ensureChromium } from './chromium.mjs'
import { desktopRuntime } from './desktop.mjs'
import { ROOT } from './paths.mjs'
import { run } from './process.mjs'
import { commandOutcome, playwrightOutcome, summary, vitestOutcome } from './results.mjs'
import { runTool } from './tools.mjs'

/**
 * @typedef {import('./results.mjs').Outcome} Outcome
 * @typedef {{ name: string, run: () => Promise<Outcome> }} Suite
 * @typedef {Suite | readonly Suite[]} Step one suite, or several that run in parallel
 */

/** The timeouts below only stop what hangs: they are far longer than a slow machine needs. */
const MINUTE = 60_000
const TIMED_OUT = 'It timed out and was killed.'

/** After this time Playwright stops and reports what has run; if it does not, it is killed a minute later. */
const PLAYWRIGHT_MS = 120 * MINUTE

/** Marks end-to-end tests that only `npm run test:long` runs; each of their rows also has a test that `npm test` runs. */
export const LONG_TAG = '@long'

/** Marks end-to-end tests that need a server with Storage. */
const STORAGE_TAG = '@storage'

/** Marks end-to-end tests with steps that only `npm run test:long` runs. */
const STEPS_TAG = '@steps'

/** What `npm test` leaves out: see tests/e2e/support/long-step.ts. */
const SHORT = { VIGNETTE_TEST_STEPS: 'short' }

const QUIET = { quiet: true, timeoutMs: 30 * MINUTE }

/**
 * A suite that runs one command and shows its output only if it fails.
 * @param {string} name
 * @param {() => Promise<import('./process.mjs').RunResult>} runCommand
 * @returns {Suite}
 */
function command(name, runCommand) {
  return {
    name,
    run: async () => {
      const { ok, timedOut, output } = await runCommand()
      if (!ok) console.error(output.trimEnd())
      return commandOutcome(ok, timedOut ? `${output}\n${TIMED_OUT}` : output)
    },
  }
}

/**
 * Runs a test runner that writes a JSON report to the file given to `use`.
 * @template Report
 * @param {(file: string) => Promise<import('./process.mjs').RunResult>} use
 * @param {(report: Report, ok: boolean) => Outcome} outcomeOf
 */
async function withReport(use, outcomeOf) {
  const folder = mkdtempSync(join(tmpdir(), 'vignette-test-'))
  const file = join(folder, 'report.json')
  try {
    const { ok, timedOut } = await use(file)
    if (timedOut || !existsSync(file))
      return commandOutcome(false, timedOut ? TIMED_OUT : 'It wrote no report.')
    return outcomeOf(JSON.parse(readFileSync(file, 'utf8')), ok)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A suite that runs projects of vitest.config.ts.
 * @param {string} project
 * @param {number} timeoutMs
 * @param {{ names?: readonly string[], onlyLong?: boolean }} [filter] `names`: parts of file names, or none for all files;
 *   `onlyLong`: whether to run only the tests with the tag `long`, or only the others
 * @returns {Suite}
 */
function vitest(project, timeoutMs, { names = [], onlyLong = false } = {}) {
  const args = ['run', ...names, '--project', project, `--tags-filter=${onlyLong ? 'long' : '!long'}`]
  return {
    name: `${project.replace('*', '')} tests`,
    run: () =>
      withReport(
        (file) =>
          runTool('vitest', [...args, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`], {
            timeoutMs,
          }),
        (/** @type {import('./results.mjs').VitestReport} */ report, ok) =>
          vitestOutcome(report, ok, onlyLong),
      ),
  }
}

/**
 * A suite that runs a project of playwright.config.ts.
 * @param {'browser' | 'desktop'} project
 * @param {readonly string[]} [args] more arguments for Playwright
 * @param {NodeJS.ProcessEnv} [env] more environment variables
 * @returns {Suite}
 */
export function endToEnd(project, args = [], env = {}) {
  return {
    name: `end-to-end (${project})`,
    run: async () => {
      const isInChromium = project === 'browser' || desktopRuntime({ ...process.env, ...env }) === 'standin'
      const chromium = isInChromium ? await ensureChromium() : ''
      if (chromium === null) return commandOutcome(false, 'No Chromium is available.')
      return withReport(
        (file) =>
          runTool(
            '@playwright/test',
            [
              'test',
              `--project=${project}`,
              // Playwright clears the folder first: runs beside each other each need their own.
              `--output=test-results/${project}`,
              '--reporter=list,json',
              `--global-timeout=${PLAYWRIGHT_MS}`,
              ...args,
            ],
            {
              command: 'playwright',
              timeoutMs: PLAYWRIGHT_MS + MINUTE,
              env: { ...env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
            },
          ),
        playwrightOutcome,
      )
    },
  }
}

/**
 * Checks the types of a project, a folder with a tsconfig.json.
 * @param {string} name
 * @param {string} project
 */
function typecheck(name, project) {
  return command(name, () => runTool('typescript', ['-p', project], { command: 'tsc', ...QUIET }))
}

const STATIC = [
  typecheck('typecheck', '.'),
  typecheck('typecheck (renderer)', 'src/renderer'),
  typecheck('typecheck (main and backend)', 'src/main'),
  command('lint and format', () => runTool('@biomejs/biome', ['check', '--error-on-warnings', '.'], QUIET)),
  command('dead code', () => runTool('knip', [], QUIET)),
]

const GENERATED_FILES = command('generated files are fresh', () =>
  run(process.execPath, [join(ROOT, 'scripts/types.mjs'), '--check'], QUIET),
)

const BUILD = command('build', () =>
  run(process.execPath, [join(ROOT, 'scripts/build.mjs'), '--stale'], QUIET),
)

/** @type {Suite} */
const BUNDLES = {
  name: 'bundle sizes',
  run: async () => {
    const parts = measureBundles()
    const lines = parts.map(({ name, bytes, budget, ok }) => {
      const size = `${(bytes / 1000).toFixed(1)} of ${budget / 1000} KB`
      return `${ok ? '' : 'Too large: '}${name}: ${size}`
    })
    console.log(lines.join('\n'))
    return commandOutcome(
      parts.every(({ ok }) => ok),
      lines.join('\n'),
    )
  },
}

const UNIT = vitest('unit*', 30 * MINUTE)

/**
 * The steps of `npm run check`.
 * @type {readonly Step[]}
 */
export const CHECK_STEPS = [[...STATIC, GENERATED_FILES], UNIT]

/**
 * The steps of `npm test`. The backend tests run beside unit and packaging tests, and also check that generated files are fresh.
 * The end-to-end tests run after them: beside the backend tests, everything took longer on two cores. The desktop tests mostly wait,
 * so they run beside those of the browser, one at a time.
 * @type {readonly Step[]}
 */
export const ALL_STEPS = [
  [...STATIC, BUILD],
  BUNDLES,
  [UNIT, vitest('backend', 120 * MINUTE), vitest('packaging', 30 * MINUTE)],
  [
    endToEnd('desktop', ['--grep-invert', LONG_TAG, '--workers=1'], SHORT),
    endToEnd('browser', ['--grep-invert', LONG_TAG], { ...SHORT, VIGNETTE_TEST_MOTION: 'reduce' }),
  ],
]

/** The platforms that the stand-in also imitates in `npm run test:long`, as which all desktop tests must pass. */
const IMITATED = { win32: 'Windows', darwin: 'macOS' }

/** The files of backend tests with the tag `long`. */
function longBackendTests() {
  return ['tests/backend', 'tests/supabase']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file.replaceAll('\\', '/')}`,
      ),
    )
    .filter(
      (file) => file.endsWith('.test.ts') && /\btags: 'long'/.test(readFileSync(join(ROOT, file), 'utf8')),
    )
}

/**
 * The steps of `npm run test:long`, in which each file of tests/long is a suite, so that one that hangs does not take the
 * results of the others along.
 * @param {readonly string[]} names parts of the names of files in tests/long, or of backend tests with the tag `long`; without
 *   names, the long end-to-end tests also run
 * @returns {Step[]}
 * @throws {Error} if no file has such a name
 */
export function longSteps(names) {
  const files = readdirSync(join(ROOT, 'tests/long')).filter((file) => file.endsWith('.test.ts'))
  const isNamed = (/** @type {string} */ file) => names.some((name) => file.includes(name))
  const chosen = files.filter((file) => names.length === 0 || isNamed(file))
  const backend = longBackendTests().filter(isNamed)
  if (chosen.length + backend.length === 0) throw new Error(`No long test is named ${names.join(' or ')}`)
  const long = chosen.map((file) => ({
    ...vitest('long', 120 * MINUTE, { names: [`tests/long/${file}`] }),
    name: `long tests: ${file.replace('.test.ts', '')}`,
  }))
  if (names.length > 0) {
    const suite = vitest('backend', 90 * MINUTE, { names: backend, onlyLong: true })
    return [BUILD, ...long, ...(backend.length > 0 ? [suite] : [])]
  }
  const isLong = ['--grep', `${LONG_TAG}|${STEPS_TAG}`]
  return [
    BUILD,
    ...long,
    vitest('backend', 90 * MINUTE, { onlyLong: true }),
    endToEnd('desktop', isLong),
    ...Object.entries(IMITATED).map(([platform, name]) => ({
      ...endToEnd('desktop', [], { STANDIN_PLATFORM: platform }),
      name: `end-to-end (desktop, the stand-in as ${name})`,
    })),
    endToEnd('browser', isLong),
    // Every test but those of Storage itself passes on a server without it.
    {
      ...endToEnd('browser', ['--grep-invert', STORAGE_TAG], { VIGNETTE_MEDIA: 'inline' }),
      name: 'end-to-end (browser, without Storage)',
    },
  ]
}

/**
 * Runs a suite and measures its time. A rejection counts as a failure.
 * @param {Suite} suite
 */
async function runSuite({ name, run }) {
  const startedAt = Date.now()
  const outcome = await run().catch((error) => commandOutcome(false, String(error)))
  return { name, ...outcome, seconds: (Date.now() - startedAt) / 1000 }
}

/**
 * Runs all steps in sequence, even after a failure, and prints a line for each suite and the details of failures.
 * @param {readonly Step[]} steps
 */
export async function runSuites(steps) {
  /** @type {import('./results.mjs').SuiteResult[]} */
  const results = []
  for (const suites of steps.map((step) => [step].flat())) {
    console.log(`\n── ${suites.map(({ name }) => name).join(', ')}`)
    results.push(...(await Promise.all(suites.map(runSuite))))
  }
  console.log(`\n${summary(results).join('\n')}`)
  const sum = (/** @type {'passed' | 'failed'} */ count) =>
    results.reduce((total, result) => total + result[count], 0)
  return { passed: sum('passed'), failed: sum('failed') }
}
