-- Up to where a member has read a conversation: docs/decisions/0106-members-of-conversations.md, step 4.

alter table public.profiles add column read_receipts boolean not null default true;
comment on column public.profiles.read_receipts is 'Whether others see what the member has read. There is no switch yet.';
alter table public.conversation_views
  add column mark_at timestamptz,
  add column mark_id uuid,
  add constraint conversation_views_mark check ((mark_at is null) = (mark_id is null));
comment on column public.conversation_views.mark_at is
  'With mark_id: up to which message the member has read, whether or not it still exists. Never goes back.';
alter table public.conversation_members
  add column read_at timestamptz,
  add column read_id uuid,
  add constraint conversation_members_read check ((read_at is null) = (read_id is null));
comment on column public.conversation_members.read_at is
  'With read_id: the mark that others see. It stays where it is while receipts are off, and for a request.';

create function private.mark_read(conversation uuid, until_at timestamptz, until_id uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  most constant integer := 500;
  me constant uuid := (select auth.uid());
  mine public.conversation_views;
  is_shown boolean;
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
  is_shown := mine.accepted and (select p.read_receipts from public.profiles p where p.id = me);

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
  if found and coalesce(cardinality(read_ids), 0) = 0 then
    -- Other devices of the member learn it from the messages, unless those do not change.
    perform private.broadcast_change('conversation_views', 'UPDATE', me, array[conversation]);
  end if;
  return coalesce(cardinality(read_ids), 0) = most;
end
$$;
comment on function private.mark_read(uuid, timestamptz, uuid) is
  'Raises the caller''s mark of a conversation, never beyond the newest message that they may read; others see it if receipts are on and the request is accepted. Then up to 500 messages of a pair get read, the oldest first; returns whether more may be left. PT401, PT403, PT429.';
revoke execute on function private.mark_read(uuid, timestamptz, uuid) from public, anon, authenticated;
grant execute on function private.mark_read(uuid, timestamptz, uuid) to authenticated;

create function public.mark_read(conversation uuid, until_at timestamptz, until_id uuid) returns boolean
  language sql set search_path = ''
as $$
  select private.mark_read(conversation, until_at, until_id)
$$;
comment on function public.mark_read(uuid, timestamptz, uuid) is
  'Raises the caller''s mark of a conversation, never beyond the newest message that they may read; others see it if receipts are on and the request is accepted. Then up to 500 messages of a pair get read, the oldest first; returns whether more may be left. PT401, PT403, PT429.';
revoke execute on function public.mark_read(uuid, timestamptz, uuid) from public, anon;
grant execute on function public.mark_read(uuid, timestamptz, uuid) to authenticated;

-- Of mark_read() only: marking messages is counted already.
create trigger conversation_views_allow_mark before update of mark_at, mark_id on public.conversation_views
  for each row when (new.member_id = auth.uid() and pg_trigger_depth() = 0) execute function private.count_quota('read_marks');

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
  elsif not mine.accepted or (new.read and exists (select from public.profiles p where p.id = reader and not p.read_receipts)) then
    -- Reading a request does not tell its sender, and reading with receipts off nobody.
    new.read := false;
  end if;
  new.read_at := case when new.read then now() end;
  return new;
end
$$;
comment on function private.guard_message_read() is
  'The recipient marks a message as read, at the database''s time; messages of a request stay unread, those of a group, and all while the recipient''s receipts are off.';

create or replace function private.recount_unread() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  touched record;
  newest record;
begin
  -- Not a join: its plan, which is kept, may compare each message with all others.
  for touched in
    select d.recipient_id, d.conversation_id, array_agg(d.id) filter (where d.read) as read_ids
    from (
      select c.id, c.recipient_id, c.conversation_id, c.read, c.deleted_at is null from changed c
      except
      select b.id, b.recipient_id, b.conversation_id, b.read, b.deleted_at is null from before b
    ) as d
    where d.recipient_id is not null
    group by d.recipient_id, d.conversation_id
    order by d.conversation_id, d.recipient_id
  loop
    perform 1 from public.conversation_members m
      where m.member_id = touched.recipient_id and m.conversation_id = touched.conversation_id for no key update;
    if touched.read_ids is not null then
      select m.created_at as at, m.id into newest from public.messages m
        where m.id = any (touched.read_ids) order by m.created_at desc, m.id desc limit 1;
      update public.conversation_members m set read_at = newest.at, read_id = newest.id
        where m.conversation_id = touched.conversation_id and m.member_id = touched.recipient_id
          and (m.read_at is null or (m.read_at, m.read_id) < (newest.at, newest.id));
      update public.conversation_views m set mark_at = newest.at, mark_id = newest.id
        where m.conversation_id = touched.conversation_id and m.member_id = touched.recipient_id
          and (m.mark_at is null or (m.mark_at, m.mark_id) < (newest.at, newest.id));
    end if;
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
            and (mine.mark_at is null or (x.created_at, x.id) > (mine.mark_at, mine.mark_id))
        ) as unread
        from public.conversation_views mine
        where mine.member_id = touched.recipient_id and mine.conversation_id = touched.conversation_id
      ) as n
      where m.member_id = touched.recipient_id and m.conversation_id = touched.conversation_id and m.unread <> n.unread;
  end loop;
  return null;
end
$$;
comment on function private.recount_unread() is
  'Raises the marks of those who marked messages as read, and updates whether a conversation has unread messages after some were read or unsent.';
