-- To open a conversation is not yet to talk, and who is blocked is no news: see docs/decisions/0025-strangers.md and
-- 0024-notifications.md.

alter table public.conversations
  -- Null in those from before, and in those that no member began.
  add column started_by uuid,
  add column participant_1_wrote boolean not null default false,
  add column participant_2_wrote boolean not null default false;
comment on column public.conversations.participant_1_wrote is
  'Whether there has been a message by them; taken back or not. Then the other may know when they are there.';

update public.conversations c
  set participant_1_wrote = c.participant_1 = any (m.senders), participant_2_wrote = c.participant_2 = any (m.senders)
  from (
    select conversation_id, array_agg(distinct sender_id) as senders from public.messages group by conversation_id
  ) as m
  where m.conversation_id = c.id;

create or replace function private.guard_conversation() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if not pg_catalog.row_security_active('public.conversations') then
    return new;
  end if;
  if not (
    exists (select 1 from public.profiles where id = new.participant_1)
    and exists (select 1 from public.profiles where id = new.participant_2)
  ) then
    raise sqlstate 'PT403' using message = 'You cannot write to this member.';
  end if;
  new.started_by := (select auth.uid());
  return new;
end
$$;
comment on function private.guard_conversation() is
  'Refuses a conversation with a member whom the caller does not see; notes who began it.';

create or replace function private.touch_conversations() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform 1 from public.conversations c
    where c.id in (select conversation_id from changed) order by c.id for no key update;
  update public.conversations c
    set last_message_at = greatest(c.last_message_at, m.latest),
        participant_1_wrote = c.participant_1_wrote or c.participant_1 = any (m.senders),
        participant_2_wrote = c.participant_2_wrote or c.participant_2 = any (m.senders)
    from (
      select conversation_id, max(created_at) as latest, array_agg(distinct sender_id) as senders
      from changed group by conversation_id
    ) as m
    where c.id = m.conversation_id;
  return null;
end
$$;
comment on function private.touch_conversations() is
  'Moves last_message_at to the latest message, never back, and notes who has written.';

create function private.my_correspondents() returns table (conversation_id uuid, member_id uuid)
  language sql stable security definer set search_path = '' rows 100
as $$
  select theirs.conversation_id, theirs.member_id
  from (
    select id, participant_2 from public.conversations
      where participant_1 = (select auth.uid()) and participant_2_wrote
    union all
    select id, participant_1 from public.conversations
      where participant_2 = (select auth.uid()) and participant_1_wrote
  ) as theirs (conversation_id, member_id)
  where theirs.member_id not in (select private.my_hidden_ids())
$$;
comment on function private.my_correspondents() is
  'Members who have written to the caller and are not hidden from them, each with the conversation they wrote in.';
revoke execute on function private.my_correspondents() from public, anon, authenticated;

create or replace function private.my_correspondent_ids() returns setof uuid
  language sql stable security definer set search_path = ''
as $$
  select member_id from private.my_correspondents()
$$;
comment on function private.my_correspondent_ids() is 'Members who have written to the caller and are not hidden from them.';
-- Whether they let it be seen is asked of those whom a query is about, not of all correspondents.
alter policy activity_select on public.activity
  using (
    user_id = (select auth.uid())
    or (
      user_id in (select private.my_correspondent_ids())
      and exists (select 1 from public.profiles p where p.id = user_id and p.show_activity_status offset 0)
    )
  );

create or replace function private.my_conversation_topics() returns setof text
  language sql stable security definer set search_path = ''
as $$
  select 'conversation:' || conversation_id from private.my_correspondents()
$$;
comment on function private.my_conversation_topics() is
  'Private channels the caller may join: conversation:<id> for each of their conversations that is not closed and in '
  'which the other has written.';

create or replace function public.my_conversations(before_at timestamptz default null, before_id uuid default null)
  returns setof public.conversations
  -- It cannot know that who asks may have thousands, and would rather sort them than walk the index.
  language sql stable security invoker set search_path = '' set enable_bitmapscan = off
as $$
  select mine.*
  from (
    (
      select * from public.conversations
      where participant_1 = (select auth.uid()) and (last_message_at, id)
        < (coalesce(before_at, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
        and (participant_1_wrote or participant_2_wrote or started_by = (select auth.uid()))
      order by last_message_at desc, id desc limit 30
    )
    union all
    (
      select * from public.conversations
      where participant_2 = (select auth.uid()) and (last_message_at, id)
        < (coalesce(before_at, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
        and (participant_1_wrote or participant_2_wrote or started_by = (select auth.uid()))
      order by last_message_at desc, id desc limit 30
    )
  ) as mine
  order by mine.last_message_at desc, mine.id desc limit 30
$$;
comment on function public.my_conversations(timestamptz, uuid) is
  'A page of thirty of the caller''s conversations, latest first, from before (before_at, before_id); without messages '
  'only those that the caller began. The two columns that a member may stand in have an index each: asked one by one, '
  'both are read in order.';

-- What somebody wrote whom one has blocked since is no news: one sees nothing of them. It counts again once they are
-- unblocked, and 'Seen' tells them nothing meanwhile.
create or replace function public.unread_conversations() returns integer
  language sql stable security invoker set search_path = ''
as $$
  with recursive unread as (
    (
      select conversation_id, sender_id from public.messages
      where recipient_id = (select auth.uid()) and not read and deleted_at is null
      order by conversation_id limit 1
    )
    union all
    select further.conversation_id, further.sender_id
    from unread u
    cross join lateral (
      select m.conversation_id, m.sender_id from public.messages m
      where m.recipient_id = (select auth.uid()) and not m.read and m.deleted_at is null
        and m.conversation_id > u.conversation_id
      order by m.conversation_id limit 1
    ) as further
  )
  select count(*)::integer
  from (
    select 1 from unread
    where sender_id not in (select blocked_id from public.blocks where blocker_id = (select auth.uid()))
    limit 10
  ) as counted
$$;
comment on function public.unread_conversations() is
  'Conversations with a message that the caller has not read, but for those with members they have blocked, 0 to 10: the '
  'badge says 9+ above nine. Goes from one conversation to the next by the index, however many messages wait in each.';
