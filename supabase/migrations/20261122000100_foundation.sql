-- The schemas, the extension and the locks that all other migrations use. The same files run on hosted Supabase, on the
-- embedded server (PGlite) and on plain PostgreSQL 15 or later, so they check what exists where these differ.
--
-- Conventions: indexes, grants and triggers stand next to their table, policies last in the file. Each file revokes
-- everything before it grants the least, since projects differ in their default privileges. Functions live in the schema
-- `private`, which the API does not expose, with a fixed search_path. Foreign keys to members come before other foreign
-- keys: PostgreSQL checks them in this order, so that a writer waits for an account that is being deleted before it locks
-- anything that the deletion needs.

create schema if not exists extensions;

create schema if not exists private;
comment on schema private is 'Functions behind policies, triggers and rpc wrappers. Not exposed by the API.';
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;

do $$
begin
  if exists (select 1 from pg_catalog.pg_available_extensions where name = 'pg_trgm') then
    create extension if not exists pg_trgm with schema extensions;
  end if;
end
$$;

-- Locks: docs/decisions/0011-writers-take-turns.md.

create function private.take_turns() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if tg_argv[0] = 'exclusive' then
    perform pg_catalog.pg_advisory_xact_lock(7246001);
  else
    perform pg_catalog.pg_advisory_xact_lock_shared(7246001);
  end if;
  return null;
end
$$;
comment on function private.take_turns() is
  'Keeps writers from deadlocking. Statements that count or notify take turns in shared mode and lock the rows they '
  'count on in the order of their ids; what removes or rewrites rows wholesale (deleting a post or an account, '
  'switching privacy) cannot know that order and takes its turn alone. Runs before the statement locks any row.';
revoke execute on function private.take_turns() from public, anon, authenticated;

create function private.take_turn_alone() returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(7246001);
  return true;
end
$$;
comment on function private.take_turn_alone() is
  'Takes the turn of all alone, as take_turns() does; true. For policies, as a last condition, which is asked of the rows '
  'that meet all others.';
revoke execute on function private.take_turn_alone() from public, anon, authenticated;
grant execute on function private.take_turn_alone() to authenticated, service_role;

create function private.take_turn_of(member uuid, alone boolean) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  -- All sessions share one table of locks, so a statement about thousands of members must not take thousands.
  turn constant integer := pg_catalog.hashtext(member::text) & 63;
begin
  if alone then
    perform pg_catalog.pg_advisory_xact_lock(7246002, turn);
  else
    perform pg_catalog.pg_advisory_xact_lock_shared(7246002, turn);
  end if;
end
$$;
comment on function private.take_turn_of(uuid, boolean) is
  'Lets following a member, asking to and being answered wait while that member switches privacy, and the other way '
  'round. Taken after the turn of all, and before the statement locks any row.';
revoke execute on function private.take_turn_of(uuid, boolean) from public, anon, authenticated;
