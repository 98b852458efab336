// @ts-check
import { parseArgs } from 'node:util'
import { build } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'

requireNode()
const { values } = parseArgs({ options: { stale: { type: 'boolean', default: false } } })
stopChildrenOnExit()
await ensureInstalled()
process.exit((await build({ force: !values.stale })) ? 0 : 1)
