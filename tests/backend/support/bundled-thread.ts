import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fingerprint, type Target } from '../../../scripts/lib/build.mjs'
import { runTool } from '../../../scripts/lib/tools.mjs'

const CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/vignette')

/** The build target of the database thread. */
const THREAD: Target = {
  name: 'database thread',
  inputs: ['src/backend', 'src/shared', 'package.json', 'vite.backend.config.ts'],
  outputs: [],
  tool: 'vite',
  args: ['build', '--config', 'vite.backend.config.ts', '--mode', 'thread', '--logLevel', 'warn', '--outDir'],
}

let bundled: Promise<string> | undefined

/** Bundles the database thread once and caches it, because Node 20 cannot run TypeScript in a thread. */
export function bundledThread(): Promise<string> {
  bundled ??= findOrBundle()
  return bundled
}

async function findOrBundle(): Promise<string> {
  const folder = join(CACHE, `thread-${fingerprint(THREAD).slice(0, 16)}`)
  const file = join(folder, 'database-thread.mjs')
  if (existsSync(file)) return file
  const draft = `${folder}.${process.pid}`
  const result = await runTool(THREAD.tool, [...THREAD.args, draft], { quiet: true, timeoutMs: 300_000 })
  if (!result.ok) throw new Error(`The database thread could not be bundled:\n${result.output}`)
  // Another process may have finished the same bundle first.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }))
  return file
}
