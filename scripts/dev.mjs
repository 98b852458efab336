// @ts-check
import { requireNode } from './lib/node-version.mjs'

requireNode()
const { develop } = await import('./lib/develop.mjs')
await develop()
