import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/lib/longest-first.mjs'

const alias = {
  '#tests': resolve(import.meta.dirname, 'tests'),
  '#': resolve(import.meta.dirname, 'src'),
}

/**
 * `unit` needs nothing but Node; `backend` starts embedded servers and a PostgreSQL; `packaging` packages the built
 * app; `long` is what takes minutes.
 */
export default defineConfig({
  resolve: { alias },
  test: {
    // @supabase/lite prints every refused request; only those of a failing test are worth reading.
    silent: 'passed-only',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: ['tests/{shared,main,preload,renderer,scripts}/**/*.test.{ts,tsx}'],
        },
      },
      {
        extends: true,
        test: {
          name: 'backend',
          sequence: { groupOrder: 1 },
          include: ['tests/backend/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'packaging',
          sequence: { groupOrder: 2 },
          include: ['tests/packaging/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
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
