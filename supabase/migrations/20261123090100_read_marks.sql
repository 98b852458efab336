-- One statement marks all messages of a conversation as read, which may be thousands: the work for each message is small.

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
    order by d.conversation_id, d.recipient_id
  loop
    -- A message that arrives meanwhile waits for this lock, or is seen by the next statement.
    perform 1 from public.conversation_members m
      where m.member_id = touched.recipient_id and m.conversation_id = touched.conversation_id for no key update;
    update public.conversation_members m
      set unread = n.unread, undelivered = m.undelivered and n.unread
      from (
        select exists (
          select 1 from public.messages x
          where x.recipient_id = mine.member_id and not x.read and x.conversation_id = mine.conversation_id
            and x.deleted_at is null and x.created_at > coalesce(mine.cleared_at, '-infinity')
        ) as unread
        from public.conversation_members mine
        where mine.member_id = touched.recipient_id and mine.conversation_id = touched.conversation_id
      ) as n
      where m.member_id = touched.recipient_id and m.conversation_id = touched.conversation_id and m.unread <> n.unread;
  end loop;
  return null;
end
$$;

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
      group by members.id
    ) as concerned;
  return null;
end
$$;
comment on function private.broadcast_messages() is
  'Broadcasts new and changed messages to their sender and recipient, at most the latest five hundred of a statement.';

create function private.guard_message_read() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if pg_catalog.row_security_active('public.messages') and (select auth.uid()) <> old.recipient_id then
    raise sqlstate 'PT403' using message = 'Only its recipient can mark a message as read.';
  end if;
  -- Reading a request does not tell its sender.
  if new.read and exists (
    select 1 from public.conversation_members m
    where m.member_id = old.recipient_id and m.conversation_id = old.conversation_id and not m.accepted
  ) then
    new.read := false;
  end if;
  new.read_at := case when new.read then now() end;
  return new;
end
$$;
comment on function private.guard_message_read() is
  'The recipient marks a message as read, at the database''s time; messages of a request stay unread.';
revoke execute on function private.guard_message_read() from public, anon, authenticated;

create or replace function private.guard_message_update() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  is_client constant boolean := pg_catalog.row_security_active('public.messages');
  me constant uuid := (select auth.uid());
  sender_reacts constant boolean := new.sender_reaction is distinct from old.sender_reaction;
  recipient_reacts constant boolean := new.recipient_reaction is distinct from old.recipient_reaction;
begin
  if is_client and ((sender_reacts and me <> old.sender_id) or (recipient_reacts and me <> old.recipient_id)) then
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
    new.photo_id := null;
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
comment on function private.guard_message_update() is
  'The sender unsends, and each member sets their own reaction. A message is unsent once, at the database''s time, and loses all its content.';

create or replace function private.guard_request() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if exists (
    select 1 from public.conversation_members m
    where m.member_id = old.recipient_id and m.conversation_id = old.conversation_id and not m.accepted
  ) then
    raise sqlstate 'PT403' using message = 'Accept this request first.';
  end if;
  return new;
end
$$;
comment on function private.guard_request() is 'Members react to messages of a request once they have accepted it.';

create trigger messages_guard_read
  before update of read on public.messages for each row
  when (new.read is distinct from old.read) execute function private.guard_message_read();
create or replace trigger messages_guard_request
  before update of recipient_reaction on public.messages for each row
  when (new.deleted_at is null and new.recipient_reaction is distinct from old.recipient_reaction)
  execute function private.guard_request();
create or replace trigger messages_guard_update
  before update of deleted_at, sender_reaction, recipient_reaction on public.messages for each row
  execute function private.guard_message_update();
