// @ts-check
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './paths.mjs'

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, link?: boolean }} LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage> }} Lockfile
 */

/**
 * The packages of package-lock.json that are missing or have another version. npm writes node_modules/.package-lock.json at
 * the end of an installation, so an interrupted one counts as missing. Optional packages are for other systems.
 * @param {Lockfile} lock
 * @param {Lockfile | null} installed
 */
export function outdatedPackages(lock, installed) {
  return Object.entries(lock.packages)
    .filter(([path, locked]) => path !== '' && !locked.optional && !locked.link)
    .filter(([path, locked]) => {
      const current = installed?.packages[path]
      return current?.version !== locked.version || current?.integrity !== locked.integrity
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

/**
 * Runs npm: the one that started this script, otherwise the one on the PATH.
 * @param {string[]} args
 */
function runNpm(args) {
  const script = process.env.npm_execpath
  const isScript = script?.endsWith('npm-cli.js') === true
  // On Windows npm is a .cmd file, which needs a shell. No argument comes from outside.
  const options = /** @type {const} */ ({
    cwd: ROOT,
    stdio: 'inherit',
    shell: !isScript && process.platform === 'win32',
  })
  return (
    spawnSync(isScript ? process.execPath : 'npm', isScript ? [script, ...args] : args, options).status === 0
  )
}

/**
 * Installs the locked packages.
 * @param {(args: string[]) => boolean} npm
 */
export function installPackages(npm = runNpm) {
  // Hides the engine warnings of packages that work on Node 20 anyway (README).
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  // Without asking the registry whether 600 cached entries are current; the lockfile has the hash of every package.
  if (npm([...args, '--prefer-offline'])) return true
  // A cached entry may be older than the locked version of its package.
  console.log('Trying again with current entries of the registry …')
  return npm([...args, '--prefer-online'])
}

/** Runs `npm ci` if the installed packages differ from package-lock.json. Exits if the installation fails. */
export function ensureInstalled() {
  const lock = readLockfile('package-lock.json')
  if (lock === null) {
    console.error('package-lock.json is missing or broken; restore it with `git checkout package-lock.json`.')
    process.exit(1)
  }
  if (outdatedPackages(lock, readLockfile('node_modules/.package-lock.json')).length === 0) return
  console.log('Installing dependencies from the npm registry (once, a minute or two) …')
  if (installPackages()) return
  console.error(
    "The installation failed; see npm's output above. Check the connection and run the same command again.",
  )
  process.exit(1)
}
