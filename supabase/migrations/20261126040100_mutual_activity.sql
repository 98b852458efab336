-- While Activity Status is off, a member's presence, typing and deliveries are not sent to others, and those of others are not sent
-- to that member: docs/decisions/0059-ended-rights.md.

create function private.shows_activity() returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from public.profiles p where p.id = (select auth.uid()) and p.show_activity_status);
end
$$;
comment on function private.shows_activity() is
  'Whether the caller has Activity Status on, and so may also see the activity of others.';
revoke execute on function private.shows_activity() from public, anon, authenticated;
grant execute on function private.shows_activity() to authenticated, service_role;

create or replace function public.touch_activity() returns void
  language sql security invoker set search_path = ''
as $$
  insert into public.activity (user_id)
  select (select auth.uid())
  where (select private.shows_activity()) and not exists (
    select 1 from public.activity a
    where a.user_id = (select auth.uid()) and a.last_active_at >= now() - interval '30 seconds'
  )
  on conflict (user_id) do update set last_active_at = now()
$$;
comment on function public.touch_activity() is
  'Records that the caller is active now. Writes nothing and takes no lock while their Activity Status is off, and within 30 seconds '
  'of the last time.';

create or replace function private.my_conversation_topics() returns setof text
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select 'conversation:' || conversation_id from private.my_correspondents()
    where (select private.is_member()) and (select private.shows_activity());
end
$$;
comment on function private.my_conversation_topics() is
  'Private channels that the caller may join: conversation:<id> for each open conversation in which the other participant has '
  'written; none while their Activity Status is off.';

create or replace function private.mark_delivered() returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  received uuid[];
begin
  if not private.is_member() or not private.shows_activity() then
    return;
  end if;
  received := array(
    select m.conversation_id
    from public.conversation_members m
    join public.conversations c on c.id = m.conversation_id
    cross join lateral (
      select case me when c.participant_1 then c.participant_2 else c.participant_1 end as id
    ) as sender
    where m.member_id = me and m.undelivered and m.folder = 'inbox'
      and sender.id not in (select private.my_hidden_ids())
      and not exists (select 1 from public.profiles p where p.id = sender.id and not p.show_activity_status)
    order by m.last_message_at desc limit 200
  );
  if cardinality(received) = 0 then
    return;
  end if;
  -- A message that is being sent meanwhile waits for this lock, or is seen by the next statements.
  perform 1 from public.conversation_members m
    where m.conversation_id = any (received) order by m.conversation_id, m.member_id for no key update;
  update public.conversation_members theirs
    set delivered_at = greatest(theirs.delivered_at, mine.last_message_at)
    from public.conversation_members mine
    where mine.member_id = me and mine.undelivered and mine.conversation_id = any (received)
      and theirs.conversation_id = mine.conversation_id and theirs.member_id <> me;
  update public.conversation_members m set undelivered = false
    where m.member_id = me and m.conversation_id = any (received);
end
$$;
comment on function private.mark_delivered() is
  'Reports to the senders of the caller''s new messages that they have arrived, in the latest two hundred conversations. Requests, '
  'closed conversations, and conversations in which one of the two has Activity Status off report nothing. Takes no lock if there '
  'is nothing to report.';

-- The setting of others is checked for the members a query is about, not for all correspondents.
drop policy if exists activity_select on public.activity;
create policy activity_select on public.activity for select to authenticated using (
  user_id = (select auth.uid())
  or (
    (select private.shows_activity())
    and user_id in (select private.my_correspondent_ids())
    and exists (select 1 from public.profiles p where p.id = user_id and p.show_activity_status offset 0)
  )
);

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
      and (select private.has_session())
    );
  -- Row security of posts decides who may read it.
  drop policy if exists post_channels_receive on realtime.messages;
  create policy post_channels_receive on realtime.messages for select to authenticated
    using (
      extension = 'broadcast'
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
