// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './paths.mjs'
import { run } from './process.mjs'

/**
 * The script behind a package's command. Run with this Node it needs neither npx nor a shell, which differ by system.
 * @param {string} packageName
 * @param {string} [command] the command's name; the package's last name part when left out
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
 * Runs npm: the one that started this script, else the one on the path.
 * @param {string[]} args
 * @param {import('./process.mjs').RunOptions} [options]
 */
export function runNpm(args, options = {}) {
  const script = process.env.npm_execpath
  if (script?.endsWith('npm-cli.js')) return run(process.execPath, [script, ...args], options)
  // npm is a .cmd file on Windows, which only a shell can run; the arguments are all ours.
  return run('npm', args, { ...options, shell: process.platform === 'win32' })
}
