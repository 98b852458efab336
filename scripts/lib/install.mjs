// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './paths.mjs'
import { runNpm } from './tools.mjs'

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, link?: boolean }} LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage> }} Lockfile
 */

/**
 * Packages of package-lock.json that are not installed as it says. npm records what it installed in
 * node_modules/.package-lock.json, written last, so a broken-off installation counts as none. Optional packages are
 * those of other systems.
 * @param {Lockfile} lock
 * @param {Lockfile | null} installed
 */
export function outdatedPackages(lock, installed) {
  return Object.entries(lock.packages)
    .filter(([path, wanted]) => path !== '' && !wanted.optional && !wanted.link)
    .filter(([path, wanted]) => {
      const present = installed?.packages[path]
      return present?.version !== wanted.version || present?.integrity !== wanted.integrity
    })
    .map(([path]) => path)
}

/**
 * @param {string} path
 * @returns {Lockfile | null}
 */
function readLockfile(path) {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
  } catch {
    return null
  }
}

/** Installs what package-lock.json asks for, if anything of it is missing or changed. Ends the program if that fails. */
export async function ensureInstalled() {
  const lock = readLockfile('package-lock.json')
  if (lock === null) {
    console.error(
      'package-lock.json is missing or broken; get it back with `git checkout package-lock.json`.',
    )
    process.exit(1)
  }
  if (outdatedPackages(lock, readLockfile('node_modules/.package-lock.json')).length === 0) return
  console.log('Installing what Vignette is made of, from the npm registry (a minute or two, once) …')
  // Errors only: Node 20 meets engine warnings of packages that work on it all the same (README).
  const result = await runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  if (result.ok) return
  console.error('Installing failed; npm says why above. Check the connection and run the same command again.')
  process.exit(1)
}
