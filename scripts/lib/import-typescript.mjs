// @ts-check
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { ROOT } from './paths.mjs'

/**
 * Imports a TypeScript module of the project and resolves its aliases; Node 20 does neither.
 * @template T
 * @param {string} path in the project folder
 * @returns {Promise<T>}
 */
export async function importTypeScript(path) {
  /** @type {{ module: T }} */
  const { module } = await runnerImport(join(ROOT, path), {
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    resolve: { alias: { '#tests': join(ROOT, 'tests'), '#': join(ROOT, 'src') } },
  })
  return module
}
