// @ts-check

/**
 * @typedef {{ kind: 'vitest', args: string[], minutes: number }
 *   | { kind: 'e2e', project: 'browser' | 'desktop', specs: string[] }} Step
 */

/** The end-to-end tests of each feature, by what their files' names begin with; all of them for everything else. */
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

/** Tests that compare texts of migrations instead of what they do, and so would notice every mutant. */
const TEXTUAL = ['migrations', 'generated'].flatMap((name) => [
  '--exclude',
  `tests/backend/schema/${name}.test.ts`,
])

/** Tests of the built backend, which import nothing of it. */
const BUILT_BACKEND = ['server/processes', 'load', 'realtime/soak', 'realtime/bindings']

/**
 * @param {string[]} args
 * @param {number} minutes
 * @returns {Step}
 */
const vitest = (args, minutes) => ({ kind: 'vitest', args, minutes })

/** @param {string} file */
const unit = (file) => vitest(['related', file, '--run', '--project', 'unit'], 10)

/** @param {string} file */
const backend = (file) => vitest(['related', file, '--run', '--project', 'backend'], 25)

/**
 * @param {string[]} specs
 * @returns {Step}
 */
const browser = (specs) => ({ kind: 'e2e', project: 'browser', specs: specs.map((spec) => `e2e/${spec}`) })

/** @type {Step} */
const DESKTOP = { kind: 'e2e', project: 'desktop', specs: [] }

/** @param {string[]} paths */
const sql = (...paths) =>
  vitest(['run', '--project', 'backend', ...paths.map((path) => `tests/backend/${path}`), ...TEXTUAL], 20)

/**
 * The tests nearest to a place, the cheapest first.
 * @param {{ area: string, file: string }} place
 * @returns {Step[]}
 */
export function stepsFor({ area, file }) {
  switch (area) {
    case 'policies':
      return [sql('rights/rights.pglite'), sql('schema'), sql('reads'), sql('realtime')]
    case 'triggers':
      return [sql('schema'), sql('rights/rights.pglite'), sql('reads'), sql('realtime')]
    case 'backend':
      return [unit(file), backend(file), sql(...BUILT_BACKEND), browser(['smoke', 'restart'])]
    case 'main':
      return [unit(file), vitest(['run', '--project', 'unit', 'tests/main/built-'], 10), DESKTOP]
    case 'renderer': {
      const feature = /\/features\/(\w+)\//.exec(file)?.[1] ?? ''
      return [unit(file), browser(SPECS[feature] ?? ['']), ...(feature === 'desktop' ? [DESKTOP] : [])]
    }
    default:
      return [unit(file), backend(file), browser([''])]
  }
}
