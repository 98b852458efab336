// @ts-check
// `node scripts/run.mjs [NAME …]` checks Node and installs missing packages, then runs scripts/NAME.mjs, which may import them.
import { requireNode } from './lib/node-version.mjs'

requireNode()
// Imported dynamically: an older Node must first print which version it needs.
const { ensureInstalled } = await import('./lib/install.mjs')
ensureInstalled()
const [name] = process.argv.splice(2, 1)
if (name !== undefined) await import(`./${name}.mjs`)
