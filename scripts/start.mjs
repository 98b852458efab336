// @ts-check
import { requireNode } from './lib/node-version.mjs'

requireNode()
// Imported dynamically: an older Node must first print which version it needs.
const { startApp } = await import('./lib/start-app.mjs')
await startApp()
