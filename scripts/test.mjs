// @ts-check
import { requireNode } from './lib/node-version.mjs'

requireNode()
// Loaded only now: an older Node would stumble over their imports before it could say what is wrong.
const { testAll } = await import('./lib/test-all.mjs')
await testAll()
