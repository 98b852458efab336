// @ts-check
import { ensureInstalled } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { endWithChildren } from './lib/process.mjs'
import { CHECKS, runSuites } from './lib/suites.mjs'

requireNode()
endWithChildren()
await ensureInstalled()
const { failed } = await runSuites(CHECKS)
process.exit(failed === 0 ? 0 : 1)
