// @ts-check
// `npm test`, and with `--long [NAME …]` `npm run test:long`. The last line is `N passed, N failed` over all suites.
import { desktopRuntimeLine } from './lib/desktop.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'
import { allSteps, longSteps, runSuites } from './lib/suites.mjs'

stopChildrenOnExit()
const [kind, ...names] = process.argv.slice(2)
const { passed, failed } = await runSuites(kind === '--long' ? longSteps(names) : allSteps())
// The build alone.
const isEmpty = names.length > 0 && passed + failed === 1
if (isEmpty) console.error(`\nNo long test is named ${names.join(' or ')}.`)
console.log(`\n${desktopRuntimeLine()}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && !isEmpty ? 0 : 1
