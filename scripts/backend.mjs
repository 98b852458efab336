// @ts-check
import { pathToFileURL } from 'node:url'
// `npm run web` also serves the app; `npm run backend` is the server only.
import { build } from './lib/build.mjs'
import { BACKEND_CLI } from './lib/paths.mjs'
import { exitWithNpm } from './lib/process.mjs'

exitWithNpm()
if (!(await build({ quiet: true }))) process.exit(1)
// Imported instead of spawned, so that it sees the same arguments and receives signals directly.
await import(pathToFileURL(BACKEND_CLI).href)
