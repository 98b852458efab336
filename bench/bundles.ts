import { measureBundles } from '../scripts/lib/budgets.mjs'
import type { Report } from './lib/report'

/** The bundle sizes that affect the start; `npm test` also asserts them. */
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
