-- Changes go to the member's private channel, member:<id>: a project may allow private channels only, and as no policy
-- lets anybody write to it, nobody can send a made-up message into it.

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
  drop policy if exists member_channel_receive on realtime.messages;
  create policy member_channel_receive on realtime.messages for select to authenticated
    using (
      extension = 'broadcast'
      and (select realtime.topic()) = 'member:' || (select auth.uid())
      and (select private.has_session())
    );
end
$$;
comment on function private.create_channel_policies() is
  'Creates the policies of the private channels. Call it again if Realtime was set up after the migrations.';
revoke execute on function private.create_channel_policies() from public, anon, authenticated;

select private.create_channel_policies();

-- An UPDATE is published with all columns: with the default identity, values stored out of line (thumbnails, long texts)
-- are missing unless they changed.
alter table public.messages replica identity full;
