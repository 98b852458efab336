-- The policies of private channels, once more where the migration that tells of messages live ran before Realtime had
-- made its tables: an embedded server from before it had Realtime, or a project whose Realtime was not yet up.

do $$
begin
  if to_regclass('realtime.messages') is null or to_regprocedure('realtime.topic()') is null then
    return;
  end if;
  if not exists (
    select 1 from pg_catalog.pg_policies
    where schemaname = 'realtime' and tablename = 'messages' and policyname = 'conversation_channels_receive'
  ) then
    create policy conversation_channels_receive on realtime.messages for select to authenticated
      using (
        extension in ('broadcast', 'presence')
        and (select realtime.topic()) in (select private.my_conversation_topics())
      );
  end if;
  if not exists (
    select 1 from pg_catalog.pg_policies
    where schemaname = 'realtime' and tablename = 'messages' and policyname = 'conversation_channels_send'
  ) then
    create policy conversation_channels_send on realtime.messages for insert to authenticated
      with check (
        extension in ('broadcast', 'presence')
        and (select realtime.topic()) in (select private.my_conversation_topics())
      );
  end if;
end
$$;
