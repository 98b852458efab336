import { createHash } from 'node:crypto'
import { SERVED_CHANGES } from './served'

/** Announces changed rows: `[table, operation, id, members, time]`, with the values of `ServedChanges.members`. */
export const CHANGES_CHANNEL = 'realtime_changes'
/** Passes on what `realtime.send` sends: `{ id, topic, event, payload }`. */
export const BROADCASTS_CHANNEL = 'realtime_broadcasts'
/** Where triggers tell whose rights in private channels have changed: an array of members' ids. */
export const RIGHTS_CHANNEL = 'realtime_rights'
/** Announces the id of a session that has ended. */
export const SESSIONS_CHANNEL = 'realtime_sessions'

/** Each served table, and its `members` as the arguments of the trigger. */
const SERVED_ROWS = Object.entries(SERVED_CHANGES)
  .map(
    ([table, { members }]) =>
      `('${table}', $arguments$${members.map((name) => `'${name}'`).join(', ')}$arguments$)`,
  )
  .join(', ')

const DEFINITIONS = `
create schema if not exists realtime;
grant usage on schema realtime to anon, authenticated, service_role;

create table if not exists realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  id uuid not null default gen_random_uuid() primary key
);
alter table realtime.messages enable row level security;
grant select, insert, update on table realtime.messages to anon, authenticated, service_role;

create or replace function realtime.topic() returns text
  language sql stable
as $$
  select nullif(current_setting('realtime.topic', true), '')
$$;

-- Of earlier versions.
drop trigger if exists tell_message on realtime.messages;
drop function if exists realtime.tell_message(), realtime.send(jsonb, text, text, boolean);

-- Hosted writes broadcasts to realtime.messages and reads them from the write-ahead log. Like there, nothing that goes wrong
-- fails the transaction.
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
  language plpgsql set search_path = ''
as $$
begin
  -- Public channels carry no broadcasts here.
  if private then
    perform pg_catalog.pg_notify('${BROADCASTS_CHANNEL}', pg_catalog.json_build_object(
      'id', pg_catalog.gen_random_uuid(), 'topic', topic, 'event', event, 'payload', payload
    )::text);
  end if;
exception when others then
  raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;
revoke execute on function realtime.send(jsonb, text, text, boolean) from public, anon, authenticated;

-- Tells the migrations that broadcasts may include rows (docs/decisions/0029).
create or replace function realtime.stores_no_broadcasts() returns boolean
  language sql immutable set search_path = ''
as $$
  select true
$$;
revoke execute on function realtime.stores_no_broadcasts() from public, anon, authenticated;

-- Arguments: the columns with the members who may see the row. The row itself is read later, as each of them.
create or replace function realtime.tell_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  changed constant jsonb := pg_catalog.to_jsonb(new);
begin
  perform pg_catalog.pg_notify('${CHANGES_CHANNEL}', pg_catalog.json_build_array(
    tg_table_name, tg_op, changed ->> 'id', array(select changed ->> name from pg_catalog.unnest(tg_argv) as name),
    pg_catalog.to_char(pg_catalog.now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  )::text);
  return null;
end
$$;
revoke execute on function realtime.tell_change() from public, anon, authenticated;

-- Arguments: the columns that hold members' ids.
create or replace function realtime.tell_rights() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  written constant jsonb := pg_catalog.to_jsonb(new);
begin
  perform pg_catalog.pg_notify('${RIGHTS_CHANNEL}', pg_catalog.to_json(
    array(select written ->> name from pg_catalog.unnest(tg_argv) as name)
  )::text);
  return null;
end
$$;
revoke execute on function realtime.tell_rights() from public, anon, authenticated;

create or replace function realtime.notify_session_end() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_catalog.pg_notify('${SESSIONS_CHANNEL}', old.id::text);
  return null;
end
$$;
revoke execute on function realtime.notify_session_end() from public, anon, authenticated;

-- What the policies of realtime.messages look at, as far as it can end what somebody has joined.
create or replace function realtime.follow_rights() returns void
  language plpgsql set search_path = ''
as $$
begin
  if pg_catalog.to_regclass('public.blocks') is not null then
    create or replace trigger realtime_tell_rights after insert on public.blocks
      for each row execute function realtime.tell_rights('blocker_id', 'blocked_id');
  end if;
  create or replace trigger realtime_notify_session_end after delete on auth.sessions
    for each row execute function realtime.notify_session_end();
  if pg_catalog.to_regclass('public.profiles') is not null then
    create or replace trigger realtime_tell_rights after update of show_activity_status on public.profiles
      for each row when (old.show_activity_status is distinct from new.show_activity_status)
      execute function realtime.tell_rights('id');
  end if;
end
$$;
revoke execute on function realtime.follow_rights() from public, anon, authenticated;

create or replace function realtime.follow_publication() returns void
  language plpgsql set search_path = ''
as $$
declare
  followed record;
begin
  for followed in
    select t.tgrelid::regclass as name from pg_catalog.pg_trigger t
    where t.tgname = 'realtime_tell_change' and not exists (
      select from pg_catalog.pg_publication_tables p
      where p.pubname = 'supabase_realtime'
        and pg_catalog.to_regclass(pg_catalog.format('%I.%I', p.schemaname, p.tablename)) = t.tgrelid
    )
  loop
    execute pg_catalog.format('drop trigger realtime_tell_change on %s', followed.name);
  end loop;
  for followed in
    select pg_catalog.to_regclass(pg_catalog.format('%I.%I', p.schemaname, p.tablename)) as name, served.members
    from pg_catalog.pg_publication_tables p
    join (values ${SERVED_ROWS}) as served (name, members) on served.name = p.tablename
    where p.pubname = 'supabase_realtime' and p.schemaname = 'public'
  loop
    execute pg_catalog.format(
      'create or replace trigger realtime_tell_change after insert on %s for each row '
      'execute function realtime.tell_change(%s)', followed.name, followed.members);
  end loop;
end
$$;
revoke execute on function realtime.follow_publication() from public, anon, authenticated;
`

const VERSION = createHash('sha256').update(DEFINITIONS).digest('hex').slice(0, 16)

/** What a hosted project has of Realtime before its first migration, and the functions of the change triggers. */
export const REALTIME_SETUP_SQL = `
do $setup$
begin
  if pg_catalog.obj_description(to_regnamespace('realtime'), 'pg_namespace') is distinct from 'setup ${VERSION}' then
    ${DEFINITIONS}
    perform realtime.follow_publication();
    perform realtime.follow_rights();
    comment on schema realtime is 'setup ${VERSION}';
  end if;
end
$setup$;
`

/** Rows of realtime.messages are inserted and rolled back to evaluate its policies. Above this size the table is truncated. */
export const REALTIME_LEFTOVER_BYTES = 1_000_000

/** Gives the tables their triggers; after migrations, which are what makes tables and changes the publication. */
export const FOLLOW_TABLES_SQL = 'select realtime.follow_publication(), realtime.follow_rights()'
