import { expect, test } from 'vitest'
import type { Backend } from '#/backend/start/start-backend'
import { discard, startedFolder, startUnmanagedBackend } from '#tests/backend/support/backend'

const POLICIES = [
  'conversation_channels_receive',
  'member_channel_receive',
  'post_channels_receive',
  'room_channels_receive',
  'room_channels_send',
]
const TRIGGERS = [
  'realtime_notify_session_end on auth.sessions',
  'realtime_tell_deleted_topics on conversations',
  'realtime_tell_deleted_topics on posts',
  'realtime_tell_ended_follows on follows',
  'realtime_tell_rights on blocks',
  'realtime_tell_rights on conversation_views',
  'realtime_tell_rights on posts',
  'realtime_tell_rights on private.member_states',
  'realtime_tell_rights on profiles',
]

const list = async ({ exclusive, pg }: Backend, sql: string): Promise<unknown[]> =>
  (await exclusive(() => pg.query<{ found: unknown }>(sql))).rows.map(({ found }) => found)

const policies = (backend: Backend) =>
  list(backend, `select policyname as found from pg_policies where schemaname = 'realtime' order by 1`)
const triggers = (backend: Backend) =>
  list(
    backend,
    `select tgname || ' on ' || tgrelid::regclass as found from pg_trigger
      where tgfoid in (select oid from pg_proc where pronamespace = 'realtime'::regnamespace) order by 1`,
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
  expect([await policies(before), await triggers(before)]).toEqual([POLICIES, TRIGGERS])
  await before.exclusive(() =>
    before.pg.exec(`drop schema realtime cascade; comment on schema auth is null;
      drop function private.create_channel_policies, private.may_join, private.send_change, private.change_members, private.close_room;
      delete from supabase_migrations.schema_migrations where name = 'channels'`),
  )
  expect(await policies(before)).toEqual([])
  await discard(before)

  const after = await startUnmanagedBackend(dataDir)
  expect([await policies(after), await triggers(after)]).toEqual([POLICIES, TRIGGERS])
  const written = await versions(after)
  await discard(after)

  const again = await startUnmanagedBackend(dataDir)
  expect(await versions(again)).toEqual(written)
  expect(await triggers(again)).toEqual(TRIGGERS)
  await discard(again)
})

test('replaces the functions of an earlier version, and removes its triggers', async () => {
  const functions = (backend: Backend) =>
    list(
      backend,
      `select proname as found from pg_proc where pronamespace = 'realtime'::regnamespace and prosrc <> '' order by 1`,
    )
  const dataDir = await startedFolder()
  const before = await startUnmanagedBackend(dataDir)
  const present = await functions(before)
  expect(present).toContain('send')
  await before.exclusive(() =>
    before.pg.exec(`
      drop function realtime.send;
      create function realtime.send(payload jsonb, event text, topic text, private boolean) returns void
        language sql as '';
      create function realtime.tell_change() returns trigger language plpgsql as 'begin return null; end';
      create trigger realtime_tell_change after insert on public.messages
        for each row execute function realtime.tell_change();
      drop trigger realtime_tell_rights on public.blocks;
      comment on schema auth is 'earlier'`),
  )
  await discard(before)

  const after = await startUnmanagedBackend(dataDir)
  expect([await triggers(after), await functions(after)]).toEqual([TRIGGERS, present])
  await discard(after)
})
