-- Realtime's private channels: conversation:<id> for typing and presence, member:<id> for changes. Changes have a private
-- channel because a project may allow private channels only, and because no policy lets clients write to it.

do $$
declare
  live text;
begin
  if exists (select 1 from pg_catalog.pg_publication where pubname = 'supabase_realtime' and not puballtables) then
    foreach live in array array['messages', 'notifications'] loop
      if not exists (
        select 1 from pg_catalog.pg_publication_tables
        where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = live
      ) then
        execute format('alter publication supabase_realtime add table public.%I', live);
      end if;
    end loop;
  end if;
end
$$;

create function private.my_conversation_topics() returns setof text
  language sql stable security definer set search_path = ''
as $$
  select 'conversation:' || conversation_id from private.my_correspondents() where (select private.is_member())
$$;
comment on function private.my_conversation_topics() is
  'Private channels that the caller may join: conversation:<id> for each open conversation in which the other '
  'participant has written.';
revoke execute on function private.my_conversation_topics() from public, anon, authenticated;
grant execute on function private.my_conversation_topics() to authenticated, service_role;

create function private.create_channel_policies() returns void
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
