import { describe, expect, test } from 'vitest'
import { readMigrations, readReplaced } from '#/backend/database/migrations'
import landed from './landed.json'
import { compareWithLanded, hashMigration } from './support/landed'
import { findLongLocks, findReadLocks } from './support/locks'
import { MIGRATIONS } from './support/migrated-database'

/** Also those of 0.1, by the names of their files. */
async function readAll(): Promise<Map<string, string>> {
  const migrations = [...(await readReplaced(MIGRATIONS)), ...(await readMigrations(MIGRATIONS))]
  return new Map(migrations.map(({ version, name, sql }) => [`${version}_${name}.sql`, sql]))
}

describe('landed migrations', () => {
  test('are unchanged', async () => {
    expect(compareWithLanded(await readAll(), landed)).toEqual([])
  })

  test('are named as the Supabase CLI expects, with unique versions', async () => {
    const files = [...(await readAll()).keys()]
    for (const file of files) expect(file).toMatch(/^\d{14}_[a-z_]+\.sql$/)
    expect(new Set(files.map((file) => file.slice(0, 14))).size).toBe(files.length)
  })

  test('reports changed, removed, new and late migrations with instructions', () => {
    const known = { '1_a.sql': hashMigration('select 1;'), '3_c.sql': hashMigration('select 3;') }
    const compare = (files: Record<string, string>) =>
      compareWithLanded(new Map(Object.entries(files)), known)
    const same = { '1_a.sql': 'select 1;', '3_c.sql': 'select 3;' }
    expect(compare(same)).toEqual([])
    expect(compare({ ...same, '1_a.sql': 'select 2;' })).toEqual([
      '1_a.sql has landed and must not change: undo the change and write another migration.',
    ])
    expect(compare({ '1_a.sql': 'select 1;' })).toEqual(['3_c.sql has landed and must stay.'])
    expect(compare({ ...same, '2_b.sql': '' })).toEqual([
      '2_b.sql comes before 3_c.sql, which has landed: give it a later number.',
    ])
    expect(compare({ ...same, '4_d.sql': '' })).toEqual([
      `4_d.sql is new: add "4_d.sql": "${hashMigration('')}" to tests/supabase/schema/landed.json.`,
    ])
  })

  test('ignores line endings', () => {
    expect(hashMigration('a\r\nb\r\n')).toBe(hashMigration('a\nb\n'))
  })
})

describe('migrations and the locks of auth.users', () => {
  test('no migration builds an index or rewrites a table while it blocks signing in', async () => {
    const problems = [...(await readAll())].flatMap(([file, sql]) => findLongLocks(file, sql))
    expect(problems).toEqual([])
  })

  test.each([
    'create policy a on public.posts for select using (true)',
    'alter policy a on public.posts using (false)',
    'drop policy if exists a on public.posts',
    'drop trigger a on public.posts',
    'create trigger a after insert on auth.users for each row execute function private.a()',
    'alter table public.posts add column author uuid references auth.users (id)',
    'do $$ begin execute $p$ create policy a on realtime.messages for select using (true) $p$; end $$',
  ])('reports an index in the same file as `%s`, before or after it', (locking) => {
    const index = 'create index on public.posts (author)'
    expect(findLongLocks('1_a.sql', `${locking};\n${index};`)).toEqual([
      '1_a.sql:2: build the index in a file without policies, foreign keys to auth and dropped triggers (line 1).',
    ])
    expect(findLongLocks('1_a.sql', `${index};\n${locking};`)).toHaveLength(1)
    expect(findLongLocks('1_a.sql', `${index};`)).toEqual([])
    expect(findLongLocks('1_a.sql', `${locking};`)).toEqual([])
  })

  test.each([
    'update public.posts set author = user_id',
    'delete from public.posts where author is null',
    'insert into public.posts (author) select id from public.profiles',
    'alter table public.posts add constraint a check (author is not null)',
    'alter table public.posts validate constraint a',
    'alter table public.posts alter column author type text',
    'do $$ begin update public.posts set author = user_id; end $$',
  ])('requires `%s` before the policies', (slow) => {
    const policy = 'create policy a on public.posts for select using (true)'
    expect(findLongLocks('1_a.sql', `${policy};\n\n${slow};`)).toEqual([
      expect.stringMatching(/^1_a\.sql:3: ".*" runs under the locks of line 1: move it before them/),
    ])
    expect(findLongLocks('1_a.sql', `${slow};\n${policy};`)).toEqual([])
  })

  test('allows statements about new tables and in function bodies', () => {
    const sql = `
      create table public.new (id uuid primary key references auth.users (id));
      create index on public.new (id);
      alter table public.new add constraint a check (id is not null);
      create policy a on public.new for select using (true);
      insert into public.new select id from public.profiles where false;
      create function private.f() returns void language sql as 'update public.posts set content = null';`
    expect(findLongLocks('1_a.sql', sql)).toEqual([])
  })
})

describe('migrations and reads', () => {
  /** Earlier ones drop the index first. They have landed, so docs/self-hosting.md names them and asks for a quiet hour. */
  const RULE_SINCE = '20261128020101'

  test('no migration builds an index or rewrites a table while nobody can read one', async () => {
    const problems = [...(await readAll())].flatMap(([file, sql]) =>
      file < RULE_SINCE ? [] : findReadLocks(file, sql),
    )
    expect(problems).toEqual([])
  })

  test.each([
    'create index posts_user_idx on public.posts (user_id)',
    'create unique index on public.posts (user_id, id)',
    'update public.posts set author = user_id',
    'do $$ begin update public.posts set author = user_id; end $$',
  ])('reports `%s` after a dropped index, not before it', (slow) => {
    const drop = 'drop index public.posts_user_idx'
    expect(findReadLocks('1_a.sql', `${drop};\n${slow};`)).toEqual([
      expect.stringMatching(/^1_a\.sql:2: ".*" runs after line 1 dropped an index: build under another name/),
    ])
    expect(findReadLocks('1_a.sql', `${slow};\n${drop};`)).toEqual([])
  })

  test('allows an index that is renamed after the former one was dropped, and function bodies', () => {
    const sql = `
      create index posts_user_new on public.posts (user_id, id);
      drop index public.posts_user_idx;
      alter index public.posts_user_new rename to posts_user_idx;
      create function private.f() returns void language sql as 'update public.posts set content = null';`
    expect(findReadLocks('1_a.sql', sql)).toEqual([])
  })
})
