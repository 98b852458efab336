-- The policies of private channels, once more where the migration that tells of messages live ran before Realtime had
-- made its tables: an embedded server from before it had Realtime, or a project whose Realtime was not yet up. Who
-- is present is said only by those who let others see when they are active.

do $$
begin
  if to_regclass('realtime.messages') is null or to_regprocedure('realtime.topic()') is null then
    return;
  end if;
  drop policy if exists conversation_channels_receive on realtime.messages;
  create policy conversation_channels_receive on realtime.messages for select to authenticated
    using (
      extension in ('broadcast', 'presence')
      and (select realtime.topic()) in (select private.my_conversation_topics())
    );
  drop policy if exists conversation_channels_send on realtime.messages;
  create policy conversation_channels_send on realtime.messages for insert to authenticated
    with check (
      (select realtime.topic()) in (select private.my_conversation_topics())
      and (
        extension = 'broadcast'
        or (
          extension = 'presence'
          and exists (
            select 1 from public.profiles p where p.id = (select auth.uid()) and p.show_activity_status
          )
        )
      )
    );
end
$$;
