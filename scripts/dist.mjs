// @ts-check
// `npm run dist`: the installers of the system it runs on, in release/. `-- --dir` leaves the app unpacked instead.
import { requireNode } from './lib/node-version.mjs'

requireNode()
const { dist } = await import('./lib/dist.mjs')
await dist()
