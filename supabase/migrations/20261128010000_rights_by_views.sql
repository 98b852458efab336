-- Policies and triggers of messages ask the own view: docs/decisions/0106-members-of-conversations.md, step 3. Groups exist only by hand.

alter table public.messages alter column recipient_id drop default, alter column recipient_id drop not null;
comment on table public.messages is
  'A trigger sets recipient_id, in pairs, so that unread messages are counted by one index, without conversations. An unsent message stays as a row without content.';

create function private.other_participant(conversation uuid, member uuid) returns uuid
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select case member when c.participant_1 then c.participant_2 when c.participant_2 then c.participant_1 end
    from public.conversations c where c.id = conversation
  );
end
$$;
comment on function private.other_participant(uuid, uuid) is
  'The other of a pair; null in groups, so that rules of pairs do nothing there.';
revoke execute on function private.other_participant(uuid, uuid) from public, anon, authenticated;
grant execute on function private.other_participant(uuid, uuid) to authenticated;

create function private.lost_conversation_ids() returns setof uuid
  language plpgsql stable security definer cost 1 rows 10 set search_path = '' set jit = off
as $$
declare
  removed constant uuid[] := array(select private.removed_member_ids());
begin
  if cardinality(removed) = 0 then
    return;
  end if;
  return query
    select c.id from public.conversations c
    where (c.participant_1 = (select auth.uid()) or c.participant_2 = (select auth.uid()))
      and (c.participant_1 in (select unnest(removed)) or c.participant_2 in (select unnest(removed)));
end
$$;
comment on function private.lost_conversation_ids() is
  'Pairs of the caller with an account that waits to be cleaned up. A set, hashed once per statement; empty at once if nothing waits.';
revoke execute on function private.lost_conversation_ids() from public, anon, authenticated;
grant execute on function private.lost_conversation_ids() to authenticated;

alter policy conversations_select on public.conversations using (
  case (select auth.uid())
    when participant_1 then true
    when participant_2 then true
    else kind = 'group' and exists (
      select from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = conversations.id and v.sees_members offset 0
    )
  end
);
alter policy conversations_session on public.conversations using (
  nullif((select private.is_member()), false) is not null
  or (kind = 'group' or participant_1 = (select auth.uid()) or participant_2 = (select auth.uid()))
    and nullif((select private.has_account()), false) is not null
);

alter policy messages_removed on public.messages using (
  not sender_id in (select private.removed_member_ids())
  and not conversation_id in (select private.lost_conversation_ids())
);
alter policy messages_select on public.messages using (
  exists (
    select from public.conversation_views v
    where v.member_id = (select auth.uid()) and v.conversation_id = messages.conversation_id
      and (v.cleared_at is null or messages.created_at > v.cleared_at)
      and (messages.sender_id = v.member_id or messages.created_at >= v.reads_after)
    offset 0
  )
);
alter policy messages_insert on public.messages with check (
  sender_id = (select auth.uid())
  and exists (
    select from public.conversation_views v
    where v.member_id = (select auth.uid()) and v.conversation_id = messages.conversation_id and v.writes
  )
);
alter policy messages_update on public.messages
  using (
    sender_id = (select auth.uid())
    or exists (
      select from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = messages.conversation_id
        and messages.created_at >= v.reads_after
      offset 0
    )
  )
  with check (
    sender_id = (select auth.uid())
    or exists (
      select from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = messages.conversation_id
        and messages.created_at >= v.reads_after
      offset 0
    )
  );

alter policy message_media_insert on public.message_media with check (
  sender_id = (select auth.uid())
  and exists (
    select from public.conversation_views v
    where v.member_id = (select auth.uid()) and v.conversation_id = message_media.conversation_id and v.writes
      and (v.is_group or exists (
        select from public.profiles p where p.id = private.other_participant(v.conversation_id, v.member_id)
      ))
  )
);

