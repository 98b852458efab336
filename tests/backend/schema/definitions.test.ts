import { describe, expect, test } from 'vitest'
import { openCommunity } from './support/community'

const { community } = await openCommunity()

const TABLES = `from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`
const FUNCTIONS = `from pg_proc p where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)`

/** References to what is not a member, and whose rows outlive what they refer to. */
const OUTLIVE = ['messages_reply_to_id_fkey', 'messages_story_id_fkey', 'reports_post_id_fkey']

/** The first column of what a query gives. */
const list = async (sql: string) => (await community.sql(sql)).map((row) => Object.values(row)[0])

describe('every table', () => {
  test('has row security and at least one policy', async () => {
    expect(
      await list(`select c.relname ${TABLES}
        and not (c.relrowsecurity and exists (select from pg_policy where polrelid = c.oid))`),
    ).toEqual([])
  })

  test('gives signed-out visitors nothing, and service_role everything', async () => {
    expect(
      await list(`select c.relname ${TABLES}
        and (has_any_column_privilege('anon', c.oid, 'select, insert, update, references')
          or has_table_privilege('anon', c.oid, 'delete, truncate, trigger'))`),
    ).toEqual([])
    expect(
      await list(`select c.relname ${TABLES}
        and not has_table_privilege('service_role', c.oid, 'select, insert, update, delete')`),
    ).toEqual([])
  })

  test('can be emptied, retriggered or fully updated by no member', async () => {
    expect(
      await list(`select c.relname ${TABLES}
        and has_table_privilege('authenticated', c.oid, 'insert, update, truncate, references, trigger')`),
    ).toEqual([])
  })

  test('says what it is', async () => {
    expect(await list(`select c.relname ${TABLES} and obj_description(c.oid, 'pg_class') is null`)).toEqual(
      [],
    )
  })

  test('has an index for each of its foreign keys', async () => {
    expect(
      await list(`
        select k.conname from pg_constraint k
        where k.contype = 'f' and k.connamespace = 'public'::regnamespace
          and not exists (
            select from pg_index i
            where i.indrelid = k.conrelid and i.indpred is null and i.indkey[0] = k.conkey[1]
          )`),
    ).toEqual([])
  })

  test('refers to members by their profile, under the name PostgREST hints use, and goes with them', async () => {
    expect(
      await list(`
        select k.conname from pg_constraint k
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
        where k.contype = 'f' and k.connamespace = 'public'::regnamespace
          and (k.conname <> format('%s_%s_fkey', k.conrelid::regclass, a.attname)
            or (k.confdeltype <> 'c' and k.conname <> all (array['${OUTLIVE.join(`', '`)}']))
            or (k.confrelid = 'auth.users'::regclass and k.conrelid <> 'public.profiles'::regclass))`),
    ).toEqual([])
  })

  test('that has members and others to refer to names the members first', async () => {
    // Foreign keys are checked in this order; see the foundation's migration for what it prevents.
    expect(
      await list(`
        select o.conname from pg_constraint m
        join pg_constraint o on o.conrelid = m.conrelid and o.contype = 'f' and o.confrelid <> m.confrelid
        where m.contype = 'f' and m.confrelid = 'public.profiles'::regclass and o.oid < m.oid`),
    ).toEqual([])
  })
})

describe('every function', () => {
  test('has a comment and a fixed search_path', async () => {
    expect(await list(`select p.proname ${FUNCTIONS} and obj_description(p.oid, 'pg_proc') is null`)).toEqual(
      [],
    )
    expect(
      await list(`select p.proname ${FUNCTIONS}
        and not coalesce(p.proconfig @> array['search_path=""'], false)`),
    ).toEqual([])
  })

  test('is called only by whom it was given to', async () => {
    const callable = (role: string) =>
      list(`select format('%s.%s', p.pronamespace::regnamespace, p.proname) as name ${FUNCTIONS}
        and has_function_privilege('${role}', p.oid, 'execute') order by 1`)
    expect(await callable('anon')).toEqual([
      'private.setup_status',
      'private.username_available',
      'public.setup_status',
      'public.username_available',
    ])
    expect(await callable('authenticated')).toEqual([
      'private.accept_follow_request',
      'private.blocked_members',
      'private.clear_account',
      'private.delete_account',
      'private.has_session',
      'private.is_member',
      'private.my_conversation_topics',
      'private.my_correspondent_ids',
      'private.my_following_ids',
      'private.my_hidden_ids',
      'private.my_sessions',
      'private.renamed_to',
      'private.search_profiles',
      'private.setup_status',
      'private.signed_in_recently',
      'private.take_turn_alone',
      'private.username_available',
      'public.accept_follow_request',
      'public.blocked_members',
      'public.clear_account',
      'public.delete_account',
      'public.muted_members',
      'public.my_conversations',
      'public.my_sessions',
      'public.renamed_to',
      'public.search_profiles',
      'public.setup_status',
      'public.signed_in_recently',
      'public.touch_activity',
      'public.unread_conversations',
      'public.unread_notifications',
      'public.username_available',
    ])
  })

  test('that the API exposes runs with the rights of its caller', async () => {
    expect(
      await list(`select p.proname ${FUNCTIONS} and p.prosecdef and p.pronamespace = 'public'::regnamespace`),
    ).toEqual([])
  })
})

test('Realtime tells of messages and notifications, whose rows are small', async () => {
  expect(
    await list(`select tablename from pg_publication_tables where pubname = 'supabase_realtime' order by 1`),
  ).toEqual(['messages', 'notifications'])
})
