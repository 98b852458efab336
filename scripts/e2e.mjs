// @ts-check
import { build } from './lib/build.mjs'
import { desktopRuntimeLine } from './lib/desktop.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'
import { endToEnd, runSuites } from './lib/suites.mjs'

requireNode()
stopChildrenOnExit()
await ensureInstalled()

// This script handles --project and passes all other arguments (file names, -g, --debug, --workers …) to Playwright.
const args = process.argv.slice(2)
const project = args.find((arg) => arg.startsWith('--project='))?.slice('--project='.length) ?? 'browser'
const rest = args.filter((arg) => !arg.startsWith('--project='))
if (project !== 'browser' && project !== 'desktop') {
  console.error(`Unknown project ${project}: use --project=browser or --project=desktop.`)
  process.exit(2)
}

if (!(await build({ quiet: true }))) process.exit(1)
const { failed } = await runSuites([endToEnd(project, rest)])
if (project === 'desktop') console.log(desktopRuntimeLine())
process.exit(failed === 0 ? 0 : 1)
