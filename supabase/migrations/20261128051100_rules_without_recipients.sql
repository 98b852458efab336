-- The rules of messages ask who is in the conversation instead of messages.recipient_id, which is there for the search in all conversations only (0106).

create function private.broadcast_in_groups(operation text, message_ids uuid[]) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  groups constant uuid[] := array(select distinct m.conversation_id from public.messages m where m.id = any (message_ids));
begin
  if operation = 'UPDATE' then
    -- As touch_conversations() does for new messages: before a removal or after it, and so to one epoch.
    perform 1 from public.conversations c where c.id = any (groups) order by c.id for share;
  end if;
  perform private.send_change('conversation:' || c.id || ':' || c.epoch, 'messages', operation, (
      select (array_agg(m.id order by m.created_at, m.id))[greatest(count(*) - 499, 1):]
      from public.messages m where m.id = any (message_ids) and m.conversation_id = c.id
    ))
    from public.conversations c where c.id = any (groups);
end
$$;
comment on function private.broadcast_in_groups(text, uuid[]) is 'Broadcasts new or changed messages of groups, at most the latest five hundred of each, in the channel of its epoch, which it reads while the group is locked.';
revoke execute on function private.broadcast_in_groups(text, uuid[]) from public;

CREATE OR REPLACE FUNCTION private.broadcast_messages()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
declare
  in_groups constant uuid[] := array(
    select m.id from changed m join public.conversations c on c.id = m.conversation_id where c.kind = 'group'
  );
begin
  -- touch_conversations() moves times before others get the message.
  if tg_op = 'UPDATE' then
    if not exists (select id, created_at from changed intersect select id, created_at from before) then
      return null;
    end if;
  end if;
  perform private.broadcast_change('messages', tg_op, concerned.member, concerned.ids, concerned.new_rows)
    from (
      select
        members.id as member,
        -- The latest: clients load each of them, and show at most some pages of a conversation.
        (array_agg(changed.id order by changed.created_at, changed.id))[greatest(count(*) - 499, 1):] as ids,
        -- Both may see every version of their messages. An update may follow another: clients read it.
        case when tg_op = 'INSERT' and private.broadcasts_carry_rows() then (
          -- With the times that touch_conversations() gave them.
          select jsonb_agg(m) from public.messages m where m.id = any (array_agg(changed.id))
        ) end as new_rows
      from changed
      join public.conversations c on c.id = changed.conversation_id
      cross join lateral (values (c.participant_1), (c.participant_2)) as members (id)
      where c.kind = 'pair'
      group by members.id
    ) as concerned;
  if cardinality(in_groups) > 0 then
    perform private.broadcast_in_groups(tg_op, in_groups);
  end if;
  return null;
end
$$;
comment on function private.broadcast_messages() is 'Broadcasts new and changed messages, at most the latest five hundred of a statement: of pairs to both, of a group in its channel.';

CREATE OR REPLACE FUNCTION private.broadcast_reactions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
declare
  -- Unsending and deleting a message are broadcast as such.
  reacted constant public.messages[] := array(
    select m from public.messages m
    where m.id in (select c.message_id from changed c) and m.deleted_at is null order by m.created_at, m.id
  );
  in_groups constant uuid[] := array(
    select m.id from unnest(reacted) as m join public.conversations c on c.id = m.conversation_id where c.kind = 'group'
  );
begin
  perform private.broadcast_change('messages', 'UPDATE', concerned.member_id, concerned.ids)
    from (
      select members.id as member_id, (array_agg(m.id order by m.created_at, m.id))[greatest(count(*) - 499, 1):] as ids
      from unnest(reacted) as m
      join public.conversations c on c.id = m.conversation_id
      cross join lateral (values (c.participant_1), (c.participant_2)) as members (id)
      where c.kind = 'pair'
      group by members.id
    ) as concerned;
  if cardinality(in_groups) = 0 then
    return null;
  end if;
  perform private.broadcast_in_groups('UPDATE', in_groups);
  -- The group is locked: who was removed meanwhile is seen.
  if tg_op <> 'DELETE' and exists (
    select from changed c where c.member_id = (select auth.uid()) and c.message_id = any (in_groups) and not exists (
      select from public.conversation_views v
      where v.member_id = c.member_id and v.conversation_id = c.conversation_id and v.writes offset 0
    )
  ) then
    raise sqlstate 'PT403' using message = 'This is not one of your conversations.';
  end if;
  return null;
