import { STORAGE_SETUP_SQL } from '#/backend/objects/setup-sql'
import { REALTIME_SETUP_SQL } from '#/backend/realtime/setup-sql'

/**
 * What a hosted Supabase project has before its first migration and lite does not make: the roles of the API, their
 * way into the schemas, the schema of extensions, Realtime's publication and schema, and Storage's schema. Applied when it changes.
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
${REALTIME_SETUP_SQL}${STORAGE_SETUP_SQL}`
