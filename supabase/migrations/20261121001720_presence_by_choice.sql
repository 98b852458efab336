-- Who is present is said only by those who let others see when they are active.

do $$
begin
  if to_regclass('realtime.messages') is null or to_regprocedure('realtime.topic()') is null then
    return;
  end if;
  alter policy conversation_channels_send on realtime.messages
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
