/** Carries what `realtime.send` sends: `{ id, topic, event, payload }`. */
export const BROADCASTS_CHANNEL = 'realtime_broadcasts'
/** Carries which private channels may have lost their rights (`RightsChange`), as JSON. */
export const RIGHTS_CHANNEL = 'realtime_rights'
/** Carries the id of a session that has ended. */
export const SESSIONS_CHANNEL = 'realtime_sessions'

/** Creates the part of Realtime that a hosted project has before its first migration. */
export const REALTIME_SETUP_SQL = `
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

-- Of earlier versions, with their triggers.
drop function if exists realtime.tell_message(), realtime.tell_change(), realtime.follow_publication(),
  realtime.follow_rights(), realtime.send(jsonb, text, text, boolean) cascade;

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

-- Tells the migrations that broadcasts may include rows (docs/decisions/0029).
create or replace function realtime.stores_no_broadcasts() returns boolean
  language sql immutable set search_path = ''
as $$
  select true
$$;

-- The functions tell_ announce which channels may have lost their rights. A notification has at most 8,000 bytes.

-- Arguments: 'members' or 'authors', and the columns that hold their ids. Equal notifications of a transaction are sent once.
create or replace function realtime.tell_rights() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  written constant jsonb := coalesce(pg_catalog.to_jsonb(new), pg_catalog.to_jsonb(old));
begin
  perform pg_catalog.pg_notify('${RIGHTS_CHANNEL}', pg_catalog.json_build_object(
    tg_argv[0], array(select written ->> name from pg_catalog.unnest(tg_argv[1:]) as name)
  )::text);
  return null;
end
$$;

create or replace function realtime.tell_ended_follows() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_catalog.pg_notify('${RIGHTS_CHANNEL}', pg_catalog.json_build_object(
    'members', pg_catalog.array_agg(distinct follower_id), 'authors', pg_catalog.array_agg(distinct following_id)
  )::text)
    from (select *, pg_catalog.row_number() over (order by following_id, follower_id) / 90 as part from ended) as numbered
    group by part;
  return null;
end
$$;

-- Arguments: the topics of a deleted row, without its id and epoch.
create or replace function realtime.tell_deleted_topics() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_catalog.pg_notify('${RIGHTS_CHANNEL}', pg_catalog.json_build_object(
    'deleted', pg_catalog.array_agg(topic || id || coalesce(':' || epoch, ''))
  )::text)
    from (select id, pg_catalog.to_jsonb(ended) ->> 'epoch' as epoch, pg_catalog.row_number() over () / 60 as part from ended) as numbered
    cross join pg_catalog.unnest(tg_argv) as topic
    group by part;
  return null;
end
$$;

create or replace function realtime.notify_session_end() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_catalog.pg_notify('${SESSIONS_CHANNEL}', old.id::text);
  return null;
end
$$;

revoke execute on function realtime.send(jsonb, text, text, boolean), realtime.stores_no_broadcasts(), realtime.tell_rights(),
  realtime.tell_ended_follows(), realtime.tell_deleted_topics(), realtime.notify_session_end() from public, anon, authenticated;

create or replace trigger realtime_notify_session_end after delete on auth.sessions
  for each row execute function realtime.notify_session_end();
`

/**
 * Triggers on the tables that the policies of realtime.messages read, for changes that can end a member's right to a
 * joined channel, and those that appoint this server's owner. Run after the migrations, which create the tables.
 */
export const WATCH_RIGHTS_SQL = `
create or replace trigger realtime_tell_rights after insert on public.blocks
  for each row execute function realtime.tell_rights('members', 'blocker_id', 'blocked_id');
create or replace trigger realtime_tell_rights after insert or update on private.member_states
  for each row execute function realtime.tell_rights('members', 'member_id');
create or replace trigger realtime_tell_rights after update of show_activity_status on public.profiles
  for each row when (old.show_activity_status is distinct from new.show_activity_status)
  execute function realtime.tell_rights('members', 'id');
create or replace trigger realtime_tell_rights after update of audience, state on public.posts
  for each row when (new.audience <> 'public' and old.audience is distinct from new.audience)
  execute function realtime.tell_rights('authors', 'user_id');
create or replace trigger realtime_tell_ended_follows after delete on public.follows
  referencing old table as ended for each statement execute function realtime.tell_ended_follows();
create or replace trigger realtime_tell_deleted_topics after delete on public.posts
  referencing old table as ended for each statement execute function realtime.tell_deleted_topics('post:');
create or replace trigger realtime_tell_deleted_topics after delete on public.conversations
  referencing old table as ended for each statement execute function realtime.tell_deleted_topics('conversation:', 'room:');
create or replace trigger realtime_tell_rights after update of reads_after or delete on public.conversation_views
  for each row when (old.is_group) execute function realtime.tell_rights('members', 'member_id');
create or replace trigger appoint_first after insert or delete on public.profiles for each statement execute function private.appoint_first();
create or replace trigger appoint_first after insert on private.demo_members for each statement execute function private.appoint_first();
`

/** Rows of realtime.messages are inserted and rolled back to evaluate its policies. Above this size the table is truncated. */
export const REALTIME_LEFTOVER_BYTES = 1_000_000
