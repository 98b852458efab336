import { describe, expect, test } from 'vitest'
import { BY_ID } from '#tests/supabase/rights/attempt'
import type { Cast } from '#tests/supabase/rights/cast'
import { EXPECTED } from '#tests/supabase/rights/expected'
import { type Action, isEverDone, parse } from '#tests/supabase/rights/parse'

const TABLES = parse(EXPECTED)

/** The tables of expected.ts in which any role may do this. */
function tablesWith(kind: Action['kind']): string[] {
  return TABLES.filter(({ lines }) =>
    lines.some((line) => line.action.kind === kind && isEverDone(line)),
  ).map(({ table }) => table)
}

/**
 * The privileges of the API roles in the system catalog. They detect a server that grants more than the migrations (as
 * @supabase/lite does) even if a policy still prevents the access.
 */
export function describePrivileges(cast: () => Cast): void {
  const column = async (sql: string, parameters: unknown[] = []) =>
    (await cast().server.query(sql, parameters)).map((row) => row.value)

  describe('privileges in the system catalog', () => {
    test('every table has row security, and every policy is for authenticated', async () => {
      const open = await column(`select relname as value from pg_catalog.pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity`)
      expect(open).toEqual([])
      const others = await column(`select tablename || ': ' || policyname as value from pg_catalog.pg_policies
        where schemaname = 'public' and roles <> array['authenticated']::name[]`)
      expect(others).toEqual([])
      const views = await column(`select relname as value from pg_catalog.pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('v', 'm', 'f')`)
      expect(views).toEqual([])
    })

    test('signed-out visitors have no privilege on any table, column or sequence', async () => {
      const tables = await column(`select c.relname || ' ' || privilege as value
        from pg_catalog.pg_class c, unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) privilege
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
          and has_table_privilege('anon', c.oid, privilege)`)
      expect(tables).toEqual([])
      const columns = await column(`select c.relname || ' ' || privilege as value
        from pg_catalog.pg_class c, unnest(array['select', 'insert', 'update', 'references']) privilege
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
          and has_any_column_privilege('anon', c.oid, privilege)`)
      expect(columns).toEqual([])
      const sequences = await column(`select c.relname as value from pg_catalog.pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
          and (has_sequence_privilege('anon', c.oid, 'usage') or has_sequence_privilege('anon', c.oid, 'update'))`)
      expect(sequences).toEqual([])
    })

    test('members can update exactly the columns that the matrix allows', async () => {
      const granted = await column(`select c.relname || '.' || a.attname as value
        from pg_catalog.pg_class c
        join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
          and has_column_privilege('authenticated', c.oid, a.attnum, 'update')`)
      const expected = TABLES.flatMap(({ table, lines }) =>
        lines.flatMap((line) =>
          line.action.kind === 'update' && isEverDone(line) ? [`${table}.${line.action.column}`] : [],
        ),
      )
      // Accepted from participants and without effect, which messages.ts checks.
      expect(granted.toSorted()).toEqual([...expected, 'conversations.last_message_at'].toSorted())
    })

    test('members can insert and delete exactly where the matrix allows', async () => {
      const inserting = await column(`select c.relname as value from pg_catalog.pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
          and has_any_column_privilege('authenticated', c.oid, 'insert')`)
      // Accounts create their own profile, and create_post() inserts photos together with their post; no request of the matrix does.
      const inserted = tablesWith('insert').filter((table) => !BY_ID.insert.has(table))
      expect(inserting.toSorted()).toEqual([...inserted, 'post_media', 'profiles'].toSorted())
      const deleting = await column(`select c.relname as value from pg_catalog.pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
          and has_table_privilege('authenticated', c.oid, 'delete')`)
      expect(deleting.toSorted()).toEqual(
        tablesWith('delete')
          .filter((table) => !BY_ID.delete.has(table))
          .toSorted(),
      )
      const other = await column(`select c.relname || ' ' || privilege as value
        from pg_catalog.pg_class c, unnest(array['truncate', 'references', 'trigger']) privilege
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
          and has_table_privilege('authenticated', c.oid, privilege)`)
      expect(other).toEqual([])
    })

    test('members cannot insert counters, audiences, states, times or other columns that the database sets', async () => {
      const insertable = await column(`select c.relname || '.' || a.attname as value
        from pg_catalog.pg_class c
        join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
          and a.attname ~ '(_count|_at|audience|state|read|recipient_id)$'
          and has_column_privilege('authenticated', c.oid, a.attnum, 'insert')`)
      expect(insertable).toEqual([])
    })

    test('visitors can call session_end, setup_status and username_available, members the functions of the app, and nobody the others', async () => {
      const callable = (role: string) =>
        column(
          `select n.nspname || '.' || p.proname as value
           from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
           where n.nspname in ('public', 'private') and has_function_privilege($1, p.oid, 'execute')
             and has_schema_privilege($1, n.oid, 'usage')`,
          [role],
        )
      expect(
        (await callable('anon')).filter((name) => String(name).startsWith('public.')).toSorted(),
      ).toEqual(['public.session_end', 'public.setup_status', 'public.username_available'])
      const members = (await callable('authenticated')).filter((name) => String(name).startsWith('public.'))
      expect(members.toSorted()).toEqual([
        'public.accept_follow_request',
        'public.answer_sign_in',
        'public.block_members',
        'public.blocked_members',
        'public.clear_account',
        'public.conversation_folders',
        'public.count_topic_posts',
        'public.create_post',
        'public.delete_account',
        'public.delete_comments',
        'public.delete_posts',
        'public.delete_stories',
        'public.edit_message',
        'public.end_follow',
        'public.end_session',
        'public.explore_posts',
        'public.following_posts',
        'public.known_usernames',
        'public.mark_delivered',
        'public.mark_read',
        'public.media_in_storage',
        'public.media_limit',
        'public.muted_members',
        'public.my_conversations',
        'public.my_sessions',
        'public.my_state',
        'public.my_unused_objects',
        'public.new_sign_ins',
        'public.notification_groups',
        'public.people_to_follow',
        'public.popular_hashtags',
        'public.register_device',
        'public.renamed_to',
        'public.search_messages',
        'public.search_posts',
        'public.search_profiles',
        'public.search_topics',
        'public.session_end',
        'public.settle',
        'public.setup_status',
        'public.shown_comment_count',
        'public.shown_follower_count',
        'public.shown_following_count',
        'public.shown_like_count',
        'public.shown_like_count',
        'public.shown_post_count',
        'public.shown_reply_count',
        'public.signed_in_recently',
        'public.touch_activity',
        'public.unread_conversations',
        'public.unread_groups',
        'public.unread_notifications',
        'public.unsend_message',
        'public.username_available',
      ])
    })

    test('functions of a row are columns and not calls, so that nobody asks about a hidden row', async () => {
      const { members, ids } = cast()
      const names = await column(`select distinct p.proname as value from pg_catalog.pg_proc p
        where p.pronamespace = 'public'::regnamespace and p.pronargs > 0 and p.proargnames is null`)
      expect(names).toHaveLength(6)
      for (const name of names) {
        for (const args of [{}, { '': { id: ids.post } }, { id: ids.post }, { posts: { id: ids.post } }]) {
          const { error, status } = await members.ada.client.rpc(name as 'settle', args)
          expect([name, status, error?.code]).toEqual([name, 404, 'PGRST202'])
        }
      }
    })

    test('no function in the API is security definer, and every function has a fixed search_path', async () => {
      const exposed = await column(`select p.proname as value from pg_catalog.pg_proc p
        where p.pronamespace = 'public'::regnamespace and p.prosecdef`)
      expect(exposed).toEqual([])
      const loose = await column(`select p.oid::regprocedure::text as value from pg_catalog.pg_proc p
        join pg_catalog.pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('public', 'private') and not coalesce(p.proconfig, '{}') @> array['search_path=""']`)
      expect(loose).toEqual([])
    })

    test('no trigger function is callable, and no function of ours is callable by public', async () => {
      const triggers = await column(`select p.oid::regprocedure::text || ' ' || role as value
        from pg_catalog.pg_proc p
        join pg_catalog.pg_namespace n on n.oid = p.pronamespace, unnest(array['anon', 'authenticated']) role
        where n.nspname in ('public', 'private') and p.prorettype = 'trigger'::regtype
          and has_function_privilege(role, p.oid, 'execute')`)
      expect(triggers).toEqual([])
      const byEverybody = await column(`select p.oid::regprocedure::text as value
        from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('public', 'private')
          and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0)`)
      expect(byEverybody).toEqual([])
    })

    test('the API roles can create nothing, and cannot read accounts and sessions', async () => {
      const making = await column(`select n.nspname || ' ' || role as value
        from pg_catalog.pg_namespace n, unnest(array['anon', 'authenticated']) role
        where n.nspname in ('public', 'private', 'auth', 'extensions') and has_schema_privilege(role, n.oid, 'create')`)
      expect(making).toEqual([])
      const accounts = await column(`select c.relname || ' ' || role as value
        from pg_catalog.pg_class c, unnest(array['anon', 'authenticated']) role,
          unnest(array['select', 'insert', 'update']) privilege
        where c.relnamespace in ('auth'::regnamespace, 'private'::regnamespace) and c.relkind in ('r', 'v')
          and has_any_column_privilege(role, c.oid, privilege)`)
      expect(accounts).toEqual([])
    })
  })
}