alter policy reports_insert on public.reports with check (
  reporter_id = (select auth.uid())
  and (
    exists (select from public.profiles p where p.id = reports.member_id)
    or exists (select from public.blocks b where b.blocked_id = reports.member_id)
    or exists (
      select from public.conversation_views v
      join public.conversation_members m on m.conversation_id = v.conversation_id and m.member_id = reports.member_id
      where v.member_id = (select auth.uid()) and v.sees_members
    )
  )
  and (post_id is null or exists (select from public.posts p where p.id = reports.post_id and p.user_id = reports.member_id))
);

create or replace function private.address_message() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  conversation public.conversations;
begin
  select * into conversation from public.conversations where id = new.conversation_id;
  if conversation.kind = 'group' then
    new.recipient_id := null;
  else
    new.recipient_id := case new.sender_id
      when conversation.participant_1 then conversation.participant_2
      when conversation.participant_2 then conversation.participant_1
    end;
  end if;
  if new.recipient_id is null and not exists (
    select from public.conversation_views v
    where v.member_id = new.sender_id and v.conversation_id = conversation.id and v.is_group and v.writes
  ) then
    raise sqlstate 'PT403' using message = 'This is not one of your conversations.';
  end if;
  return new;
end
$$;
comment on function private.address_message() is
  'Sets recipient_id to the other participant of a pair. PT403 if the sender is not a participant, or does not write in the group.';

create or replace function private.refuse_hidden_recipient() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  recipient constant uuid := private.other_participant(new.conversation_id, new.sender_id);
begin
  if pg_catalog.row_security_active('public.messages')
    and recipient is not null
    and not exists (select 1 from public.profiles where id = recipient)
    -- A retry after a lost response: the message exists, and the client expects 23505.
    and not exists (select 1 from public.messages where id = new.id and sender_id = new.sender_id)
  then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  end if;
  return new;
end
$$;

create or replace function private.refuse_unwanted_message() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  recipient constant uuid := private.other_participant(new.conversation_id, new.sender_id);
  wanted constant text := (select p.new_messages_from from public.profiles p where p.id = recipient);
begin
  if recipient is null
    or exists (
      select 1 from public.conversation_views m
      where m.member_id = recipient and m.conversation_id = new.conversation_id and m.accepted
    )
    -- A retry after a lost response: the message exists, and the client expects 23505.
    or exists (select 1 from public.messages m where m.id = new.id and m.sender_id = new.sender_id)
  then
    return new;
  end if;
  if wanted = 'nobody' then
    raise sqlstate 'PT403' using message = 'This member receives messages only in conversations they already have.';
  end if;
  if exists (
    select 1 from public.follows f where f.follower_id = recipient and f.following_id = new.sender_id
  ) then
    return new;
  end if;
  if wanted = 'following' then
    raise sqlstate 'PT403' using message = 'This member receives messages only from people they follow.';
  end if;
  if wanted = 'followers' and not exists (
    select 1 from public.follows f where f.follower_id = new.sender_id and f.following_id = recipient
  ) then
    raise sqlstate 'PT403' using
      message = 'This member receives messages only from their followers and people they follow.';
  end if;
  if exists (
    select 1 from public.messages m
    where m.conversation_id = new.conversation_id and m.sender_id = new.sender_id
    order by m.created_at desc, m.id desc offset 2
  ) then
    raise sqlstate 'PT403' using message = 'You can write more once this member has accepted your first messages.';
  end if;
  return new;
end
$$;

create or replace function private.guard_request() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if exists (
    select 1 from public.conversation_views m
    where m.member_id = private.other_participant(old.conversation_id, old.sender_id)
      and m.conversation_id = old.conversation_id and not m.accepted
  ) then
    raise sqlstate 'PT403' using message = 'Accept this request first.';
  end if;
  return new;
end
$$;

