// @ts-check
import { BaseSequencer } from 'vitest/node'

/** Test files that take longest, the longest first: one that runs alone at the end costs its whole length. */
export const LONG = [
  'backend/server/restore.test.ts',
  'backend/server/processes.test.ts',
  'backend/rights/rights.pglite.test.ts',
  'backend/rights/rights.postgres.test.ts',
  'backend/reads/reads.test.ts',
  'backend/server/migrations.test.ts',
  'backend/realtime/soak.test.ts',
  'backend/realtime/changes.test.ts',
  'backend/realtime/tokens.test.ts',
  'backend/schema/generated.test.ts',
  'main/built-desktop.test.ts',
  'main/built-app.test.ts',
]

/** @param {import('vitest/node').TestSpecification} file */
function rank({ moduleId }) {
  const index = LONG.findIndex((path) => moduleId.endsWith(path))
  return index === -1 ? LONG.length : index
}

/** Vitest's order of the files, with the long ones before all others. */
export class LongestFirst extends BaseSequencer {
  /**
   * @override
   * @param {import('vitest/node').TestSpecification[]} files
   */
  async sort(files) {
    const sorted = await super.sort(files)
    return sorted.sort((one, other) => rank(one) - rank(other))
  }
}
