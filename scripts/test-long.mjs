// @ts-check
import { desktopRuntimeLine } from './lib/desktop.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'
import { longSteps, runSuites } from './lib/suites.mjs'

requireNode()
stopChildrenOnExit()
await ensureInstalled()

const names = process.argv.slice(2)
const { passed, failed } = await runSuites(longSteps(names))
if (names.length === 0) console.log(`\n${desktopRuntimeLine()}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
