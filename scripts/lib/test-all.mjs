// @ts-check
import { desktopRuntimeLine } from './desktop.mjs'
import { ensureInstalled } from './install.mjs'
import { endWithChildren } from './process.mjs'
import { BASICS, endToEnd, LONG_TAG, runSuites } from './suites.mjs'

/** What `npm test` does; ends the program, with `N passed, N failed` over all suites as its last line. */
export async function testAll() {
  endWithChildren()
  await ensureInstalled()
  const steps = [...BASICS, endToEnd('browser', ['--grep-invert', LONG_TAG]), endToEnd('desktop')]
  const { passed, failed } = await runSuites(steps)
  console.log(`\n${desktopRuntimeLine()}`)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}
