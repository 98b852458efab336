// @ts-check
import { build } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { endWithChildren } from './lib/process.mjs'
import { endToEnd, LONG_TAG, longTests, runSuites } from './lib/suites.mjs'

requireNode()
endWithChildren()
await ensureInstalled()

if (!(await build({ quiet: true }))) process.exit(1)
// Names select files of tests/long; without any, the long end-to-end tests run too.
const names = process.argv.slice(2)
const endToEndTests = names.length === 0 ? [endToEnd('browser', ['--grep', LONG_TAG])] : []
const { passed, failed } = await runSuites([longTests(names), ...endToEndTests])
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
