// @ts-check
import { pathToFileURL } from 'node:url'
import { requireNode } from './lib/node-version.mjs'

requireNode()
// Loaded only now: an older Node would stumble over their imports before it could say what is wrong.
const { build, TARGETS } = await import('./lib/build.mjs')
const { ensureInstalled } = await import('./lib/install.mjs')
const { BACKEND_CLI } = await import('./lib/paths.mjs')
const { endWithNpm } = await import('./lib/process.mjs')

/** `web` serves the app too, `backend` is the server alone. */
const needsApp = process.argv[2] === 'web'
endWithNpm()
await ensureInstalled()
const targets = needsApp ? TARGETS : TARGETS.filter(({ name }) => name === 'backend')
if (!(await build({ targets, quiet: true }))) process.exit(1)
// In this very process: it reads the same arguments, and a signal reaches it directly.
await import(pathToFileURL(BACKEND_CLI).href)