end
$$;
comment on function private.broadcast_reactions() is 'Broadcasts reactions as changes of their messages: in a pair to both, in a group in its channel. PT403 if the member was removed from the group meanwhile.';

CREATE OR REPLACE FUNCTION private.guard_message_read()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $$
declare
  is_client constant boolean := pg_catalog.row_security_active('public.messages');
  mine public.conversation_views;
begin
  if is_client then
    select * into mine from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = old.conversation_id;
  else
    -- Of a pair the recipient; of a group anybody, for whom nothing changes.
    select * into mine from public.conversation_views v
      where v.conversation_id = old.conversation_id and v.member_id <> old.sender_id limit 1;
  end if;
  -- Own messages of a group that the member is no part of any more: an update without a filter meets them.
  if not found then
    new.read := old.read;
    return new;
  end if;
  if is_client and mine.member_id = old.sender_id and not mine.is_group then
    raise sqlstate 'PT403' using message = 'Only its recipient can mark a message as read.';
  end if;
  if mine.is_group then
    -- Ignored, not refused: the specification's update names all messages of a conversation.
    new.read := old.read;
  elsif not mine.accepted
    or (new.read and exists (select from public.profiles p where p.id = mine.member_id and not p.read_receipts))
    or (is_client and new.read and not exists (select from public.profiles p where p.id = old.sender_id))
  then
    -- Reading a request, or while one blocks the other, does not tell its sender, and reading with receipts off nobody.
    new.read := false;
  end if;
  new.read_at := case when new.read then coalesce(old.read_at, now()) end;
  return new;
end
$$;
comment on function private.guard_message_read() is 'The recipient marks a message as read, at the database''s time; messages of a request stay unread, those of a group, and all while the recipient''s receipts are off.';

