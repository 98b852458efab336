-- Times of messages grow within a conversation, so that a mark up to which it was read passes no message that is not seen yet:
-- docs/decisions/0106-members-of-conversations.md, step 4.

create or replace function private.touch_conversations() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  locked constant public.conversations[] := array(
    select c from public.conversations c
    where c.id in (select conversation_id from changed) order by c.id for no key update
  );
  pairs constant uuid[] := array(select l.id from unnest(locked) as l where l.kind = 'pair');
  moved uuid[];
begin
  -- Not in the statement of the lock: who was removed meanwhile is seen by the next one.
  if exists (
    select from changed c where not exists (
      select from public.conversation_views v
      where v.member_id = c.sender_id and v.conversation_id = c.conversation_id and v.writes offset 0
    )
  ) then
    raise sqlstate 'PT403' using message = 'This is not one of your conversations.';
  end if;
  -- created_at is when the transaction began. Imported messages keep their times.
  moved := array(
    select c.id from changed c join unnest(locked) as l on l.id = c.conversation_id
    where c.created_at = now() and c.created_at <= l.last_message_at
  );
  if cardinality(moved) > 0 then
    update public.messages m set created_at = later.at
      from (
        select c.id,
          l.last_message_at + interval '1 microsecond' * row_number() over (partition by c.conversation_id order by c.created_at, c.id) as at
        from changed c join unnest(locked) as l on l.id = c.conversation_id
        where c.id = any (moved)
      ) as later
      where m.id = any (moved) and m.id = later.id;
  end if;
  update public.conversations c
    set last_message_at = greatest(c.last_message_at, m.latest),
        participant_1_wrote = c.participant_1_wrote or coalesce(c.participant_1 = any (m.senders), false),
        participant_2_wrote = c.participant_2_wrote or coalesce(c.participant_2 = any (m.senders), false)
    from (
      select s.conversation_id, array_agg(distinct s.sender_id) as senders,
        max(case when s.id = any (moved) then (select m.created_at from public.messages m where m.id = s.id) else s.created_at end) as latest
      from changed s group by s.conversation_id
    ) as m
    where c.id = m.conversation_id;
  perform 1 from public.conversation_views m
    where m.conversation_id = any (pairs)
    order by m.conversation_id, m.member_id for no key update;
  update public.conversation_views m
    set last_message_at = greatest(m.last_message_at, n.latest),
        listed_at = case when n.is_below then greatest(m.last_message_at, n.latest) else m.listed_at end,
        accepted = n.accepted,
        folder = case when n.accepted then 'inbox' else 'requests' end,
        unread = m.unread or n.unread,
        undelivered = m.undelivered or n.unread
    from (
      select
        mine.member_id,
        mine.conversation_id,
        (select c.last_message_at from public.conversations c where c.id = mine.conversation_id) as latest,
        bool_or(c.sender_id <> mine.member_id and not c.read and c.deleted_at is null) as unread,
        mine.accepted
          or bool_or(c.sender_id = mine.member_id)
          or exists (
            select 1 from public.follows f
            where f.follower_id = mine.member_id and f.following_id = any (array_agg(c.sender_id))
          ) as accepted,
        exists (
          select 1 from public.conversation_views above
          where above.member_id = mine.member_id and above.folder = any ('{inbox,requests,archived,none}')
            and (above.listed_at, above.conversation_id) > (mine.listed_at, mine.conversation_id)
        ) as is_below
      from changed c
      join public.conversation_views mine on mine.conversation_id = c.conversation_id
      where c.recipient_id is not null
      group by mine.member_id, mine.conversation_id
    ) as n
    where m.member_id = n.member_id and m.conversation_id = n.conversation_id;
  return null;
end
$$;
comment on function private.touch_conversations() is
  'Moves last_message_at to the latest message, never back, and records who has written. A message that another has overtaken gets a later time. For the recipient, a message of a stranger waits as a request; writing, and following the sender, accepts. Every message brings a conversation back that was archived or deleted. Of a group it moves no view. PT403 if the sender was removed meanwhile.';

create or replace function private.broadcast_messages() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_change('messages', tg_op, concerned.member, concerned.ids, concerned.new_rows)
    from (
      select
        members.id as member,
        -- The latest: clients load each of them, and show at most some pages of a conversation.
        (array_agg(changed.id order by changed.created_at, changed.id))[greatest(count(*) - 499, 1):] as ids,
        -- Sender and recipient may see every version of their messages. An update may follow another: clients read it.
        case when tg_op = 'INSERT' and private.broadcasts_carry_rows() then (
          -- With the times that touch_conversations() gave them.
          select jsonb_agg(m) from public.messages m where m.id = any (array_agg(changed.id))
        ) end as new_rows
      from changed
      cross join lateral (values (changed.sender_id), (changed.recipient_id)) as members (id)
      where changed.recipient_id is not null
      group by members.id
    ) as concerned;
  return null;
end
$$;

-- Its name is after messages_touch, which decides whether there is a message, and when.
drop trigger messages_broadcast_insert on public.messages;
create trigger messages_touched_broadcast after insert on public.messages
  referencing new table as changed for each statement execute function private.broadcast_messages();
