// @ts-check
// `npm run types` generates src/shared/database.types.ts (with the Supabase CLI, but without Docker or a server),
// src/shared/schema-version.ts, src/backend/rest/exposed-schema.json and supabase/schema.sql from the migrations.
// `-- --check` fails if a committed file is stale.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { exposedSchema } from './lib/exposed-schema.mjs'
import { importTypeScript } from './lib/import-typescript.mjs'
import { withMigratedDatabase } from './lib/migrated-database.mjs'
import { ROOT } from './lib/paths.mjs'
import { schemaSql } from './lib/schema-sql.mjs'
import { toolPath } from './lib/tools.mjs'

const EXPOSED = 'src/backend/rest/exposed-schema.json'
const HEADER = '/** Generated from supabase/migrations by `npm run types`. Do not edit. */\n'

/**
 * Pipes `input` through the command of an installed package and returns its output. Rejects with its error output.
 * @param {string} packageName
 * @param {string[]} args
 * @param {string} [input]
 */
async function pipeTool(packageName, args, input = '') {
  const finished = promisify(execFile)(process.execPath, [toolPath(packageName), ...args], {
    cwd: ROOT,
    env: { ...process.env, SUPABASE_TELEMETRY_DISABLED: '1' },
    maxBuffer: 64 * 1024 * 1024,
  })
  finished.child.stdin?.end(input)
  return (await finished).stdout
}

const { types, exposed, sql } = await withMigratedDatabase(async (pg, { withConnectionUrl }) => ({
  sql: await schemaSql(pg),
  exposed: await exposedSchema(pg),
  types: await withConnectionUrl(pg, (url) =>
    pipeTool('supabase', ['gen', 'types', 'typescript', '--remote', url, '--schema', 'public']),
  ),
}))
/** @type {typeof import('../tests/supabase/schema/support/earlier-database.ts')} */
const { schemaVersions } = await importTypeScript('tests/supabase/schema/support/earlier-database.ts')
/** @type {(text: string, path: string) => Promise<string>} the path says which rules apply */
const format = (text, path) => pipeTool('@biomejs/biome', ['format', `--stdin-file-path=${path}`], text)

const files = {
  // biome.json excludes the real file name.
  'src/shared/database.types.ts': await format(HEADER + types, 'src/shared/generated.ts'),
  [EXPOSED]: await format(exposed, EXPOSED),
  'src/shared/schema-version.ts': await schemaVersions(exposedSchema),
  'supabase/schema.sql': sql,
}
for (const [path, content] of Object.entries(files)) {
  const file = join(ROOT, path)
  if (!process.argv.includes('--check')) writeFileSync(file, content)
  // Windows checkouts may have CRLF.
  else if (!existsSync(file) || readFileSync(file, 'utf8').replaceAll('\r\n', '\n') !== content) {
    console.error(`${path} is out of date with the migrations: run npm run types and commit the result.`)
    process.exitCode = 1
  }
}
