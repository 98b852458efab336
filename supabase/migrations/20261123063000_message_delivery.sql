-- The sender sees how far their messages have come: sent, delivered, seen. docs/decisions/0055-delivered-messages.md.

alter table public.conversation_members
  -- Whether the other member has sent a message that no device of this member has received.
  add column undelivered boolean not null default false,
  -- This member's messages up to this time have reached a device of the other member.
  add column delivered_at timestamptz;
create index conversation_members_undelivered_idx on public.conversation_members (member_id)
  where undelivered and folder = 'inbox';
-- The devices of the time before did not report what they had received.
update public.conversation_members set undelivered = true where unread;

create function private.mark_delivered() returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  received uuid[];
begin
  if not private.is_member() then
    return;
  end if;
  received := array(
    select m.conversation_id
    from public.conversation_members m
    join public.conversations c on c.id = m.conversation_id
    where m.member_id = me and m.undelivered and m.folder = 'inbox'
      and case me when c.participant_1 then c.participant_2 else c.participant_1 end
        not in (select private.my_hidden_ids())
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
  'Reports to the senders of the caller''s new messages that they have arrived. Requests and closed conversations report nothing. '
  'Takes no lock if there is nothing to report.';
revoke execute on function private.mark_delivered() from public, anon, authenticated;
grant execute on function private.mark_delivered() to authenticated, service_role;

create function public.mark_delivered() returns void
  language sql security invoker set search_path = ''
as $$
  select private.mark_delivered()
$$;
comment on function public.mark_delivered() is 'A device of the caller has received their new messages: tells the senders.';
revoke execute on function public.mark_delivered() from public, anon, authenticated;
grant execute on function public.mark_delivered() to authenticated, service_role;

create or replace trigger conversation_members_broadcast after update on public.conversation_members
  for each row when (
    old.folder is distinct from new.folder
    or old.pinned_at is distinct from new.pinned_at
    or old.cleared_at is distinct from new.cleared_at
    or old.delivered_at is distinct from new.delivered_at
  )
  execute function private.broadcast_conversation_member();
comment on function private.broadcast_conversation_member() is
  'Broadcasts to a member that one of their conversations has moved, or that their messages have arrived, with the id of the conversation.';

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
  perform 1 from public.conversation_members m
    where m.conversation_id in (select conversation_id from changed)
    order by m.conversation_id, m.member_id for no key update;
  update public.conversation_members m
    set last_message_at = greatest(m.last_message_at, n.latest),
        accepted = n.accepted,
        folder = case when n.accepted then 'inbox' else 'requests' end,
        unread = m.unread or n.unread,
        undelivered = m.undelivered or n.unread
    from (
      select
        mine.member_id,
        mine.conversation_id,
        max(c.created_at) as latest,
        bool_or(c.recipient_id = mine.member_id and not c.read and c.deleted_at is null) as unread,
        mine.accepted
          or bool_or(c.sender_id = mine.member_id)
          or exists (
            select 1 from public.follows f
            where f.follower_id = mine.member_id and f.following_id = any (array_agg(c.sender_id))
          ) as accepted
      from changed c
      join public.conversation_members mine on mine.conversation_id = c.conversation_id
      group by mine.member_id, mine.conversation_id
    ) as n
    where m.member_id = n.member_id and m.conversation_id = n.conversation_id;
  return null;
end
$$;

create or replace function private.recount_unread() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- A message that arrives meanwhile waits for this lock, or is seen by the next statement.
  perform 1 from public.conversation_members m
    where (m.member_id, m.conversation_id) in (
      select c.recipient_id, c.conversation_id from changed c join before b on b.id = c.id
      where (c.read, c.deleted_at is null) is distinct from (b.read, b.deleted_at is null)
    )
    order by m.conversation_id, m.member_id for no key update;
  if not found then
    return null;
  end if;
  update public.conversation_members m
    set unread = n.unread, undelivered = m.undelivered and n.unread
    from (
      select
        mine.member_id,
        mine.conversation_id,
        exists (
          select 1 from public.messages x
          where x.recipient_id = mine.member_id and not x.read and x.conversation_id = mine.conversation_id
            and x.deleted_at is null and x.created_at > coalesce(mine.cleared_at, '-infinity')
        ) as unread
      from public.conversation_members mine
      where (mine.member_id, mine.conversation_id) in (select c.recipient_id, c.conversation_id from changed c)
    ) as n
    where m.member_id = n.member_id and m.conversation_id = n.conversation_id and m.unread <> n.unread;
  return null;
end
$$;
