-- What all other migrations stand on. The same files run on hosted Supabase, on the embedded backend (PGlite) and on a
-- plain PostgreSQL from 15 on, so nothing here touches what those differ in without looking first.
--
-- Habits kept in every file: a table's policies, grants and triggers stand beside it; everything is revoked before the
-- least is granted, since projects differ in their default privileges; functions live in the schema `private`, which
-- the API does not expose, have a fixed search_path and are revoked from PUBLIC. References to members come before
-- other references: they are checked in this order, so a writer that meets an account being deleted waits for it
-- before it holds anything the deletion needs.

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
