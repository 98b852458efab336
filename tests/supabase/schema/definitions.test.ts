import { describe, expect, test } from 'vitest'
import { openCommunity } from './support/community'

const { community } = await openCommunity()

const TABLES = `from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`
const FUNCTIONS = `from pg_proc p where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)`

/** Foreign keys whose rows remain when the row they refer to is deleted. */
const NOT_CASCADING = [
  'messages_reply_to_id_fkey',
  'messages_story_id_fkey',
  'messages_shared_post_id_fkey',
  'messages_shared_story_id_fkey',
  'messages_shared_profile_id_fkey',
  'reports_post_id_fkey',
  'conversation_members_invited_by_fkey',
  'conversations_pictured_by_fkey',
]

/** The first column of a query's result. */
const list = async (sql: string) => (await community.sql(sql)).map((row) => Object.values(row)[0])

describe('every table', () => {
  test('has row security and at least one policy', async () => {
    expect(
      await list(`select c.relname ${TABLES}
        and not (c.relrowsecurity and exists (select from pg_policy where polrelid = c.oid))`),
    ).toEqual([])
  })

  test('grants nothing to anon, and everything to service_role', async () => {
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

  test('grants no table-wide insert or update, truncate, references or trigger to authenticated', async () => {
    expect(
      await list(`select c.relname ${TABLES}
        and has_table_privilege('authenticated', c.oid, 'insert, update, truncate, references, trigger')`),
    ).toEqual([])
  })

  test('has a comment', async () => {
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
            where i.indrelid = k.conrelid and i.indkey[0] = k.conkey[1]
              -- The check of a foreign key looks for values.
              and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', (
                select a.attname from pg_attribute a where a.attrelid = k.conrelid and a.attnum = k.conkey[1]
              )))
          )`),
    ).toEqual([])
  })

  test('references members by profile, names foreign keys as PostgREST hints expect, and cascades deletes', async () => {
    expect(
      await list(`
        select k.conname from pg_constraint k
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
        where k.contype = 'f' and k.connamespace = 'public'::regnamespace
          and (k.conname <> format('%s_%s_fkey', k.conrelid::regclass, a.attname)
            or (k.confdeltype <> 'c' and k.conname <> all (array['${NOT_CASCADING.join(`', '`)}']))
            or (k.confrelid = 'auth.users'::regclass and k.conrelid <> 'public.profiles'::regclass))`),
    ).toEqual([])
  })

  test('declares its foreign keys to profiles before its other foreign keys', async () => {
    // PostgreSQL checks foreign keys in this order; the foundation migration explains which deadlock it prevents.
    expect(
      await list(`
        select o.conname from pg_constraint m
        join pg_constraint o on o.conrelid = m.conrelid and o.contype = 'f' and o.confrelid <> m.confrelid
        where m.contype = 'f' and m.confrelid = 'public.profiles'::regclass and o.oid < m.oid
          -- A message with a shared profile locks it last, but refers to no other row of that member.
          and m.conname <> 'messages_shared_profile_id_fkey'`),
    ).toEqual([])
  })
})

test('no policy reads its own table, for which each statement would be refused with 42P17', async () => {
  expect(
    await list(`select format('%s on %s', policyname, tablename) from pg_policies
      where schemaname = 'public' and concat(qual, with_check) ~ format('(FROM|JOIN) \\(*%s\\M', tablename)`),
  ).toEqual([])
})

describe('every function', () => {
  test('has a comment', async () => {
    expect(await list(`select p.proname ${FUNCTIONS} and obj_description(p.oid, 'pg_proc') is null`)).toEqual(
      [],
    )
  })

  test('that returns a set to a policy keeps its plan: it is not an SQL function', async () => {
    expect(
      await list(`select distinct p.proname from pg_policies, pg_proc p
        where concat(qual, with_check) ~ format('private\\.%s\\(', p.proname)
          and p.pronamespace = 'private'::regnamespace and p.proretset
          and p.prolang <> (select oid from pg_language where lanname = 'plpgsql')`),
    ).toEqual([])
  })

  test('that may not read a whole table compiles no plan: the cost of what it has to read would start that', async () => {
    expect(
      await list(
        `select p.proname ${FUNCTIONS} and 'enable_seqscan=off' = any (proconfig) and not 'jit=off' = any (proconfig)`,
      ),
    ).toEqual([])
  })

  test('that takes a text reads no more of it than any could need: on a hosted project it may be 20 MB', async () => {
    expect(
      await list(`select format('%s.%s', p.proname, arg.name) as name ${FUNCTIONS.replace('where', ', unnest(p.proargnames, p.proargtypes::oid[]) as arg (name, type) where')}
        and p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype and arg.type = 'text'::regtype
        and p.prosrc not like format('%%left(%s, %%', arg.name) order by 1`),
    ).toEqual([
      // Only compared.
      'count_topic_posts.topic_kind',
      // Bounded by the triggers of the table.
      'create_post.content',
      'create_post.location',
      'edit_message.content',
      'my_conversations.in_folder',
    ])
  })

  test('in the private schema can only be called by the listed roles', async () => {
    const callable = (role: string) =>
      list(`select format('%s.%s', p.pronamespace::regnamespace, p.proname) as name ${FUNCTIONS}
        and p.pronamespace = 'private'::regnamespace and has_function_privilege('${role}', p.oid, 'execute') order by 1`)
    expect(await callable('anon')).toEqual([
      'private.before_request',
      'private.session_end',
      'private.setup_status',
      'private.username_available',
    ])
    expect(await callable('authenticated')).toEqual([
      'private.accept_follow_request',
      'private.answer_sign_in',
      'private.before_request',
      'private.block_members',
      'private.blocked_members',
      'private.changes_key',
      'private.clear_account',
      'private.composed',
      'private.delete_account',
      'private.delete_comments',
      'private.delete_posts',
      'private.delete_stories',
      'private.edit_message',
      'private.end_session',
      'private.fold_case',
      'private.followed_hashtag_post_ids',
      'private.following_post_ids',
      'private.found_post_ids',
      'private.found_topics',
      'private.has_account',
      'private.has_session',
      'private.has_upload_room',
      'private.is_camera',
      'private.is_member',
      'private.is_object_key',
      'private.is_object_used',
      'private.is_thumbhash',
      'private.is_visible',
      'private.known_usernames',
      'private.lost_conversation_ids',
      'private.lost_notification_ids',
      'private.lower_letters',
      'private.mark_delivered',
      'private.mark_read',
      'private.may_join',
      'private.media_columns_match',
      'private.media_in_storage',
      'private.media_limit',
      'private.my_blocked_avatars',
      'private.my_correspondent_ids',
      'private.my_following_ids',
      'private.my_hidden_ids',
      'private.my_sessions',
      'private.my_state',
      'private.my_unused_objects',
      'private.new_id',
      'private.new_sign_ins',
      'private.newest_in_groups',
      'private.notification_heads',
      'private.other_participant',
      'private.people_to_follow',
      'private.register_device',
      'private.removed_comment_ids',
      'private.removed_member_ids',
      'private.removed_post_ids',
      'private.removed_story_ids',
      'private.renamed_to',
      'private.require_active',
      'private.search_key',
      'private.search_profiles',
      'private.session_end',
      'private.settle',
      'private.setup_status',
      'private.shows_activity',
      'private.signed_in_recently',
      'private.staff_role',
      'private.unread_groups',
      'private.unsend_message',
      'private.upper_letters',
      'private.username_available',
      'private.visible_objects',
      'private.waiting_count',
    ])
  })
})

describe('every index', () => {
  test('whose first column may be null leaves the nulls out', async () => {
    expect(
      await list(`select i.indexrelid::regclass::text from pg_index i
        join pg_class c on c.oid = i.indrelid
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and not a.attnotnull
          and coalesce(pg_get_expr(i.indpred, i.indrelid), '') !~ format('%I IS NOT NULL', a.attname)
          -- A constraint has no condition.
          and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
        order by 1`),
    ).toEqual([])
  })
})

describe('tables that could be partitioned by a hash (docs/decisions/0098-ids-and-size.md)', () => {
  const PARTITIONED = { messages: 'conversation_id', notifications: 'user_id', likes: 'post_id' }

  test.each(Object.entries(PARTITIONED))(
    '%s have %s in each unique key but the primary key',
    async (table, column) => {
      expect(
        await list(`select i.indexrelid::regclass::text from pg_index i
        join pg_attribute a on a.attrelid = i.indrelid and a.attname = '${column}'
        where i.indrelid = 'public.${table}'::regclass and i.indisunique
          and a.attnum <> all ((i.indkey::smallint[])[0:i.indnkeyatts - 1])
          and not (i.indisprimary and i.indnkeyatts = 1)`),
      ).toEqual([])
    },
  )

  test('no row refers to notifications and likes, and to messages only replies and reactions, whose conversation is the same', async () => {
    expect(
      await list(`select conname from pg_constraint where contype = 'f'
        and confrelid in ('public.messages'::regclass, 'public.notifications'::regclass, 'public.likes'::regclass)`),
    ).toEqual(['messages_reply_to_id_fkey', 'message_reactions_message_id_fkey'])
  })
})

/** The right sides of all `~` in an expression that are neither a literal nor one of several literals. */
const builtPatterns = (expression: unknown): string[] =>
  String(expression)
    .replaceAll(/'(?:[^']|'')*'(?:::text)?/g, `''`)
    .match(/!?~\*?(?!\*)\s*(?!''[\s)]|''$|case\s[\w\s':]*\send\b)[^\s~].{0,30}/gis) ?? []

describe('every check constraint', () => {
  test('and each function that it calls compares with literal patterns only, which are not compiled for each row', async () => {
    const checks = await community.sql(
      `select conname as name, pg_get_constraintdef(oid) as text from pg_constraint where contype = 'c'
       and connamespace in ('public'::regnamespace, 'private'::regnamespace)`,
    )
    const bodies = await community.sql(`select p.proname as name, p.prosrc as text ${FUNCTIONS}`)
    const read: Record<string, unknown>[] = []
    for (let reached = checks; reached.length > 0; ) {
      read.push(...reached)
      reached = bodies.filter(
        ({ name }) =>
          reached.some(({ text }) => String(text).includes(`private.${name}(`)) &&
          !read.some((one) => one.name === name),
      )
    }
    expect(read.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['post_media_paths', 'is_object_key']),
    )
    const built = read.flatMap(({ name, text }) => builtPatterns(text).map((found) => `${name}: ${found}`))
    expect(built).toEqual([])
  })

  test.each([
    `a ~ ('^' || b)`,
    'a ~ b',
    `(a !~* ('^'::text || b))`,
    `a ~ concat('^', b)`,
    `a ~ case b when 'x' then '^' || c end`,
  ])('refuses %s', (text) => {
    expect(builtPatterns(text)).toHaveLength(1)
  })

  test.each([
    `a ~ '^x$'`,
    `(a ~* '^(it''s)$'::text)`,
    `case when a !~ '[a-z]' then b end`,
    `(a ~ case b when 'x' then '^x' else 'y' end)`,
  ])('allows %s', (text) => {
    expect(builtPatterns(text)).toEqual([])
  })
})

test('the Realtime publication contains only messages and notifications', async () => {
  expect(
    await list(`select tablename from pg_publication_tables where pubname = 'supabase_realtime' order by 1`),
  ).toEqual(['messages', 'notifications'])
})
