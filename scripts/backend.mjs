// @ts-check
import { pathToFileURL } from 'node:url'
import { requireNode } from './lib/node-version.mjs'

requireNode()
// Imported dynamically: an older Node must first print which version it needs.
const { build, TARGETS } = await import('./lib/build.mjs')
const { ensureInstalled } = await import('./lib/install.mjs')
const { BACKEND_CLI } = await import('./lib/paths.mjs')
const { exitWithNpm } = await import('./lib/process.mjs')

/** `web` also serves the app; `backend` is the server only. */
const needsApp = process.argv[2] === 'web'
exitWithNpm()
await ensureInstalled()
const targets = needsApp ? TARGETS : TARGETS.filter(({ name }) => name === 'backend')
if (!(await build({ targets, quiet: true }))) process.exit(1)
// Imported instead of spawned, so that it sees the same arguments and receives signals directly.
await import(pathToFileURL(BACKEND_CLI).href)
