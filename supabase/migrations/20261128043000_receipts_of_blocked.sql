-- While one of a pair blocks the other, reading shows nothing: presence, typing, reactions and messages end with a block too.

create or replace function private.mark_read(conversation uuid, until_at timestamptz, until_id uuid)
 returns boolean
 language plpgsql
 security definer
 set search_path = ''
as $$
declare
  most constant integer := 500;
  me constant uuid := (select auth.uid());
  mine public.conversation_views;
  is_shown boolean;
  has_moved boolean;
  last_at timestamptz;
  last_id uuid;
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

  -- Messages, the row of the member, the view: the order of all writers.
  if is_shown and not mine.is_group then
    read_ids := array(
      select m.id from public.messages m
      where m.recipient_id = me and not m.read and m.conversation_id = conversation
        and (m.created_at, m.id) <= (last_at, last_id)
      order by m.created_at, m.id limit most for no key update
    );
  end if;
  if is_shown then
    update public.conversation_members m set read_at = last_at, read_id = last_id
      where m.conversation_id = conversation and m.member_id = me and m.state = 'in'
        and (m.read_at is null or (m.read_at, m.read_id) < (last_at, last_id));
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

create or replace function private.guard_message_read()
 returns trigger
 language plpgsql
 set search_path = ''
as $$
declare
  is_client constant boolean := pg_catalog.row_security_active('public.messages');
  reader constant uuid := case when is_client then (select auth.uid()) else old.recipient_id end;
  mine public.conversation_views;
begin
  select * into mine from public.conversation_views v
    where v.member_id = reader and v.conversation_id = old.conversation_id;
  -- Own messages of a group that the member is no part of any more: an update without a filter meets them.
  if not found then
    new.read := old.read;
    return new;
  end if;
  if is_client and reader = old.sender_id and not mine.is_group then
    raise sqlstate 'PT403' using message = 'Only its recipient can mark a message as read.';
  end if;
  if mine.is_group then
    -- Ignored, not refused: the specification's update names all messages of a conversation.
    new.read := old.read;
  elsif not mine.accepted
    or (new.read and exists (select from public.profiles p where p.id = reader and not p.read_receipts))
    or (is_client and new.read and not exists (select from public.profiles p where p.id = old.sender_id))
  then
    -- Reading a request, or while one blocks the other, does not tell its sender, and reading with receipts off nobody.
    new.read := false;
  end if;
  new.read_at := case when new.read then coalesce(old.read_at, now()) end;
  return new;
end
$$;
