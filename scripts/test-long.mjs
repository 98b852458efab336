// @ts-check
import { build } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'
import { endToEnd, LONG_BACKEND, LONG_TAG, longTests, runSuites } from './lib/suites.mjs'

requireNode()
stopChildrenOnExit()
await ensureInstalled()

if (!(await build({ quiet: true }))) process.exit(1)
// Names select files of tests/long; without names, the long tests of other folders also run.
const names = process.argv.slice(2)
const tagged = names.length === 0 ? [LONG_BACKEND, endToEnd('browser', ['--grep', LONG_TAG])] : []
const { passed, failed } = await runSuites([longTests(names), ...tagged])
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
