// @ts-check
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../paths.mjs'
import { sqlTargets } from './sql.mjs'
import { typeScriptMutations } from './typescript.mjs'

/** The default areas, without `shared`, which consists mostly of types. */
export const AREAS = /** @type {const} */ (['policies', 'triggers', 'backend', 'main', 'renderer'])

/** Generated types, on-screen texts and demo content. */
const CONTENT = /database\.types\.ts$|\/texts(\/|\.ts$)|\/demo\/data\//

/** All files that git does not ignore, with forward slashes. */
export function projectFiles() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const files = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  return files.split('\n').filter((file) => file !== '')
}

/**
 * Everything in the project that can be mutated.
 * @param {readonly string[]} files
 * @returns {import('./mutation.mjs').Target[]}
 */
export function projectTargets(files) {
  const read = (/** @type {string} */ file) => ({ file, source: readFileSync(join(ROOT, file), 'utf8') })
  const migrations = files.filter((file) => /^supabase\/migrations\/.*\.sql$/.test(file)).sort()
  const modules = files.filter((file) => /^src\/.*\.tsx?$/.test(file) && !CONTENT.test(file))
  return [
    ...sqlTargets(migrations.map(read)),
    ...modules.map(read).map(({ file, source }) => ({
      area: file.startsWith('src/preload/') ? 'main' : (file.split('/')[1] ?? ''),
      name: file,
      file,
      source,
      mutations: typeScriptMutations(file, source),
    })),
  ]
}
