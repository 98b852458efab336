import { STORAGE_SETUP_SQL } from './setup-objects'
import { REALTIME_SETUP_SQL } from './setup-realtime'

/**
 * Creates what a hosted Supabase project has before its first migration, except what lite creates: the API's roles and
 * their grants on the schemas, the schema for extensions, and the schemas of Realtime and Storage. Empties Auth's audit log and keeps it
 * empty. Applied again when it changes.
 */
export const SETUP_SQL = `
do $$
begin
  if not exists (select from pg_roles where rolname = 'anon') then
    create role anon nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'authenticated') then
    create role authenticated nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'service_role') then
    create role service_role nologin noinherit bypassrls;
  end if;
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end
$$;
create schema if not exists extensions;
grant usage on schema auth, public, extensions to anon, authenticated, service_role;
create or replace function auth.skip_entry() returns trigger language plpgsql set search_path = '' as $$
begin
  return null;
end
$$;
do $$
begin
  -- Lite notes each sign-in and each renewal of a session with the member's e-mail. Nothing reads or deletes it, also not with the account; the
  -- server's log says what happened (docs/decisions/0061-sign-ins.md).
  if to_regclass('auth.audit_log_entries') is not null then
    truncate auth.audit_log_entries;
    create or replace trigger audit_log_entries_skip before insert on auth.audit_log_entries
      for each row execute function auth.skip_entry();
  end if;
end
$$;
${REALTIME_SETUP_SQL}${STORAGE_SETUP_SQL}`
