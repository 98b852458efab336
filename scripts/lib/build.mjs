// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './paths.mjs'
import { runTool } from './tools.mjs'

/** The packages whose commands build a part of out/, with their arguments. */
const COMMANDS = {
  'electron-vite': ['build', '--logLevel', 'warn'],
  vite: ['build', '--config', 'vite.backend.config.ts', '--logLevel', 'warn'],
}

const INPUTS = [
  'src',
  'supabase/before-0.2.json',
  'supabase/migrations',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
  'electron.vite.config.ts',
  'vite.backend.config.ts',
]

/** Environment variables that become part of the build. */
const BUILD_ENV = ['SUPABASE_URL', 'SUPABASE_PUBLISHABLE_KEY', 'VIGNETTE_HEVC']

const STAMP = join(ROOT, 'out/.stamp')

/** @param {string} root @param {string} path @returns {string[]} */
const filesOf = (root, path) =>
  statSync(join(root, path)).isDirectory()
    ? readdirSync(join(root, path)).flatMap((name) => filesOf(root, `${path}/${name}`))
    : [path]

/**
 * A hash of what a build is made of. It covers contents, not times, so that a checkout or a copy does not rebuild.
 * @param {readonly string[]} inputs files and folders
 */
export function fingerprint(inputs = INPUTS, root = ROOT, env = process.env) {
  const hash = createHash('sha256')
  hash.update(JSON.stringify(BUILD_ENV.map((name) => env[name] ?? null)))
  for (const file of inputs.flatMap((path) => filesOf(root, path)).sort())
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/** Whether out/ is what a build would make now. */
export const isBuilt = (wanted = fingerprint()) => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted

/**
 * Builds out/ if an input has changed since the last build.
 * @param {{ force?: boolean, quiet?: boolean }} [options] quiet: show the output of a build only if it fails
 * @returns {Promise<boolean>} whether it is built
 */
export async function build({ force = false, quiet = false } = {}) {
  // Before the build, so that a change during the build is not missed.
  const wanted = fingerprint()
  if (!force && isBuilt(wanted)) return true
  rmSync(STAMP, { force: true })
  console.log('Building the app …')
  const results = await Promise.all(
    Object.entries(COMMANDS).map(([tool, args]) => runTool(tool, args, { quiet, timeoutMs: 600_000 })),
  )
  for (const { ok, output } of results) if (!ok && quiet) console.error(output.trimEnd())
  if (results.some(({ ok }) => !ok)) {
    console.error('Building the app failed.')
    return false
  }
  writeFileSync(STAMP, wanted)
  return true
}
