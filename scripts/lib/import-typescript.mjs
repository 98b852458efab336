// @ts-check
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { ROOT } from './paths.mjs'

/**
 * Imports a TypeScript module of the project, aliases and all; Node 20 cannot by itself.
 * @template T
 * @param {string} path
 * @returns {Promise<T>}
 */
export async function importTypeScript(path) {
  /** @type {{ module: T }} */
  const { module } = await runnerImport(path, {
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    resolve: { alias: { '#tests': join(ROOT, 'tests'), '#': join(ROOT, 'src') } },
  })
  return module
}
