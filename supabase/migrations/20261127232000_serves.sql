-- Which apps a server still serves: docs/decisions/0105-changing-shapes.md

create function private.serves() returns text
  language sql immutable set search_path = ''
as $$
  select '20261127232000'
$$;
comment on function private.serves() is
  'The oldest schema version of an app that this server still serves. The migration that takes something away raises it.';
revoke execute on function private.serves() from public, anon, authenticated;

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
    'cleanup', private.cleanup_state(),
    'objects', (select count(*) from (select from private.jobs j where j.kind = 'objects' limit 1000) as waiting)
  );
end
$$;
comment on function private.setup_status() is
  'The newest migration, the oldest app that the server still serves, whether Realtime can broadcast changes, whether the policies of the private channels exist, '
  'the state of the bucket for pictures and videos, whether the hourly cleanup is scheduled, and of how many closed accounts objects wait, up to a thousand.';
