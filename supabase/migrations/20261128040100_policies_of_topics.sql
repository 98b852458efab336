-- The policies of the private channels with epochs: docs/decisions/0106-members-of-conversations.md, step 6. An app that joins
-- conversation:<id> without one is refused there, and would show neither typing nor presence.

create or replace function private.create_channel_policies() returns void
  language plpgsql set search_path = ''
as $$
begin
  if to_regclass('realtime.messages') is null or to_regprocedure('realtime.topic()') is null then
    raise warning 'Realtime is not set up: realtime.messages is missing'
      using hint = 'Once it is there, run: select private.create_channel_policies();';
    return;
  end if;
  drop policy if exists conversation_channels_receive on realtime.messages;
  -- Of an earlier version: only the database sends there.
  drop policy if exists conversation_channels_send on realtime.messages;
  create policy conversation_channels_receive on realtime.messages for select to authenticated
    using (
      extension = 'broadcast'
      and (select realtime.topic()) like 'conversation:%'
      and (select private.may_join((select realtime.topic())))
    );
  drop policy if exists room_channels_receive on realtime.messages;
  create policy room_channels_receive on realtime.messages for select to authenticated
    using (
      extension in ('broadcast', 'presence')
      and (select realtime.topic()) like 'room:%'
      and (select private.may_join((select realtime.topic())))
    );
  drop policy if exists room_channels_send on realtime.messages;
  create policy room_channels_send on realtime.messages for insert to authenticated
    with check (
      extension in ('broadcast', 'presence')
      and (select realtime.topic()) like 'room:%'
      and (select private.may_join((select realtime.topic())))
    );
  drop policy if exists member_channel_receive on realtime.messages;
  create policy member_channel_receive on realtime.messages for select to authenticated
    using (
      extension = 'broadcast'
      and (select realtime.topic()) = 'member:' || (select auth.uid())
      and (select private.is_member())
    );
  -- Row security of posts decides who may read it.
  drop policy if exists post_channels_receive on realtime.messages;
  create policy post_channels_receive on realtime.messages for select to authenticated
    using (
      extension = 'broadcast'
      and (select private.is_member())
      and exists (
        select 1 from public.posts p
        where p.id = case
          when (select realtime.topic()) ~ '^post:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
            then substr((select realtime.topic()), 6)::uuid
        end
      )
    );
end
$$;
select private.create_channel_policies();
drop function private.my_conversation_topics();

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

create or replace function private.serves() returns text
  language sql immutable set search_path = ''
as $$
  select '20261128040100'
$$;
