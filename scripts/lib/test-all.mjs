// @ts-check
import { desktopRuntimeLine } from './desktop.mjs'
import { ensureInstalled } from './install.mjs'
import { stopChildrenOnExit } from './process.mjs'
import { BASE_STEPS, endToEnd, LONG_TAG, runSuites } from './suites.mjs'

/** Runs `npm test`. Its last line is `N passed, N failed` over all suites. */
export async function testAll() {
  stopChildrenOnExit()
  await ensureInstalled()
  const steps = [...BASE_STEPS, endToEnd('browser', ['--grep-invert', LONG_TAG]), endToEnd('desktop')]
  const { passed, failed } = await runSuites(steps)
  console.log(`\n${desktopRuntimeLine()}`)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}
