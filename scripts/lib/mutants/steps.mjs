// @ts-check
import { SLOWEST_FILES } from '../slowest-first.mjs'

/**
 * @typedef {{ kind: 'vitest', args: string[], minutes: number }
 *   | { kind: 'e2e', project: 'browser' | 'desktop', specs: string[] }} Step
 */

/** The end-to-end tests of each feature, as prefixes of file names; other features run all of them. */
const SPECS = /** @type {Record<string, string[]>} */ ({
  auth: ['auth-', 'connect'],
  composer: ['create', 'media'],
  desktop: ['desktop-options', 'settings', 'connect'],
  feed: ['feed', 'live'],
  messages: ['messages', 'live'],
  notifications: ['notifications', 'live'],
  people: ['profile', 'post', 'safety'],
  post: ['post', 'edit', 'feed', 'media'],
  profile: ['profile', 'edit'],
  safety: ['safety'],
  search: ['nav'],
  settings: ['settings', 'data-download'],
  stories: ['stories'],
})

/** Tests that compare the text of migrations, and so would fail for every mutant. */
const TEXTUAL = ['tests/supabase/schema/migrations.test.ts', 'tests/supabase/schema/generated.test.ts']

/** Slow backend tests, and tests that run the built backend, so that `vitest related` does not find them. */
const SLOW_BACKEND = [
  ...SLOWEST_FILES.filter((path) => /^(backend|supabase)\//.test(path)).map((path) => `tests/${path}`),
  'tests/backend/load/load.test.ts',
  'tests/backend/realtime/bindings.test.ts',
]

/**
 * @param {number} minutes
 * @param {string[]} args
 * @param {string[]} [excluded]
 * @returns {Step}
 */
const vitest = (minutes, args, excluded = []) => ({
  kind: 'vitest',
  args: [...args, ...excluded.flatMap((path) => ['--exclude', path])],
  minutes,
})

/** @param {string} file */
const unit = (file) => vitest(10, ['related', file, '--run', '--project', 'unit*'])

/** @param {string} file */
const backend = (file) => [
  vitest(15, ['related', file, '--run', '--project', 'backend'], SLOW_BACKEND),
  vitest(20, ['run', '--project', 'backend', ...SLOW_BACKEND], TEXTUAL),
]

/** @param {string[]} paths */
const sql = (...paths) =>
  vitest(25, ['run', '--project', 'backend', ...paths.map((path) => `tests/${path}`)], TEXTUAL)

/**
 * @param {string[]} specs
 * @returns {Step}
 */
const browser = (specs) => ({ kind: 'e2e', project: 'browser', specs: specs.map((spec) => `e2e/${spec}`) })

/** @type {Step} */
const DESKTOP = { kind: 'e2e', project: 'desktop', specs: [] }

/**
 * The tests closest to a target, cheapest first.
 * @param {{ area: string, file: string }} target
 * @returns {Step[]}
 */
export function stepsFor({ area, file }) {
  switch (area) {
    case 'policies':
    case 'triggers':
      return [
        sql('supabase/rights/rights.pglite', 'supabase/schema'),
        sql('supabase/reads', 'backend/realtime'),
      ]
    case 'backend':
      return [unit(file), ...backend(file), browser(['smoke', 'restart'])]
    case 'main':
      return [unit(file), vitest(10, ['run', '--project', 'unit*', 'tests/main/built-']), DESKTOP]
    case 'renderer': {
      const feature = /\/features\/(\w+)\//.exec(file)?.[1] ?? ''
      return [unit(file), browser(SPECS[feature] ?? ['']), ...(feature === 'desktop' ? [DESKTOP] : [])]
    }
    default:
      return [unit(file), ...backend(file), browser([''])]
  }
}
