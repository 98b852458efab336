// @ts-check
import { ensureInstalled } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'
import { CHECK_STEPS, runSuites } from './lib/suites.mjs'

requireNode()
stopChildrenOnExit()
await ensureInstalled()
const { failed } = await runSuites(CHECK_STEPS)
process.exit(failed === 0 ? 0 : 1)
