// @ts-check
import { BaseSequencer } from 'vitest/node'

/** The slowest test files, slowest first. A slow file that starts last would run alone and delay the end. */
const SLOWEST_FILES = [
  'backend/database/open-or-restore.test.ts',
  'backend/start/cli.test.ts',
  'supabase/rights/rights.pglite.test.ts',
  'supabase/rights/rights.postgres.test.ts',
  'supabase/reads/reads.test.ts',
  'backend/database/migrations.test.ts',
  'backend/realtime/soak.test.ts',
  'backend/realtime/changes.test.ts',
  'backend/access/tokens.test.ts',
  'supabase/schema/generated.test.ts',
  'main/built-desktop.test.ts',
  'main/built-app.test.ts',
]

/** @param {import('vitest/node').TestSpecification} file */
function rank({ moduleId }) {
  const index = SLOWEST_FILES.findIndex((path) => moduleId.endsWith(path))
  return index === -1 ? SLOWEST_FILES.length : index
}

/** Vitest's order of the files, with the slowest ones first. */
export class SlowestFirst extends BaseSequencer {
  /**
   * @override
   * @param {import('vitest/node').TestSpecification[]} files
   */
  async sort(files) {
    const sorted = await super.sort(files)
    return sorted.sort((one, other) => rank(one) - rank(other))
  }
}
