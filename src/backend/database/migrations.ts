import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { BackendError } from '#/backend/base/backend-error'
import { splitStatements } from './sql-statements'

export interface Migration {
  version: string
  name: string
  sql: string
}

/** The versions of the baseline, which are later than all of 0.1 (docs/decisions/0105-changing-shapes.md). */
const BASELINE = /^20261201/

/** `20261120000000_profiles.sql`, as the Supabase CLI names migrations. */
const FILE_NAME = /^(\d+)_(.+)\.sql$/

/** The migrations of a folder, in the order they apply. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => FILE_NAME.test(file)).sort()
  return Promise.all(
    files.map(async (file) => {
      const [, version = '', name = ''] = FILE_NAME.exec(file) ?? []
      // Windows checkouts may have CRLF; the hash below must not depend on it.
      const sql = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
      return { version, name, sql }
    }),
  )
}

/** The migrations of 0.1, from the file beside the folder. It is 1 MB: only data of 0.1 needs it. */
export async function readReplaced(folder: string): Promise<Migration[]> {
  return JSON.parse(await readFile(join(folder, '../before-0.2.json'), 'utf8'))
}

/** Names a set of migrations by their contents. */
export function hashMigrations(migrations: Migration[]): string {
  const hash = createHash('sha256')
  for (const { version, name, sql } of migrations) hash.update(JSON.stringify([version, name, sql]))
  return hash.digest('hex')
}

/** The same table as the Supabase CLI keeps, so that a dump can move to a hosted project. */
const HISTORY_SQL = `
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (
  version text primary key,
  statements text[],
  name text
);
`

async function appliedVersions(pg: PGlite): Promise<Set<string>> {
  const found = await pg.query<{ found: boolean }>(
    `select to_regclass('supabase_migrations.schema_migrations') is not null as found`,
  )
  if (found.rows[0]?.found !== true) return new Set()
  const { rows } = await pg.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations',
  )
  return new Set(rows.map((row) => row.version))
}

/**
 * Throws, before anything is changed, for data that no build or only a newer one can upgrade. For data of 0.1 returns the migrations
 * of 0.1 that it lacks, otherwise null.
 */
export async function checkHistory(
  pg: PGlite,
  migrations: Migration[],
  { root, migrationsDir }: { root: string; migrationsDir: string },
): Promise<Migration[] | null> {
  const known = new Set(migrations.map(({ version }) => version))
  const applied = [...(await appliedVersions(pg))].sort()
  const unknown = applied.filter((version) => !known.has(version))
  if (unknown.length === 0) return null
  if (unknown.every((version) => version >= (migrations[0]?.version ?? '')))
    throw new BackendError(
      'newer',
      `This data folder was written by a newer version of Vignette (${unknown.join(', ')}). Please update the app to open it. Nothing was changed.`,
    )
  const replaced = await readReplaced(migrationsDir)
  // A gap is left by a build that was never on the main branch.
  if (applied.every((version, index) => version === replaced[index]?.version))
    return replaced.slice(applied.length)
  throw new BackendError(
    'failed',
    `The data in ${root} was written by a preview of Vignette that this version cannot upgrade. Nothing was changed.`,
  )
}

/**
 * Applies the missing migrations, each in one transaction with its row in the history. Returns their versions. A
 * failing migration is rolled back, and the error names it and its statement.
 * @param replaced for data of 0.1, what `checkHistory` returned: the baseline makes the same schema, so only the history is replaced
 */
export async function migrate(
  pg: PGlite,
  migrations: Migration[],
  replaced: Migration[] | null = null,
): Promise<string[]> {
  for (const migration of replaced ?? []) await apply(pg, migration)
  if (replaced !== null) await replaceHistory(pg, migrations)
  const applied = await appliedVersions(pg)
  const missing = migrations.filter(({ version }) => !applied.has(version))
  if (missing.length > 0) await pg.exec(HISTORY_SQL)
  for (const migration of missing) await apply(pg, migration)
  return [...(replaced ?? []), ...missing].map(({ version }) => version)
}

/** In one statement, so that a power failure leaves one history or the other. */
async function replaceHistory(pg: PGlite, migrations: Migration[]): Promise<void> {
  const baseline = migrations.filter(({ version }) => BASELINE.test(version))
  await pg.query(
    `with replaced as (delete from supabase_migrations.schema_migrations)
      insert into supabase_migrations.schema_migrations (version, name) select * from unnest($1::text[], $2::text[])`,
    [baseline.map(({ version }) => version), baseline.map(({ name }) => name)],
  )
}

async function apply(pg: PGlite, { version, name, sql }: Migration): Promise<void> {
  const statements = splitStatements(sql)
  await pg.transaction(async (tx) => {
    for (const [index, statement] of statements.entries()) {
      try {
        await tx.exec(statement.text)
      } catch (error) {
        throw failure(`${version}_${name}`, index, statement, error)
      }
    }
    await tx.query(
      'insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)',
      [version, name, statements.map((statement) => statement.text)],
    )
  })
}

const SHOWN_CHARACTERS = 300

function failure(
  file: string,
  index: number,
  statement: { text: string; line: number },
  error: unknown,
): BackendError {
  const { length } = statement.text
  const text = `${statement.text.slice(0, SHOWN_CHARACTERS)}${length > SHOWN_CHARACTERS ? ' …' : ''}`
  const reason = error instanceof Error ? error.message : String(error)
  return new BackendError(
    'migration',
    `Migration ${file} failed at statement ${index + 1} (line ${statement.line}): ${reason}. It was undone, the data is as it was. The statement: ${text}`,
    { cause: error },
  )
}
