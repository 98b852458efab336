// @ts-check
// `npm run build` builds out/, and with `--stale` only if a source has changed.
import { build } from './lib/build.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'

stopChildrenOnExit()
process.exit((await build({ force: !process.argv.includes('--stale') })) ? 0 : 1)
