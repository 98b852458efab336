import type { PGlite } from '@electric-sql/pglite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrate, readReplaced } from '#/backend/database/migrations'
import { SETUP_SQL } from '#/backend/database/setup'
import { schemaSql } from '../../../scripts/lib/schema-sql.mjs'
import { openWith, readBaseline } from './support/earlier-database'
import { MIGRATIONS } from './support/migrated-database'

/** What a hosted project has before its first migration: rights on all that is new, and a scheduler. */
const HOSTED = `
  alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
  alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
  create schema cron;
  create table cron.job (jobname text primary key, schedule text, command text);
  create table cron.job_run_details (runid bigint primary key, start_time timestamptz, end_time timestamptz);
  create function cron.schedule(name text, schedule text, command text) returns bigint language sql as $$
    insert into cron.job values (name, schedule, command)
      on conflict (jobname) do update set schedule = excluded.schedule, command = excluded.command returning 1::bigint
  $$;
  create function cron.unschedule(name text) returns boolean language sql as $$
    delete from cron.job where jobname = name returning true
  $$;`

const OWN = `n.nspname in ('public', 'private')`
const rights = (acl: string) => `(select array_agg(g::text order by g::text) from unnest(${acl}) as g)`

/** What schema.sql leaves out, in an order without oids. */
const MORE = {
  schemas: `select n.nspname, ${rights('n.nspacl')} as rights, obj_description(n.oid, 'pg_namespace') as comment
    from pg_namespace n where ${OWN} or n.nspname = 'extensions' order by 1`,
  relations: `select n.nspname, c.relname, c.relkind,
      ${rights(`coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))`)} as rights, c.reloptions, c.relforcerowsecurity,
      c.relreplident, obj_description(c.oid, 'pg_class') as comment
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OWN} order by 1, 2`,
  columns: `select n.nspname, c.relname, a.attname, row_number() over (partition by c.oid order by a.attnum) as place,
      ${rights('a.attacl')} as rights, a.attstorage, a.attcollation::regcollation::text as collation, a.attidentity,
      col_description(c.oid, a.attnum) as comment
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OWN} and c.relkind in ('r', 'v', 'c') and a.attnum > 0 and not a.attisdropped order by 1, 2, 4`,
  // Of one table, PostgreSQL checks them in the order in which they were made.
  references: `select conrelid::regclass::text as name, array_agg(conname order by k.oid) as keys
    from pg_constraint k join pg_namespace n on n.oid = k.connamespace where ${OWN} and contype = 'f' group by 1 order by 1`,
  constraints: `select conrelid::regclass::text as name, conname, condeferrable, condeferred, convalidated
    from pg_constraint k join pg_namespace n on n.oid = k.connamespace where ${OWN} order by 1, 2`,
  functions: `select p.oid::regprocedure::text as name, ${rights('p.proacl')} as rights, p.proowner::regrole::text as owner
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${OWN} order by 1`,
  types: `select t.oid::regtype::text as name, ${rights('t.typacl')} as rights, obj_description(t.oid, 'pg_type') as comment
    from pg_type t join pg_namespace n on n.oid = t.typnamespace where ${OWN} order by 1`,
  triggers: `select tgrelid::regclass::text as name, tgname, tgenabled, tgdeferrable, tginitdeferred from pg_trigger
    where not tgisinternal order by 1, 2`,
  policies: `select schemaname, tablename, policyname, permissive, roles::text[], cmd, qual, with_check from pg_policies order by 1, 2, 3`,
  settings: `select setrole::regrole::text as role, setconfig from pg_db_role_setting order by 1`,
  extensions: `select extname, extnamespace::regnamespace::text as schema from pg_extension order by 1`,
  published: `select pubname, schemaname, tablename from pg_publication_tables order by 1, 2, 3`,
  buckets: `select id, name, public, file_size_limit, allowed_mime_types from storage.buckets order by 1`,
}

/** The rows that migrations write themselves. */
async function rowsOf(pg: PGlite) {
  const { rows: tables } = await pg.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'private', 'cron') order by 1`)
  const found: Record<string, unknown[]> = {}
  for (const { name } of tables)
    found[name] = (await pg.query(`select to_jsonb(t) as row from ${name} t order by 1`)).rows
  return found
}

async function describeDatabase(pg: PGlite) {
  const described: Record<string, unknown> = { schema: await schemaSql(pg), rows: await rowsOf(pg) }
  for (const [what, sql] of Object.entries(MORE)) described[what] = (await pg.query(sql)).rows
  return described
}

async function compareBoth(setUp: string): Promise<void> {
  const described = []
  for (const which of ['before', 'baseline'] as const) {
    const pg = await openWith(which, setUp)
    onTestFinished(() => pg.close())
    described.push(await describeDatabase(pg))
  }
  const [before = {}, baseline = {}] = described
  for (const what of Object.keys(before)) expect.soft(baseline[what], what).toEqual(before[what])
}

describe('the baseline', () => {
  // Both have landed (migrations.test.ts), so they make what they made.
  test('makes what all migrations of 0.1 make: tables, rights, functions, policies, rows', {
    tags: 'long',
  }, async () => {
    await compareBoth('')
  })

  test('makes the same on a hosted project, with its jobs', { tags: 'long' }, async () => {
    await compareBoth(HOSTED)
  })

  test('creates each table, function, policy, trigger and index once', async () => {
    const sql = (await readBaseline()).map((migration) => migration.sql).join('\n')
    const created = [
      ...sql.matchAll(/^create (table|view|type) (\S+)/gm),
      ...sql.matchAll(/^create (function) ([^(]+\([^)]*\))/gm),
      ...sql.matchAll(/^create (policy|trigger|constraint trigger) (\w+)[\s\S]*?\bon (\S+)/gm),
      ...sql.matchAll(/^create (?:unique )?(index) (\w+)/gm),
    ].map(([, ...names]) => names.filter(Boolean).join(' '))
    expect(created.length).toBeGreaterThan(600)
    expect(created.filter((name, index) => created.indexOf(name) !== index)).toEqual([])
    expect(sql).not.toMatch(/^create or replace /m)
  })
})

test('the setup of this version can be run after each migration of 0.1', { tags: 'long' }, async () => {
  const pg = await openWith('before', '')
  onTestFinished(() => pg.close())
  await pg.exec(
    'drop schema public cascade; create schema public; drop schema private cascade; drop schema supabase_migrations cascade',
  )
  const migrations = await readReplaced(MIGRATIONS)
  for (const migration of migrations) {
    await migrate(pg, [migration])
    await pg.exec(SETUP_SQL)
  }
})
