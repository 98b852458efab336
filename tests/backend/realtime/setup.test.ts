import { expect, test } from 'vitest'
import type { Backend } from '#/backend/start-backend'
import { discard, startedFolder, startUnmanagedBackend } from '#tests/backend/support/backend'

const POLICIES = [
  'conversation_channels_receive',
  'conversation_channels_send',
  'member_channel_receive',
  'post_channels_receive',
]
const TRIGGER_TABLES = ['messages', 'notifications']

const list = async ({ exclusive, pg }: Backend, sql: string): Promise<unknown[]> =>
  (await exclusive(() => pg.query<{ found: unknown }>(sql))).rows.map(({ found }) => found)

const policies = (backend: Backend) =>
  list(backend, `select policyname as found from pg_policies where schemaname = 'realtime' order by 1`)
const tablesWithTriggers = (backend: Backend) =>
  list(
    backend,
    `select tgrelid::regclass::text as found from pg_trigger where tgname = 'realtime_tell_change' order by 1`,
  )
/** The row version of each definition, which changes when it is written. */
const versions = (backend: Backend) =>
  list(
    backend,
    `select proname || ' ' || p.xmin || ' ' || p.ctid as found from pg_proc p
      where pronamespace = 'realtime'::regnamespace order by 1`,
  )

test('sets up Realtime in a folder from before it existed, and changes nothing on the next start', async () => {
  const dataDir = await startedFolder()
  const before = await startUnmanagedBackend(dataDir)
  expect([await policies(before), await tablesWithTriggers(before)]).toEqual([POLICIES, TRIGGER_TABLES])
  await before.exclusive(() =>
    before.pg.exec(`drop schema realtime cascade; comment on schema auth is null;
      drop function private.create_channel_policies, private.my_conversation_topics;
      drop function private.broadcast_comments cascade;
      drop policy comment_likes_session on public.comment_likes;
      drop policy comment_likes_select on public.comment_likes;
      drop policy comment_likes_insert on public.comment_likes;
      drop policy comment_likes_delete on public.comment_likes;
      delete from supabase_migrations.schema_migrations where name in ('channels', 'comment_rights')`),
  )
  expect([await policies(before), await tablesWithTriggers(before)]).toEqual([[], []])
  await discard(before)

  const after = await startUnmanagedBackend(dataDir)
  expect([await policies(after), await tablesWithTriggers(after)]).toEqual([POLICIES, TRIGGER_TABLES])
  const written = await versions(after)
  await discard(after)

  const again = await startUnmanagedBackend(dataDir)
  expect(await versions(again)).toEqual(written)
  expect(await tablesWithTriggers(again)).toEqual(TRIGGER_TABLES)
  // Only tables that are published and served have triggers.
  await again.exclusive(() =>
    again.pg.exec(`alter publication supabase_realtime drop table public.notifications;
      alter publication supabase_realtime add table public.likes;
      select realtime.follow_publication()`),
  )
  expect(await tablesWithTriggers(again)).toEqual(['messages'])
  await discard(again)
})

test('updates the triggers of an earlier version, and removes those of tables that are no longer served', async () => {
  const triggers = (backend: Backend) =>
    list(
      backend,
      `select tgrelid::regclass || ' ' || replace(encode(tgargs, 'escape'), '\\000', ' ') as found from pg_trigger
        where tgname = 'realtime_tell_change' order by 1`,
    )
  const functions = (backend: Backend) =>
    list(
      backend,
      `select proname as found from pg_proc
        where pronamespace = 'realtime'::regnamespace and proname in ('send', 'tell_message') and prosrc <> ''`,
    )
  const dataDir = await startedFolder()
  const before = await startUnmanagedBackend(dataDir)
  const present = await triggers(before)
  expect(present).toEqual(['messages recipient_id sender_id ', 'notifications user_id '])
  await before.exclusive(() =>
    before.pg.exec(`
      drop function realtime.send;
      create function realtime.send(payload jsonb, event text, topic text, private boolean) returns void
        language sql as '';
      create function realtime.tell_message() returns trigger language plpgsql as 'begin return null; end';
      create trigger tell_message after insert on realtime.messages
        for each row execute function realtime.tell_message();
      create or replace trigger realtime_tell_change after insert or update on public.messages
        for each row execute function realtime.tell_change('id');
      comment on schema realtime is 'setup earlier'; comment on schema auth is 'earlier'`),
  )
  await discard(before)

  const after = await startUnmanagedBackend(dataDir)
  expect([await triggers(after), await functions(after)]).toEqual([present, ['send']])
  await discard(after)
})
