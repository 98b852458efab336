import { test } from '@playwright/test'

/**
 * A step that `npm test` leaves out. Its test has the tag `@steps`, by which `npm run test:long` selects the tests that it runs
 * with all their steps.
 */
export async function longStep(title: string, run: () => Promise<void>): Promise<void> {
  if (!test.info().tags.includes('@steps')) throw new Error('A test with long steps needs the tag @steps')
  if (process.env.VIGNETTE_TEST_STEPS !== 'short') await test.step(title, run)
}
