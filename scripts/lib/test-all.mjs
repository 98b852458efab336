// @ts-check
import { desktopRuntimeLine } from './desktop.mjs'
import { ensureInstalled } from './install.mjs'
import { stopChildrenOnExit } from './process.mjs'
import { ALL_STEPS, runSuites } from './suites.mjs'

/** Runs `npm test`. Its last line is `N passed, N failed` over all suites. */
export async function testAll() {
  stopChildrenOnExit()
  await ensureInstalled()
  const { passed, failed } = await runSuites(ALL_STEPS)
  console.log(`\n${desktopRuntimeLine()}`)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}
