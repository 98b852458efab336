// @ts-check
// `npm run types` generates src/shared/database.types.ts (with the Supabase CLI, but without Docker or a server),
// src/shared/schema-version.ts, src/backend/rest/exposed-schema.json and supabase/schema.sql from the migrations, and fails if supabase/schemas
// differs. `-- --check` only fails if a committed file is stale. `-- --draft NAME` writes a draft of the migration that supabase/schemas needs.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { exposedSchema } from './lib/exposed-schema.mjs'
import { importTypeScript } from './lib/import-typescript.mjs'
import { ROOT } from './lib/paths.mjs'
import { schemaSql } from './lib/schema-sql.mjs'
import { toolPath } from './lib/tools.mjs'

const EXPOSED = 'src/backend/rest/exposed-schema.json'
const HEADER = '/** Generated from supabase/migrations by `npm run types`. Do not edit. */\n'

const { values } = parseArgs({ options: { check: { type: 'boolean' }, draft: { type: 'string' } } })
const SUPPORT = 'tests/supabase/schema/support'
/** @type {typeof import('../tests/supabase/schema/support/migrated-database.ts')} */
const { withConnectionUrl } = await importTypeScript(`${SUPPORT}/migrated-database.ts`)
/** @type {typeof import('../tests/supabase/schema/support/earlier-database.ts')} */
const { openBy, openWithVersions } = await importTypeScript(`${SUPPORT}/earlier-database.ts`)
/** @type {typeof import('../tests/supabase/schema/support/compare-schemas.ts')} */
const { findDifferences } = await importTypeScript(`${SUPPORT}/compare-schemas.ts`)

const { pg: migrated, versions } = await openWithVersions(exposedSchema)
const declared = await openBy('supabase/schemas')
const problems = values.draft === undefined ? await generate() : await writeDraft(values.draft)
for (const pg of [migrated, declared]) await pg.close()
for (const problem of problems) console.error(problem)
// PGlite sets it when it closes.
process.exitCode = problems.length > 0 ? 1 : 0

/** Pipes `input` through a script and returns its output. @param {string} tool @param {string[]} args @param {string} [input] */
async function pipeTool(tool, args, input = '') {
  const finished = promisify(execFile)(process.execPath, [tool, ...args], {
    cwd: ROOT,
    env: { ...process.env, SUPABASE_TELEMETRY_DISABLED: '1' },
    maxBuffer: 64 * 1024 * 1024,
  })
  finished.child.stdin?.end(input)
  return (await finished).stdout
}

async function generate() {
  const types = await withConnectionUrl(migrated, (url) =>
    pipeTool(toolPath('supabase'), ['gen', 'types', 'typescript', '--remote', url, '--schema', 'public']),
  )
  /** @type {(text: string, path: string) => Promise<string>} the path says which rules apply */
  const format = (text, path) =>
    pipeTool(toolPath('@biomejs/biome'), ['format', `--stdin-file-path=${path}`], text)
  const files = {
    // biome.json excludes the real file name.
    'src/shared/database.types.ts': await format(HEADER + types, 'src/shared/generated.ts'),
    [EXPOSED]: await format(await exposedSchema(migrated), EXPOSED),
    'src/shared/schema-version.ts': versions,
    'supabase/schema.sql': await schemaSql(migrated),
  }
  const problems = await findDifferences({ 'supabase/migrations': migrated, 'supabase/schemas': declared })
  for (const [path, content] of Object.entries(files)) {
    const file = join(ROOT, path)
    if (!values.check) writeFileSync(file, content)
    // Windows checkouts may have CRLF.
    else if (!existsSync(file) || readFileSync(file, 'utf8').replaceAll('\r\n', '\n') !== content)
      problems.push(`${path} is out of date with the migrations: run npm run types and commit the result.`)
  }
  return problems
}

/** @param {string} name */
async function writeDraft(name) {
  const plan = await withConnectionUrl(migrated, (from) =>
    withConnectionUrl(declared, (to) => {
      const args = ['plan', '--source', from, '--desired', to, '--renames', 'auto']
      return pipeTool(toolPath('@supabase/pg-delta', 'pgdelta'), args)
    }),
  )
  /** @type {{ actions: { sql: string }[] }} */
  const { actions } = JSON.parse(plan)
  const statements = actions.flatMap(({ sql }) => (sql.includes(' OWNER TO ') ? [] : `${sql.trim()};\n`))
  // Landed migrations may be of a later day than today.
  const last = readdirSync(join(ROOT, 'supabase/migrations')).sort().at(-1)?.slice(0, 14)
  const now = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const file = `supabase/migrations/${Math.max(Number(now), Number(last) + 1)}_${name}.sql`
  if (statements.length > 0) writeFileSync(join(ROOT, file), statements.join('\n'))
  console.log(`${statements.length} statements for ${file}`)
  return []
}
