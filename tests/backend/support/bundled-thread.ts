import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fingerprint } from '../../../scripts/lib/build.mjs'
import { runTool } from '../../../scripts/lib/tools.mjs'

const CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/vignette')

/** The build of the database thread. */
const INPUTS = ['src/backend', 'src/shared', 'package.json', 'vite.backend.config.ts']
const ARGS = [
  'build',
  '--config',
  'vite.backend.config.ts',
  '--mode',
  'thread',
  '--logLevel',
  'warn',
  '--outDir',
]

let bundled: Promise<string> | undefined

/** Bundles the database thread once and caches it, because Node 20 cannot run TypeScript in a thread. */
export function bundledThread(): Promise<string> {
  bundled ??= findOrBundle()
  return bundled
}

async function findOrBundle(): Promise<string> {
  const folder = join(CACHE, `thread-${fingerprint(INPUTS).slice(0, 16)}`)
  const file = join(folder, 'database-thread.mjs')
  if (existsSync(file)) return file
  const draft = `${folder}.${process.pid}`
  const result = await runTool('vite', [...ARGS, draft], { quiet: true, timeoutMs: 300_000 })
  if (!result.ok) throw new Error(`The database thread could not be bundled:\n${result.output}`)
  // Another process may have finished the same bundle first.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }))
  return file
}
