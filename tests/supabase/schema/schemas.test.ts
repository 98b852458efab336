import type { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findDifferences } from './support/compare-schemas'
import { openBy, readSchemas, type Way } from './support/earlier-database'

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

/** Opens the current schema by two ways. */
async function openBoth<A extends Way, B extends Way>(
  ways: [A, B],
  setUp = '',
): Promise<Record<A | B, PGlite>> {
  const opened = []
  for (const way of ways) opened.push([way, await openBy(way, setUp)])
  return Object.fromEntries(opened)
}

let hosted: Record<'supabase/migrations' | 'supabase/schemas', PGlite>
beforeAll(async () => {
  hosted = await openBoth(['supabase/migrations', 'supabase/schemas'], HOSTED)
})
afterAll(async () => {
  for (const pg of Object.values(hosted)) await pg.close()
})

describe('supabase/schemas', () => {
  // generated.test compares them on the embedded server, where a right that is not revoked does not show.
  test('has what migrations make on a hosted project, with its rights and jobs', async () => {
    expect(await findDifferences(hosted)).toEqual([])
  })

  test.each(['', HOSTED])(
    'has what the migrations of 0.1 and later ones make: set-up %#',
    { tags: 'long' },
    async (setUp) => {
      const databases = await openBoth(['the migrations of 0.1 and later ones', 'supabase/schemas'], setUp)
      onTestFinished(async () => {
        for (const pg of Object.values(databases)) await pg.close()
      })
      expect(await findDifferences(databases)).toEqual([])
    },
  )

  test('defines each table, function, policy, trigger and index once', async () => {
    const sql = (await readSchemas()).map((file) => file.sql).join('\n')
    const created = [
      ...sql.matchAll(/^create (table|view|type) (\S+)/gm),
      ...sql.matchAll(/^create (function) ([^(]+\([^)]*\))/gm),
      ...sql.matchAll(/^create (policy|trigger|constraint trigger) (\w+)[\s\S]*?\bon (\S+)/gm),
      ...sql.matchAll(/^create (?:unique )?(index) (\w+)/gm),
    ].map(([, ...names]) => names.filter(Boolean).join(' '))
    expect(created.length).toBeGreaterThan(600)
    expect(created.filter((name, index) => created.indexOf(name) !== index)).toEqual([])
    expect(sql).not.toMatch(/^(create or replace|drop|alter (function|policy|trigger|index)) /m)
  })
})

/** What one side only has, by the object that is changed. */
const CHANGES = {
  'bucket media': 'update storage.buckets set public = true',
  'column mutes.muter_id': 'grant update (muter_id) on public.mutes to authenticated',
  'column posts.content': `comment on column public.posts.content is 'Text.'`,
  'column posts.location': `alter table public.posts alter location set default ''`,
  'constraint posts_location_length on posts':
    'alter table public.posts drop constraint posts_location_length, add constraint posts_location_length check (char_length(location) <= 9)',
  'function private.is_member()': 'alter function private.is_member() set jit = off',
  'function private.pair_key(uuid,uuid)': `comment on function private.pair_key(uuid, uuid) is 'A lock.'`,
  'function private.part(uuid,uuid)': 'grant execute on function private.part(uuid, uuid) to authenticated',
  'function private.serves()': `create or replace function private.serves() returns text language sql immutable set search_path = '' as $$
    select '1'
  $$`,
  'policy posts_select on public.posts': 'alter policy posts_select on public.posts using (true)',
  'publication supabase_realtime of public.likes':
    'alter publication supabase_realtime add table public.likes',
  'relation likes': 'alter table public.likes disable row level security',
  'relation post_media_user_idx':
    'drop index public.post_media_user_idx; create index post_media_user_idx on public.post_media (post_id)',
  'relation private.reports_overview': 'alter view private.reports_overview set (security_invoker = false)',
  'relation saved_posts': 'grant truncate on public.saved_posts to authenticated',
  'rows of private.quotas': `update private.quotas set per_day = 1 where kind = 'posts'`,
  'schema private': 'grant create on schema private to authenticated',
  'settings of role authenticated': `alter role authenticated set statement_timeout = '4s'`,
  'trigger posts_topics on posts': 'alter table public.posts disable trigger posts_topics',
  'type private.count_change': `comment on type private.count_change is 'A change.'`,
}

test('a difference between migrations and supabase/schemas names the object', async () => {
  // Undone afterwards: the other tests compare the same databases.
  for (const pg of Object.values(hosted)) {
    await pg.exec('begin')
    onTestFinished(async () => void (await pg.exec('rollback')))
  }
  await hosted['supabase/schemas'].exec(Object.values(CHANGES).join(';\n'))
  await hosted['supabase/migrations'].exec(`drop function public.renamed_to(text);
    alter table public.hashtag_follows add weight integer`)
  const differences = await findDifferences(hosted)
  expect(differences).toContain(
    `function private.serves() differs\n  supabase/migrations: definition: select '20261128041500'\n  supabase/schemas: definition: select '1'`,
  )
  expect(differences.map((text) => text.replace(/ (differs|is only in supabase\/\w+).*/s, ''))).toEqual(
    [
      ...Object.keys(CHANGES),
      'column hashtag_follows.weight',
      'function renamed_to(text)',
      'relation hashtag_follows',
    ].sort(),
  )
})
