/**
 * What a hosted project has of Realtime before the first migration, as far as policies on private channels need it: a
 * channel is authorized by whether one could read or write a row of realtime.messages while realtime.topic() names it.
 */
export const HOSTED_REALTIME_SQL = `
create schema realtime;
grant usage on schema realtime to anon, authenticated, service_role;
create table realtime.messages (
  id uuid primary key default gen_random_uuid(),
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now()
);
alter table realtime.messages enable row level security;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;
create function realtime.topic() returns text language sql stable as $$
  select nullif(current_setting('realtime.topic', true), '')
$$;
`
