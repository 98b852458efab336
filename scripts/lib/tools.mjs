// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './paths.mjs'
import { run } from './process.mjs'

/**
 * The script of a package's command. Running it with this Node avoids npx and the shell, which differ between systems.
 * @param {string} packageName
 * @param {string} [command] defaults to the last part of the package name
 */
export function toolPath(packageName, command = packageName.split('/').at(-1) ?? packageName) {
  const folder = join(ROOT, 'node_modules', packageName)
  /** @type {{ bin?: string | Record<string, string> }} */
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const script = typeof bin === 'string' ? bin : bin?.[command]
  if (script === undefined) throw new Error(`${packageName} has no command ${command}`)
  return join(folder, script)
}

/**
 * Runs an installed package's command.
 * @param {string} packageName
 * @param {string[]} args
 * @param {import('./process.mjs').RunOptions & { command?: string }} [options]
 */
export function runTool(packageName, args, { command, ...options } = {}) {
  return run(process.execPath, [toolPath(packageName, command), ...args], options)
}

/**
 * Runs npm: the one that started this script, otherwise the one on the PATH.
 * @param {string[]} args
 * @param {import('./process.mjs').RunOptions} [options]
 */
export function runNpm(args, options = {}) {
  const script = process.env.npm_execpath
  if (script?.endsWith('npm-cli.js')) return run(process.execPath, [script, ...args], options)
  // On Windows npm is a .cmd file, which needs a shell. No argument comes from outside.
  return run('npm', args, { ...options, shell: process.platform === 'win32' })
}
