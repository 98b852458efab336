import { createHash } from 'node:crypto'
import { VISIBLE_KEYS_SQL } from './visible-keys-sql'

/** The columns of Supabase Storage's tables that the migrations and src/backend/objects use, with the same indexes and grants. */
const DEFINITIONS = `
create schema if not exists storage;
grant usage on schema storage to anon, authenticated, service_role;

create table if not exists storage.buckets (
  id text primary key,
  name text not null unique,
  public boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
alter table storage.buckets enable row level security;

create table if not exists storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text not null references storage.buckets (id),
  name text not null,
  owner_id text,
  metadata jsonb,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  constraint bucketid_objname unique (bucket_id, name)
);
alter table storage.objects add column if not exists version text;
create index if not exists idx_objects_bucket_id_name on storage.objects (bucket_id, name collate "C");
-- Objects that were stored before their content was checked.
create index if not exists objects_unchecked_idx on storage.objects (id) where not metadata ? 'checked';
-- Earlier versions checked less of videos and AVIF: all of them are checked again after the start.
update storage.objects set metadata = metadata - 'checked' where name like any ('{%.mp4,%.webm,%.avif}') and metadata @> '{"checked": true}';
alter table storage.objects enable row level security;

-- Only policies restrict access, as on a hosted project.
grant all on table storage.buckets, storage.objects to anon, authenticated, service_role;

create or replace function storage.foldername(name text) returns text[]
  language sql immutable set search_path = ''
as $$
  select (string_to_array(name, '/'))[: cardinality(string_to_array(name, '/')) - 1]
$$;
${VISIBLE_KEYS_SQL}`

const VERSION = createHash('sha256').update(DEFINITIONS).digest('hex').slice(0, 16)

/** Creates the part of Storage that a hosted project has before its first migration. */
export const STORAGE_SETUP_SQL = `
do $setup$
begin
  if pg_catalog.obj_description(to_regnamespace('storage'), 'pg_namespace') is distinct from 'setup ${VERSION}' then
    ${DEFINITIONS}
    comment on schema storage is 'setup ${VERSION}';
  end if;
end
$setup$;
`
