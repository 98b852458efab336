-- Receipts can be turned off: docs/decisions/0106-members-of-conversations.md, step 4. The app asks marks, and no longer messages.read, for
-- what is unread, so a member whose messages stay unread for their senders has read them nevertheless.

grant update (read_receipts) on table public.profiles to authenticated;
create or replace trigger profiles_touch
  before update of username, full_name, bio, website, avatar_url, is_private, show_activity_status, allow_story_replies,
    new_messages_from, read_receipts, updated_at
  on public.profiles for each row execute function private.touch_profile();

create function private.receipts_key(member uuid) returns bigint
  language sql immutable strict set search_path = ''
as $$
  select pg_catalog.hashtextextended(member::text, 7246006)
$$;
comment on function private.receipts_key(uuid) is 'The advisory lock of a change of the member''s receipts.';
revoke execute on function private.receipts_key(uuid) from public, anon, authenticated;

create function private.shows_reading(member uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  -- It waits for nobody: a mark that comes while receipts are being turned off is not shown.
  if not pg_catalog.pg_try_advisory_xact_lock_shared(private.receipts_key(member)) then
    return false;
  end if;
  -- A statement of its own: it sees the change whose lock was just released.
  return exists (select from public.profiles p where p.id = member and p.read_receipts);
end
$$;
comment on function private.shows_reading(uuid) is
  'Whether others may see a mark that the caller sets for this member now. Until its transaction ends, receipts are not turned off.';
revoke execute on function private.shows_reading(uuid) from public, anon, authenticated;

alter table private.jobs drop constraint jobs_kind_check;
alter table private.jobs add constraint jobs_kind_check check (kind in ('account', 'objects', 'requests', 'receipts'));
comment on table private.jobs is
  'What is removed and not cleaned up yet. kind account: a profile and all that refers to it, readable by nobody; items: the posts, comments or stories that a holder keeps. '
  'kind objects: the folder of a closed account in Storage. kind requests: a member who went public, with requests that are not accepted yet. '
  'kind receipts: a member who turned receipts off, with marks that others still see.';

create function private.clear_shown_marks(member uuid, most integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  cleared integer;
begin
  update public.conversation_members set read_at = null, read_id = null
    where member_id = member and conversation_id = any (array(
      select m.conversation_id from public.conversation_members m
      where m.member_id = member and m.read_at is not null
      limit most for no key update skip locked
    ));
  get diagnostics cleared = row_count;
  return cleared;
end
$$;
comment on function private.clear_shown_marks(uuid, integer) is
  'Clears up to `most` marks of a member that others see, without those that somebody holds. Returns how many.';
revoke execute on function private.clear_shown_marks(uuid, integer) from public, anon, authenticated;

create function private.hide_marks() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- Marks that are being set are there before this, or are not shown.
  perform pg_catalog.pg_advisory_xact_lock(private.receipts_key(new.id));
  perform private.clear_shown_marks(new.id, 200);
  if exists (select from public.conversation_members m where m.member_id = new.id and m.read_at is not null) then
    insert into private.jobs (kind, subject_id) values ('receipts', new.id) on conflict do nothing;
  end if;
  return null;
end
$$;
comment on function private.hide_marks() is
  'From the statement on that turns receipts off, no mark of the member is shown. It clears 200 of the shown ones; further ones, and those that others hold, are a job.';
revoke execute on function private.hide_marks() from public, anon, authenticated;
create trigger profiles_hide_marks after update of read_receipts on public.profiles
  for each row when (old.read_receipts and not new.read_receipts) execute function private.hide_marks();

create function private.clear_left_marks(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  job private.jobs;
  step integer;
  cleared integer := 0;
  went_on integer := 0;
begin
  for job in
    select j.* from private.jobs j where j.kind = 'receipts' order by random() limit max_rows for update skip locked
  loop
    step := 0;
    -- Who shows marks again keeps what is left. Until then nobody turns receipts on.
    perform from public.profiles p where p.id = job.subject_id and not p.read_receipts for share skip locked;
    if found then
      step := private.clear_shown_marks(job.subject_id, max_rows - cleared);
      cleared := cleared + step;
    end if;
    if exists (
      select from public.profiles p join public.conversation_members m on m.member_id = p.id
      where p.id = job.subject_id and not p.read_receipts and m.read_at is not null
    ) then
      exit when step = 0;
    else
      delete from private.jobs j where j.kind = job.kind and j.subject_id = job.subject_id;
    end if;
    went_on := went_on + 1;
    exit when cleared >= max_rows;
  end loop;
  return went_on;
end
$$;
comment on function private.clear_left_marks(integer) is
  'Clears up to max_rows shown marks that turning receipts off left, until others hold one; returns for how many members it went on.';
revoke execute on function private.clear_left_marks(integer) from public, anon, authenticated;

create function private.newest_read(ids uuid[]) returns setof public.messages
  language sql stable security definer set search_path = ''
as $$
  select (n.message).* from (
    select m as message, row_number() over (partition by m.conversation_id, m.recipient_id order by m.created_at desc, m.id desc) as place
    from public.messages m where m.id = any (ids) and m.recipient_id is not null
  ) as n
  where n.place = 1
$$;
comment on function private.newest_read(uuid[]) is 'The newest of these messages for each of those who received them.';
revoke execute on function private.newest_read(uuid[]) from public, anon, authenticated;

create or replace function private.settle_waiting() returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  is_cleaning boolean;
  is_counting boolean;
begin
  -- One at a time: a second one would find held what the first adds up, and hold the rest from their writers.
  if not pg_catalog.pg_try_advisory_xact_lock(7246005) then
    return 1000 + (1000 * random())::integer;
  end if;
  -- First, because it takes longest: counters are held at the end only.
  is_cleaning := private.work_job(200) + private.finish_blocks(200) + private.accept_left_requests(200)
    + private.clear_left_marks(200) > 0;
  is_counting := private.settle_counts();
  -- Least ignores what is null.
  return least(case when is_cleaning or is_counting then 200 end, private.settle_announcements());
end
$$;

create or replace function private.cleanup(max_rows integer) returns integer
  language sql security definer set search_path = ''
as $$
  -- A second cleanup waits here for the first one's batch.
  insert into private.cleanups (called_at) values (now()) on conflict (is_only) do update set called_at = now();
  select private.delete_expired_stories(max_rows)
    + private.delete_unsent_media(max_rows)
    + private.delete_withdrawn_notifications(10 * max_rows)
    + private.delete_quota_usage(10 * max_rows)
    + private.delete_expired_usernames(10 * max_rows)
    + private.delete_unused_topics(10 * max_rows)
    + private.end_unused_sessions(10 * max_rows)
    + private.delete_old_sign_ins(10 * max_rows)
    + private.move_posts(100 * max_rows)
    + private.finish_blocks(10 * max_rows)
    + private.accept_left_requests(10 * max_rows)
    + private.clear_left_marks(10 * max_rows)
    + private.delete_read_notifications(10 * max_rows)
    + private.delete_cron_log(10 * max_rows)
    + private.work_job(10 * max_rows)
    + private.end_empty_folders(10 * max_rows)
$$;

create or replace function private.mark_read(conversation uuid, until_at timestamptz, until_id uuid) returns boolean
  language plpgsql security definer set search_path = ''
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
  is_shown := mine.accepted and private.shows_reading(me);

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
  elsif not mine.accepted or (new.read and exists (select from public.profiles p where p.id = reader and not p.read_receipts)) then
    -- Reading a request does not tell its sender, and reading with receipts off nobody.
    new.read := false;
  end if;
  new.read_at := case when new.read then coalesce(old.read_at, now()) end;
  return new;
end
$$;

create or replace function private.recount_unread() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  touched record;
  newest record;
  is_shown boolean;
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
      -- Receipts may have been turned off since the messages were marked.
      is_shown := private.shows_reading(touched.recipient_id);
      update public.conversation_members m set read_at = newest.at, read_id = newest.id
        where is_shown and m.conversation_id = touched.conversation_id and m.member_id = touched.recipient_id
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
  if exists (select from changed c where c.read) then
    -- Imported. Clients send no message as read.
    update public.conversation_members m set read_at = n.created_at, read_id = n.id
      from private.newest_read(array(select c.id from changed c where c.read)) as n
      where m.conversation_id = n.conversation_id and m.member_id = n.recipient_id and private.shows_reading(m.member_id)
        and (m.read_at is null or (m.read_at, m.read_id) < (n.created_at, n.id));
    update public.conversation_views m set mark_at = n.created_at, mark_id = n.id
      from private.newest_read(array(select c.id from changed c where c.read)) as n
      where m.conversation_id = n.conversation_id and m.member_id = n.recipient_id
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
      where c.recipient_id is not null
      group by mine.member_id, mine.conversation_id
    ) as n
    where m.member_id = n.member_id and m.conversation_id = n.conversation_id;
  return null;
end
$$;