CREATE OR REPLACE FUNCTION private.mark_read(conversation uuid, until_at timestamp with time zone, until_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
declare
  most constant integer := 500;
  me constant uuid := (select auth.uid());
  mine public.conversation_views;
  is_shown boolean;
  has_moved boolean;
  last_at timestamptz;
  last_id uuid;
  from_at timestamptz;
  from_id uuid;
  shown_at timestamptz;
  shown_id uuid;
  read_ids uuid[];
begin
  perform private.require_active();
  if not private.is_member() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  select * into mine from public.conversation_views v where v.member_id = me and v.conversation_id = conversation;
  if mine.reads_after is null or mine.reads_after = 'infinity' or num_nulls(until_at, until_id) > 0 then
    return false;
  end if;
  select m.created_at, m.id into last_at, last_id from public.messages m
    where m.conversation_id = conversation
      and (mine.cleared_at is null or m.created_at > mine.cleared_at)
      and (m.sender_id = me or m.created_at >= mine.reads_after)
    order by m.created_at desc, m.id desc limit 1;
  if last_at is null then
    return false;
  end if;
  if (until_at, until_id) < (last_at, last_id) then
    last_at := until_at;
    last_id := until_id;
  end if;
  -- A block ends what one of the two learns of the other's activity.
  is_shown := mine.accepted and not coalesce(private.is_apart(me, private.other_participant(conversation, me)), false)
    and private.shows_reading(me);

  shown_at := last_at;
  shown_id := last_id;
  -- Messages, the row of the member, the view: the order of all writers.
  if is_shown and not mine.is_group then
    -- Those up to the shown mark are read already.
    select coalesce(m.read_at, '-infinity'), coalesce(m.read_id, '00000000-0000-0000-0000-000000000000') into from_at, from_id
      from public.conversation_members m where m.conversation_id = conversation and m.member_id = me;
    read_ids := array(
      select m.id from public.messages m
      where m.conversation_id = conversation and m.sender_id <> me and not m.read
        and (m.created_at, m.id) > (from_at, from_id) and (m.created_at, m.id) <= (last_at, last_id)
      order by m.created_at, m.id limit most for no key update
    );
    if cardinality(read_ids) = most then
      select m.created_at, m.id into shown_at, shown_id from public.messages m where m.id = read_ids[most];
    end if;
  end if;
  if is_shown then
    update public.conversation_members m set read_at = shown_at, read_id = shown_id
      where m.conversation_id = conversation and m.member_id = me and m.state = 'in'
        and (m.read_at is null or (m.read_at, m.read_id) < (shown_at, shown_id));
  end if;
  update public.conversation_views v set mark_at = last_at, mark_id = last_id
    where v.member_id = me and v.conversation_id = conversation and v.reads_after < 'infinity'
      and (v.mark_at is null or (v.mark_at, v.mark_id) < (last_at, last_id));
  has_moved := found;
  -- After the marks, which its triggers would raise without counting.
  if cardinality(read_ids) > 0 then
    update public.messages m set read = true where m.id = any (read_ids) and not m.read;
  end if;
  -- A message that arrives meanwhile waits for this lock, or is seen by the next statement.
  perform 1 from public.conversation_views v
    where v.member_id = me and v.conversation_id = conversation for no key update;
  update public.conversation_views v set unread = false, undelivered = false
    where v.member_id = me and v.conversation_id = conversation and v.unread
      and not exists (
        select from public.messages m
        where m.conversation_id = conversation and m.sender_id <> me and m.deleted_at is null
          and (m.created_at, m.id) > (v.mark_at, v.mark_id) and m.created_at > coalesce(v.cleared_at, '-infinity')
      );
  if (found or has_moved) and coalesce(cardinality(read_ids), 0) in (0, most) then
    -- Other devices of the member learn it from the messages that got read, unless there are none, or not all of them are.
    perform private.broadcast_change('conversation_views', 'UPDATE', me, array[conversation]);
  end if;
  return coalesce(cardinality(read_ids), 0) = most;
end
$$;
comment on function private.mark_read(uuid, timestamptz, uuid) is 'Raises the caller''s mark of a conversation, never beyond the newest message that they may read; others see it if receipts are on and the request is accepted. Then up to 500 messages of a pair get read, the oldest first; returns whether more may be left. PT401, PT403, PT429.';

CREATE OR REPLACE FUNCTION private.recount_unread()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
declare
  touched record;
  newest record;
  is_shown boolean;
begin
  -- Not a join: its plan, which is kept, may compare each message with all others.
  for touched in
    select r.reader, r.conversation_id, r.read_ids
    from (
      select private.other_participant(d.conversation_id, d.sender_id) as reader, d.conversation_id, array_agg(d.id) filter (where d.read) as read_ids
      from (
        select c.id, c.sender_id, c.conversation_id, c.read, c.deleted_at is null from changed c
        except
        select b.id, b.sender_id, b.conversation_id, b.read, b.deleted_at is null from before b
      ) as d
      group by d.conversation_id, d.sender_id
    ) as r
    where r.reader is not null
    order by r.conversation_id, r.reader
  loop
    perform 1 from public.conversation_members m
      where m.member_id = touched.reader and m.conversation_id = touched.conversation_id for no key update;
    if touched.read_ids is not null then
      select m.created_at as at, m.id into newest from public.messages m
        where m.id = any (touched.read_ids) order by m.created_at desc, m.id desc limit 1;
      -- Receipts may have been turned off since the messages were marked.
      is_shown := private.shows_reading(touched.reader);
      update public.conversation_members m set read_at = newest.at, read_id = newest.id
        where is_shown and m.conversation_id = touched.conversation_id and m.member_id = touched.reader
          and (m.read_at is null or (m.read_at, m.read_id) < (newest.at, newest.id));
      update public.conversation_views m set mark_at = newest.at, mark_id = newest.id
        where m.conversation_id = touched.conversation_id and m.member_id = touched.reader
          and (m.mark_at is null or (m.mark_at, m.mark_id) < (newest.at, newest.id));
    end if;
    -- A message that arrives meanwhile waits for this lock, or is seen by the next statement.
    perform 1 from public.conversation_views m
      where m.member_id = touched.reader and m.conversation_id = touched.conversation_id for no key update;
    update public.conversation_views m
      set unread = n.unread, undelivered = m.undelivered and n.unread
      from (
        select exists (
          select 1 from public.messages x
          where x.conversation_id = mine.conversation_id and x.sender_id <> mine.member_id and not x.read
            and x.deleted_at is null and x.created_at > coalesce(mine.cleared_at, '-infinity')
            and (x.created_at, x.id)
              > (coalesce(mine.mark_at, '-infinity'), coalesce(mine.mark_id, '00000000-0000-0000-0000-000000000000'))
        ) as unread
        from public.conversation_views mine
        where mine.member_id = touched.reader and mine.conversation_id = touched.conversation_id
      ) as n
      where m.member_id = touched.reader and m.conversation_id = touched.conversation_id and m.unread <> n.unread;
  end loop;
  return null;
end
$$;
comment on function private.recount_unread() is 'Raises the marks of those who marked messages as read, and updates whether a conversation has unread messages after some were read or unsent.';

drop function private.newest_read(uuid[]);
create function private.newest_read(ids uuid[]) returns table (conversation_id uuid, member_id uuid, created_at timestamptz, id uuid)
  language sql stable security definer set search_path = ''
as $$
  select m.conversation_id, case m.sender_id when c.participant_1 then c.participant_2 else c.participant_1 end, m.created_at, m.id
  from (
    select n.*, row_number() over (partition by n.conversation_id, n.sender_id order by n.created_at desc, n.id desc) as place
    from public.messages n where n.id = any (ids)
  ) as m
  join public.conversations c on c.id = m.conversation_id
  where m.place = 1 and c.kind = 'pair'
$$;
comment on function private.newest_read(uuid[]) is 'The newest of these messages for each member of a pair who received them.';
revoke execute on function private.newest_read(uuid[]) from public;

CREATE OR REPLACE FUNCTION private.touch_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
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
  if exists (select from changed c where c.read) then
    -- Imported. Clients send no message as read.
    update public.conversation_members m set read_at = n.created_at, read_id = n.id
      from private.newest_read(array(select c.id from changed c where c.read)) as n
      where m.conversation_id = n.conversation_id and m.member_id = n.member_id and private.shows_reading(m.member_id)
        and (m.read_at is null or (m.read_at, m.read_id) < (n.created_at, n.id));
    update public.conversation_views m set mark_at = n.created_at, mark_id = n.id
      from private.newest_read(array(select c.id from changed c where c.read)) as n
      where m.conversation_id = n.conversation_id and m.member_id = n.member_id
        and (m.mark_at is null or (m.mark_at, m.mark_id) < (n.created_at, n.id));
  end if;
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
        bool_or(
          c.sender_id <> mine.member_id and not c.read and c.deleted_at is null
          -- One that was imported may be older than the mark. One that was moved is not.
          and (mine.mark_at is null or c.id = any (moved) or (c.created_at, c.id) > (mine.mark_at, mine.mark_id))
        ) as unread,
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
      where c.conversation_id = any (pairs)
      group by mine.member_id, mine.conversation_id
    ) as n
    where m.member_id = n.member_id and m.conversation_id = n.conversation_id;
  return null;
end
$$;
comment on function private.touch_conversations() is 'Moves last_message_at to the latest message, never back, and records who has written. A message that another has overtaken gets a later time. For the recipient, a message of a stranger waits as a request; writing, and following the sender, accepts. Every message brings a conversation back that was archived or deleted. Of a group it moves no view. PT403 if the sender was removed meanwhile.';

comment on table public.messages is 'A trigger sets recipient_id, in pairs, by which a search in all conversations finds what a member received. An unsent message stays as a row without content.';
