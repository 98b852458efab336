// @ts-check
import { ensureInstalled } from './install.mjs'
import { endWithChildren } from './process.mjs'
import { BACKEND, BUILD, CHECKS, desktopTestsObstacle, endToEnd, runSuites } from './suites.mjs'

/** What `npm test` does; ends the program, with `N passed, N failed` over all suites as its last line. */
export async function testAll() {
  endWithChildren()
  await ensureInstalled()
  const obstacle = desktopTestsObstacle()
  const desktop = obstacle === null ? [endToEnd('desktop')] : []
  const { passed, failed } = await runSuites([...CHECKS, ...BUILD, BACKEND, endToEnd('browser'), ...desktop])
  if (obstacle !== null) console.log(`- end-to-end (desktop): ${obstacle}; not run`)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}
