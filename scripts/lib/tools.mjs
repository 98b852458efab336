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