create or replace function private.check_message_extras() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  -- A retry after a lost response: the message exists, whatever has changed since.
  if exists (select 1 from public.messages m where m.id = new.id and m.sender_id = new.sender_id) then
    return new;
  end if;
  if new.reply_to_id is not null and not exists (
    select 1 from public.messages m where m.id = new.reply_to_id and m.conversation_id = new.conversation_id
  ) then
    raise sqlstate 'PT403' using message = 'The message that this one answers is not in this conversation.';
  end if;
  if new.media_id is not null and not exists (
    select 1 from public.message_media p
    where p.id = new.media_id and p.sender_id = new.sender_id and p.conversation_id = new.conversation_id
  ) then
    raise sqlstate 'PT403' using message = 'This photo was not sent into this conversation.';
  end if;
  if new.story_id is not null then
    -- A story is answered to its owner alone: in a group it has nobody to answer.
    if not exists (
      select 1 from public.stories s join public.profiles owner on owner.id = s.user_id
      where s.id = new.story_id and s.user_id = private.other_participant(new.conversation_id, new.sender_id)
        and s.expires_at > now() and owner.allow_story_replies
    ) then
      raise sqlstate 'PT403' using message = 'This story takes no replies.';
    end if;
    new.answers_story := true;
  end if;
  return new;
end
$$;

create or replace function private.guard_message_edit() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  recipient uuid;
begin
  if not pg_catalog.row_security_active('public.messages') then
    return new;
  end if;
  if (select auth.uid()) <> old.sender_id then
    raise sqlstate 'PT403' using message = 'Only its sender can edit a message.';
  end if;
  if old.deleted_at is not null then
    raise sqlstate 'PT409' using message = 'This message was unsent.';
  end if;
  if old.content = '' then
    raise sqlstate 'PT403' using message = 'This message has no text.';
  end if;
  if not private.is_visible(new.content) then
    raise sqlstate 'PT422' using message = 'A message cannot be empty.';
  end if;
  if old.created_at < now() - interval '15 minutes' then
    raise sqlstate 'PT403' using message = 'Messages can be edited for 15 minutes.';
  end if;
  -- An edit reaches the others like a message.
  recipient := private.other_participant(old.conversation_id, old.sender_id);
  if recipient is not null and not exists (select 1 from public.profiles where id = recipient)
    or not exists (
      select from public.conversation_views v
      where v.member_id = old.sender_id and v.conversation_id = old.conversation_id and v.writes
    )
  then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  end if;
  new.edited_at := now();
  return new;
end
$$;
comment on function private.guard_message_edit() is
  'Its sender edits the text of a message within fifteen minutes, by the database''s clock, unless the conversation is closed or the sender has left it.';

create or replace function private.guard_message_read() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  is_client constant boolean := pg_catalog.row_security_active('public.messages');
  reader constant uuid := case when is_client then (select auth.uid()) else old.recipient_id end;
  mine public.conversation_views;
begin
  select * into mine from public.conversation_views v
    where v.member_id = reader and v.conversation_id = old.conversation_id;
  if is_client and reader = old.sender_id and not mine.is_group then
    raise sqlstate 'PT403' using message = 'Only its recipient can mark a message as read.';
  end if;
  if mine.is_group then
    -- Ignored, not refused: the specification's update names all messages of a conversation.
    new.read := old.read;
  elsif not mine.accepted then
    -- Reading a request does not tell its sender.
    new.read := false;
  end if;
  new.read_at := case when new.read then now() end;
  return new;
end
$$;
comment on function private.guard_message_read() is
  'The recipient marks a message as read, at the database''s time; messages of a request stay unread, and those of a group.';

create or replace function private.guard_message_update() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  is_client constant boolean := pg_catalog.row_security_active('public.messages');
  me constant uuid := (select auth.uid());
  sender_reacts constant boolean := new.sender_reaction is distinct from old.sender_reaction;
  recipient_reacts constant boolean := new.recipient_reaction is distinct from old.recipient_reaction;
