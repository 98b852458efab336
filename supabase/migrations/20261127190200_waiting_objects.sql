-- The objects of closed accounts wait for the operator's command: docs/decisions/0097-deleting-large-things.md

create function private.waiting_objects(most integer) returns table (name text)
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.end_empty_folders();
  if to_regclass('storage.objects') is null then
    return;
  end if;
  return query
    select waiting.name
    from private.jobs j
    cross join lateral (
      select o.name from storage.objects o
      where o.bucket_id = 'media'
        and o.name collate "C" >= j.subject_id::text || '/' and o.name collate "C" < j.subject_id::text || '0'
        and not private.is_object_used(o.name)
      limit most
    ) as waiting
    where j.kind = 'objects' and not exists (select from auth.users u where u.id = j.subject_id)
    limit most;
end
$$;
comment on function private.waiting_objects(integer) is
  'At most `most` keys of objects that closed accounts have left and nothing refers to. Ends the jobs whose folders are empty. For the operator''s command only.';
revoke execute on function private.waiting_objects(integer) from public, anon, authenticated;
grant execute on function private.waiting_objects(integer) to service_role;
create function public.waiting_objects(most integer default 100) returns table (name text)
  language sql set search_path = ''
as $$
  select name from private.waiting_objects(most)
$$;
comment on function public.waiting_objects(integer) is
  'Objects that closed accounts have left. Only with the secret key: npm run objects removes them.';
revoke execute on function public.waiting_objects(integer) from public, anon, authenticated;
grant execute on function public.waiting_objects(integer) to service_role;

create or replace function private.setup_status() returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  version text;
begin
  select max(m.version) into version from supabase_migrations.schema_migrations m;
  return json_build_object(
    'version', version,
    'changes', to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null,
    'channels', (
      select count(*) = 4 from pg_catalog.pg_policies
      where schemaname = 'realtime' and tablename = 'messages' and policyname in (
        'conversation_channels_receive', 'conversation_channels_send', 'member_channel_receive', 'post_channels_receive'
      )
    ),
    'bucket', private.media_bucket_state(),
    'cleanup', private.cleanup_state(),
    'objects', (select count(*) from (select from private.jobs j where j.kind = 'objects' limit 1000) as waiting)
  );
end
$$;
comment on function private.setup_status() is
  'The newest migration, whether Realtime can broadcast changes, whether the policies of the private channels exist, the state of '
  'the bucket for pictures and videos, whether the hourly cleanup is scheduled, and of how many closed accounts objects wait, up to a thousand.';
