// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './paths.mjs'
import { runTool } from './tools.mjs'

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {string[]} inputs source files and folders
 * @property {string[]} outputs files that must exist afterwards
 * @property {string} tool package whose command builds it
 * @property {string[]} args
 */

const COMMON = ['src/shared', 'tsconfig.json', 'package.json', 'package-lock.json']

/** @type {readonly Target[]} */
export const TARGETS = [
  {
    name: 'app',
    inputs: [...COMMON, 'src/main', 'src/preload', 'src/renderer', 'electron.vite.config.ts'],
    outputs: ['out/main/index.cjs', 'out/preload/index.cjs', 'out/renderer/index.html'],
    tool: 'electron-vite',
    args: ['build', '--logLevel', 'warn'],
  },
  {
    name: 'backend',
    inputs: [...COMMON, 'src/backend', 'supabase/migrations', 'vite.backend.config.ts'],
    outputs: ['out/backend/cli.mjs'],
    tool: 'vite',
    args: ['build', '--config', 'vite.backend.config.ts', '--logLevel', 'warn'],
  },
]

/** Environment variables that become part of the build. */
const BUILD_ENV = ['SUPABASE_URL', 'SUPABASE_PUBLISHABLE_KEY', 'VIGNETTE_HEVC']

/**
 * All files of the inputs, sorted, as paths with forward slashes.
 * @param {string} root
 * @param {readonly string[]} inputs
 */
function inputFiles(root, inputs) {
  return inputs
    .flatMap((input) => {
      const path = join(root, input)
      if (!existsSync(path)) return []
      if (!statSync(path).isDirectory()) return [input]
      return readdirSync(path, { recursive: true, encoding: 'utf8' })
        .map((name) => join(input, name))
        .filter((name) => statSync(join(root, name)).isFile())
    })
    .map((name) => name.replaceAll('\\', '/'))
    .sort()
}

/**
 * A hash of the target's arguments and inputs. It covers contents, not times, so that a checkout or a copy does not rebuild.
 * @param {Target} target
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
export function fingerprint(target, root = ROOT, env = process.env) {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([target.args, BUILD_ENV.map((name) => env[name] ?? null)]))
  for (const file of inputFiles(root, target.inputs)) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

/**
 * @param {Target} target
 * @param {string} root
 */
function stampPath(target, root) {
  return join(root, 'out', `.${target.name}.stamp`)
}

/**
 * Whether a target must be rebuilt: an output is missing, or an input has changed.
 * @param {Target} target
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
export function isStale(target, root = ROOT, env = process.env) {
  if (target.outputs.some((output) => !existsSync(join(root, output)))) return true
  const stamp = stampPath(target, root)
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint(target, root, env)
}

/**
 * Records the fingerprint of a finished build.
 * @param {Target} target
 * @param {string} stamp the fingerprint from before the build, so that a change during the build is not missed
 * @param {string} root
 */
export function markBuilt(target, stamp, root = ROOT) {
  mkdirSync(join(root, 'out'), { recursive: true })
  writeFileSync(stampPath(target, root), stamp)
}

/**
 * Builds the stale targets, or all of them.
 * @param {{ force?: boolean, quiet?: boolean, targets?: readonly Target[] }} [options] quiet: show the output of a build
 * only if it fails
 * @returns {Promise<boolean>} whether all targets are built
 */
export async function build({ force = false, quiet = false, targets = TARGETS } = {}) {
  for (const target of targets) {
    if (!force && !isStale(target)) continue
    console.log(`Building the ${target.name} …`)
    const stamp = fingerprint(target)
    const result = await runTool(target.tool, target.args, { quiet, timeoutMs: 300_000 })
    if (!result.ok) {
      if (quiet) console.error(result.output.trimEnd())
      console.error(`Building the ${target.name} failed.`)
      return false
    }
    markBuilt(target, stamp)
  }
  return true
}
