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

create function private.serialize_writes() returns trigger
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
comment on function private.serialize_writes() is
  'Prevents deadlocks between writers. Statements that count or notify take the lock shared, and lock the rows they '
  'count on in the order of their ids. Statements that delete or rewrite rows in bulk (deleting an account, '
  'blocking) cannot keep that order and take the lock exclusively. Runs before the statement locks any row.';
revoke execute on function private.serialize_writes() from public, anon, authenticated;

create function private.lock_member(member uuid, is_exclusive boolean) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  -- All sessions share one lock table, so a statement about thousands of members must not take thousands of locks.
  lock_key constant integer := pg_catalog.hashtext(member::text) & 63;
begin
  if is_exclusive then
    perform pg_catalog.pg_advisory_xact_lock(7246002, lock_key);
  else
    perform pg_catalog.pg_advisory_xact_lock_shared(7246002, lock_key);
  end if;
end
$$;
comment on function private.lock_member(uuid, boolean) is
  'Serializes a change of a member''s privacy with follows and follow requests of that member. Called after the '
  'lock for all writers, and before the statement locks any row.';
revoke execute on function private.lock_member(uuid, boolean) from public, anon, authenticated;
