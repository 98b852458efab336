-- What is told live. Small rows only: pictures are fetched when they are looked at.

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
  select 'conversation:' || id from public.conversations where participant_1 = (select auth.uid())
  union all
  select 'conversation:' || id from public.conversations where participant_2 = (select auth.uid())
$$;
comment on function private.my_conversation_topics() is
  'Private channels the caller may join: conversation:<id> for each of their conversations.';
revoke execute on function private.my_conversation_topics() from public, anon, authenticated;
grant execute on function private.my_conversation_topics() to authenticated, service_role;

-- Who is typing is for the two members of the conversation.
do $$
begin
  if to_regclass('realtime.messages') is not null and to_regprocedure('realtime.topic()') is not null then
    create policy conversation_channels_receive on realtime.messages for select to authenticated
      using (
        extension in ('broadcast', 'presence')
        and (select realtime.topic()) in (select private.my_conversation_topics())
      );
    create policy conversation_channels_send on realtime.messages for insert to authenticated
      with check (
        extension in ('broadcast', 'presence')
        and (select realtime.topic()) in (select private.my_conversation_topics())
      );
  end if;
end
$$;
