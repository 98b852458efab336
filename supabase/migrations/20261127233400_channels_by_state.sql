-- Only members who are active or limited hear channels, also their own (0109).

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
  create policy conversation_channels_receive on realtime.messages for select to authenticated
    using (
      extension in ('broadcast', 'presence')
      and (select realtime.topic()) in (select private.my_conversation_topics())
    );
  drop policy if exists conversation_channels_send on realtime.messages;
  create policy conversation_channels_send on realtime.messages for insert to authenticated
    with check (
      extension in ('broadcast', 'presence')
      and (select realtime.topic()) in (select private.my_conversation_topics())
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
