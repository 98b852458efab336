// @ts-check
// `npm run dist` builds the installers for this system in release/; `-- --dir` only builds the unpacked app.
import { requireNode } from './lib/node-version.mjs'

requireNode()
const { dist } = await import('./lib/dist.mjs')
await dist()
