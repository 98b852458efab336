import { measureBundles } from '../scripts/lib/budgets.mjs'
import type { Report } from './lib/report'

/** How large the parts of the build are that somebody waits for: asserted by `npm run check` too. */
export async function measure(): Promise<Report> {
  return {
    name: 'bundles',
    rows: measureBundles().map(({ name, bytes, budget }) => ({
      what: name,
      p50: bytes / 1_000,
      unit: 'KB',
      budget: budget / 1_000,
    })),
  }
}
