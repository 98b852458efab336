-- The last migration of 0.1. The baseline makes the same schema, so setup_status() says that a database has it: its history alone
-- can be repaired without the changes.
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
    -- What neither an older database nor a history that was only repaired reports: docs/upgrading.md.
    'shape', '0.2',
    'changes', to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null,
    'channels', (
      select count(*) = 5 from pg_catalog.pg_policies
      where schemaname = 'realtime' and tablename = 'messages' and policyname in (
        'conversation_channels_receive', 'member_channel_receive', 'post_channels_receive', 'room_channels_receive',
        'room_channels_send'
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
