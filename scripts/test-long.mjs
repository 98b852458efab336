// @ts-check
import { build } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'
import { longSteps, runSuites } from './lib/suites.mjs'

requireNode()
stopChildrenOnExit()
await ensureInstalled()

if (!(await build({ quiet: true }))) process.exit(1)
const { passed, failed } = await runSuites(longSteps(process.argv.slice(2)))
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