begin
  -- In a group, which has no recipient, nobody reacts in these columns.
  if is_client and (
    (sender_reacts and me <> old.sender_id)
    or (recipient_reacts and me is distinct from old.recipient_id)
  ) then
    raise sqlstate 'PT403' using message = 'Members react for themselves.';
  end if;
  if (sender_reacts or recipient_reacts) and old.deleted_at is not null then
    raise sqlstate 'PT409' using message = 'This message was unsent.';
  end if;
  -- Setting a reaction reaches the other participant like a message; removing one does not.
  if is_client
    and ((sender_reacts and new.sender_reaction is not null)
      or (recipient_reacts and new.recipient_reaction is not null))
    and not exists (
      select 1 from public.profiles where id in (old.sender_id, old.recipient_id) and id <> me
    )
  then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  end if;
  if new.deleted_at is distinct from old.deleted_at then
    if is_client and me <> old.sender_id then
      raise sqlstate 'PT403' using message = 'Only its sender can unsend a message.';
    end if;
    if old.deleted_at is not null then
      raise sqlstate 'PT409' using message = 'This message was already unsent.';
    end if;
    new.deleted_at := now();
    new.content := '';
    new.edited_at := null;
    new.reply_to_id := null;
    new.media_id := null;
    new.thumbnail_url := null;
    new.thumbhash := null;
    new.image_width := null;
    new.image_height := null;
    new.story_id := null;
    new.answers_story := false;
    new.shared_kind := null;
    new.shared_post_id := null;
    new.shared_story_id := null;
    new.shared_profile_id := null;
    new.sender_reaction := null;
    new.recipient_reaction := null;
  end if;
  return new;
end
$$;

create or replace function private.guard_conversation_view() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if not pg_catalog.row_security_active('public.conversation_views') then
    return new;
  end if;
  if new.cleared_at is distinct from old.cleared_at then
    -- The latest message that exists, not the current time: a message that is being sent at this moment arrives.
    new.cleared_at := coalesce(
      (
        select m.created_at from public.messages m
        where m.conversation_id = old.conversation_id
        order by m.created_at desc, m.id desc limit 1
      ),
      now()
    );
    new.folder := 'none';
    new.pinned_at := null;
    new.unread := false;
    return new;
  end if;
  if not old.writes and (new.folder <> old.folder or new.pinned_at is not null) then
    raise sqlstate 'PT403' using message = 'You are not in this group.';
  end if;
  if new.folder is distinct from old.folder then
    if new.folder not in ('inbox', 'archived') then
      raise sqlstate 'PT422' using
        message = 'A conversation cannot be moved there.',
        hint = 'Set cleared_at to delete it.';
    end if;
    if new.folder = 'archived' and old.folder <> 'inbox' then
      raise sqlstate 'PT409' using message = 'Only a conversation of the list can be archived.';
    end if;
    new.accepted := true;
    if new.folder = 'archived' then
      new.pinned_at := null;
    end if;
  end if;
  if new.pinned_at is not null and new.pinned_at is distinct from old.pinned_at then
    if new.folder <> 'inbox' then
      raise sqlstate 'PT409' using message = 'Only a conversation of the list can be pinned.';
    end if;
    if old.pinned_at is null and (
      select count(*) from public.conversation_views m where m.member_id = old.member_id and m.pinned_at is not null
    ) >= 5 then
      raise sqlstate 'PT409' using message = 'You can pin up to five conversations.';
    end if;
    new.pinned_at := now();
  end if;
  return new;
end
$$;
comment on function private.guard_conversation_view() is
  'Moving a conversation to the inbox accepts it. Setting cleared_at deletes it for the member, at the database''s time. A group is listed where its state says, for those who are not in it.';

create or replace function private.set_views() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  conversation public.conversations;
  is_in boolean;
  is_invited boolean;
  readable_from timestamptz;
begin
  if tg_op = 'DELETE' then
    delete from public.conversation_views v
      where v.conversation_id = old.conversation_id and v.member_id = old.member_id and v.is_group;
    return null;
  end if;
  is_in := new.state = 'in';
  is_invited := new.state = 'invited';
  -- A message that is being sent is before this change, or sees it: both lock the group.
  update public.conversations c set version = c.version + 1
    where c.id = new.conversation_id and c.kind = 'group';
  select * into strict conversation from public.conversations where id = new.conversation_id;
  readable_from := case when not is_in then 'infinity' when conversation.kind = 'pair' or conversation.from_start then '-infinity' else new.joined_at end;
  -- Pairs are listed when they are made, and moved by what their members write.
  insert into public.conversation_views as v
    (member_id, conversation_id, is_group, reads_after, writes, sees_members, folder, accepted, last_message_at, listed_at)
    values (new.member_id, new.conversation_id, conversation.kind = 'group', readable_from, is_in, is_in or is_invited,
      case when is_in then 'inbox' when is_invited then 'requests' else 'none' end, not is_invited,
      conversation.last_message_at, conversation.last_message_at)
    on conflict (member_id, conversation_id) do update
      set reads_after = excluded.reads_after,
          writes = excluded.writes,
          sees_members = excluded.sees_members,
          folder = case when is_in and v.folder = 'archived' then 'archived' else excluded.folder end,
          accepted = excluded.accepted,
          pinned_at = case when is_in then v.pinned_at end,
          unread = is_in and v.unread
      where v.is_group;
  return null;
