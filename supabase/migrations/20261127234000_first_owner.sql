-- A server has an owner (0109). On a hosted project the operator names one by private.appoint(). The embedded server, which has the
-- triggers for it, appoints the oldest account that is not of the demo; only while there is none, the demo's first member, because the
-- demo's passwords are public.

create table private.demo_members (
  member_id uuid primary key references public.profiles on delete cascade
);
alter table private.demo_members enable row level security;
comment on table private.demo_members is 'Members of the embedded server''s demo. Empty on hosted projects.';

create function private.appoint_first() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  oldest uuid;
begin
  if exists (
    select from private.staff s
    where s.role = 'owner' and not exists (select from private.demo_members d where d.member_id = s.member_id)
  ) then
    return null;
  end if;
  -- Profiles without an account hold what is removed.
  select p.id into oldest
    from public.profiles p
    join auth.users u on u.id = p.id
    cross join lateral (select exists (select from private.demo_members d where d.member_id = p.id) as is_demo) as known
    order by known.is_demo, p.created_at, p.id limit 1;
  delete from private.staff s where s.role = 'owner' and s.member_id <> oldest;
  update private.staff s set role = 'owner' where s.member_id = oldest;
  insert into private.staff (member_id, role) select oldest, 'owner' where oldest is not null
    on conflict do nothing;
  return null;
end
$$;
comment on function private.appoint_first() is
  'Makes the oldest account owner if there is no owner, or one of the demo. For triggers of the embedded server.';
revoke execute on function private.appoint_first() from public;

create or replace function private.setup_status() returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  version text;
begin
  select max(m.version) into version from supabase_migrations.schema_migrations m;
  return json_build_object(
    'version', version,
    'serves', private.serves(),
    'changes', to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null,
    'channels', (
      select count(*) = 4 from pg_catalog.pg_policies
      where schemaname = 'realtime' and tablename = 'messages' and policyname in (
        'conversation_channels_receive', 'conversation_channels_send', 'member_channel_receive', 'post_channels_receive'
      )
    ),
    'bucket', private.media_bucket_state(),
    -- Not which columns: visitors may call this.
    'media_columns', private.media_columns_match(),
    'owner', exists (select from private.staff s where s.role = 'owner'),
    'cleanup', private.cleanup_state(),
    'objects', (select count(*) from (select from private.jobs j where j.kind = 'objects' limit 1000) as waiting)
  );
end
$$;
comment on function private.setup_status() is
  'The newest migration, the oldest app that the server serves, whether Realtime can broadcast changes, whether the policies of the private channels exist, the state of the bucket for pictures and videos, whether each column with keys of objects is described, whether the server has an owner, whether the hourly cleanup is scheduled, and of how many closed accounts objects wait, up to a thousand.';