end
$$;
create trigger conversation_members_drop_views after delete on public.conversation_members
  for each row execute function private.set_views();

create or replace function private.touch_conversations() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  pairs uuid[];
begin
  select array_agg(locked.id) filter (where locked.kind = 'pair') into pairs
    from (
      select c.id, c.kind from public.conversations c
      where c.id in (select conversation_id from changed) order by c.id for no key update
    ) as locked;
  -- Not in the statement of the lock: who was removed meanwhile is seen by the next one.
  if exists (
    select from changed c where not exists (
      select from public.conversation_views v
      where v.member_id = c.sender_id and v.conversation_id = c.conversation_id and v.writes offset 0
    )
  ) then
    raise sqlstate 'PT403' using message = 'This is not one of your conversations.';
  end if;
  update public.conversations c
    set last_message_at = greatest(c.last_message_at, m.latest),
        participant_1_wrote = c.participant_1_wrote or coalesce(c.participant_1 = any (m.senders), false),
        participant_2_wrote = c.participant_2_wrote or coalesce(c.participant_2 = any (m.senders), false)
    from (
      select conversation_id, max(created_at) as latest, array_agg(distinct sender_id) as senders
      from changed group by conversation_id
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
        max(c.created_at) as latest,
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
  'Moves last_message_at to the latest message, never back, and records who has written. For the recipient, a message of a stranger waits as a request; writing, and following the sender, accepts. Every message brings a conversation back that was archived or deleted. Of a group it moves no view. PT403 if the sender was removed meanwhile.';

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
        case when tg_op = 'INSERT' and private.broadcasts_carry_rows() then jsonb_agg(changed) end as new_rows
      from changed
      cross join lateral (values (changed.sender_id), (changed.recipient_id)) as members (id)
      where changed.recipient_id is not null
      group by members.id
    ) as concerned;
  return null;
end
$$;
comment on function private.broadcast_messages() is
  'Broadcasts new and changed messages of pairs to their sender and recipient, at most the latest five hundred of a statement.';

create or replace function private.recount_unread() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  touched record;
begin
  -- Not a join: its plan, which is kept, may compare each message with all others.
  for touched in
    select distinct d.recipient_id, d.conversation_id
    from (
      select c.id, c.recipient_id, c.conversation_id, c.read, c.deleted_at is null from changed c
      except
      select b.id, b.recipient_id, b.conversation_id, b.read, b.deleted_at is null from before b
    ) as d
    where d.recipient_id is not null
    order by d.conversation_id, d.recipient_id
  loop
    -- A message that arrives meanwhile waits for this lock, or is seen by the next statement.
    perform 1 from public.conversation_views m
      where m.member_id = touched.recipient_id and m.conversation_id = touched.conversation_id for no key update;
    update public.conversation_views m
      set unread = n.unread, undelivered = m.undelivered and n.unread
      from (
        select exists (
          select 1 from public.messages x
          where x.recipient_id = mine.member_id and not x.read and x.conversation_id = mine.conversation_id
            and x.deleted_at is null and x.created_at > coalesce(mine.cleared_at, '-infinity')
        ) as unread
        from public.conversation_views mine
        where mine.member_id = touched.recipient_id and mine.conversation_id = touched.conversation_id
      ) as n
      where m.member_id = touched.recipient_id and m.conversation_id = touched.conversation_id and m.unread <> n.unread;
  end loop;
  return null;
end
$$;
