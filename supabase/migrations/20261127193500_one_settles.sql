-- One settle() at a time, a bounded fold, and turns without entries of the lock table: docs/decisions/0096-counters-and-events.md

-- As for waiting_items(): the plan must not read all of the queue, nor be compiled.
create function private.take_changes(items uuid[], counters text[]) returns setof private.count_change
  language plpgsql security definer set search_path = '' set enable_seqscan to off set jit to off
as $$
begin
  return query
    delete from private.count_changes w where w.ctid = any (array(
      select o.place from unnest(items) as i (item) cross join lateral (
        select c.ctid as place from private.count_changes c
        where c.item = i.item and c.counter = any (counters) order by c.counter, c.id limit 10000
      ) as o limit 10000
    ))
    returning w.item, w.counter, w.change;
end
$$;
comment on function private.take_changes(uuid[], text[]) is
  'Removes up to 10,000 of the changes that wait for these counters, the oldest of each, and returns them. Only for who has locked the rows.';
revoke execute on function private.take_changes(uuid[], text[]) from public, anon, authenticated;

create or replace function private.count_on_posts(changes private.count_change[]) returns void
  language plpgsql security definer set search_path = '' set enable_seqscan to off set jit to off
as $$
declare
  free uuid[];
begin
  free := array(
    select p.id from public.posts p where p.id = any (array(select c.item from unnest(changes) as c))
    for no key update skip locked
  );
  insert into private.count_changes (item, counter, change)
    select c.item, c.counter, c.change from unnest(changes) as c
    where c.change <> 0 and c.item <> all (free)
      -- Not for a post that is deleted with its likes.
      and exists (select from public.posts p where p.id = c.item);
  if cardinality(free) = 0 then
    return;
  end if;
  -- A statement of its own: it sees all that was written down before the row was locked.
  with added as (
    select a.item,
      coalesce(sum(a.change) filter (where a.counter = 'likes'), 0)::integer as likes,
      coalesce(sum(a.change) filter (where a.counter = 'comments'), 0)::integer as comments
    from (
      select w.item, w.counter, w.change from private.take_changes(free, array['likes', 'comments']) as w
      union all
      select c.item, c.counter, c.change from unnest(changes) as c where c.item = any (free)
    ) as a
    group by a.item
  )
  update public.posts p
    set like_count = greatest(0, p.like_count + a.likes), comment_count = greatest(0, p.comment_count + a.comments)
    from added a where p.id = a.item;
end
$$;

create or replace function private.count_on_comments(changes private.count_change[]) returns void
  language plpgsql security definer set search_path = '' set enable_seqscan to off set jit to off
as $$
declare
  free uuid[];
begin
  free := array(
    select o.id from public.comments o where o.id = any (array(select c.item from unnest(changes) as c))
    for no key update skip locked
  );
  insert into private.count_changes (item, counter, change)
    select c.item, c.counter, c.change from unnest(changes) as c
    where c.change <> 0 and c.item <> all (free)
      and exists (select from public.comments o where o.id = c.item);
  if cardinality(free) = 0 then
    return;
  end if;
  with added as (
    select a.item,
      coalesce(sum(a.change) filter (where a.counter = 'comment_likes'), 0)::integer as likes,
      coalesce(sum(a.change) filter (where a.counter = 'replies'), 0)::integer as replies
    from (
      select w.item, w.counter, w.change from private.take_changes(free, array['comment_likes', 'replies']) as w
      union all
      select c.item, c.counter, c.change from unnest(changes) as c where c.item = any (free)
    ) as a
    group by a.item
  )
  update public.comments o
    set like_count = greatest(0, o.like_count + a.likes), reply_count = greatest(0, o.reply_count + a.replies)
    from added a where o.id = a.item;
end
$$;

create or replace function private.count_on_profiles(changes private.count_change[]) returns void
  language plpgsql security definer set search_path = '' set enable_seqscan to off set jit to off
as $$
declare
  free uuid[];
begin
  free := array(
    select p.id from public.profiles p where p.id = any (array(select c.item from unnest(changes) as c))
    for no key update skip locked
  );
  insert into private.count_changes (item, counter, change)
    select c.item, c.counter, c.change from unnest(changes) as c
    where c.change <> 0 and c.item <> all (free)
      and exists (select from public.profiles p where p.id = c.item);
  if cardinality(free) = 0 then
    return;
  end if;
  with added as (
    select a.item,
      coalesce(sum(a.change) filter (where a.counter = 'posts'), 0)::integer as posts,
      coalesce(sum(a.change) filter (where a.counter = 'followers'), 0)::integer as followers,
      coalesce(sum(a.change) filter (where a.counter = 'following'), 0)::integer as following
    from (
      select w.item, w.counter, w.change
        from private.take_changes(free, array['posts', 'followers', 'following']) as w
      union all
      select c.item, c.counter, c.change from unnest(changes) as c where c.item = any (free)
    ) as a
    group by a.item
  )
  update public.profiles p
    set post_count = greatest(0, p.post_count + a.posts),
        follower_count = greatest(0, p.follower_count + a.followers),
        following_count = greatest(0, p.following_count + a.following)
    from added a where p.id = a.item;
end
$$;

-- Turns are rows that exist from the beginning: a lock of a row takes no entry of the lock table, which all sessions share.

insert into private.announcements (member_id, sent_at) select p.id, '-infinity' from public.profiles p
  on conflict do nothing;

create function private.add_announcements() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.announcements (member_id, sent_at) select c.id, '-infinity' from changed c
    on conflict do nothing;
  return null;
end
$$;
comment on function private.add_announcements() is 'Gives new members the row whose lock is the turn to broadcast to them.';
revoke execute on function private.add_announcements() from public, anon, authenticated;
create trigger profiles_announcements after insert on public.profiles
  referencing new table as changed for each statement execute function private.add_announcements();

create or replace function private.may_announce(member uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  perform from private.announcements a
    where a.member_id = member and a.sent_at <= clock_timestamp() - interval '2 seconds'
    for no key update skip locked;
  if not found then
    return false;
  end if;
  update private.announcements set sent_at = clock_timestamp() where member_id = member;
  return true;
end
$$;

-- INSERT of notifications first: apps of before know only the first notice, and notifications are what their member waits for.
create or replace function private.send_announcement(member uuid, changed_table text, operation text, ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set enable_seqscan to off set jit to off
as $$
declare
  notices jsonb;
begin
  with waiting as (
    delete from private.waiting_broadcasts w where w.member_id = member returning w.*
  ), changes as (
    select w.id as number, w.changed_table, w.operation, w.ids from waiting w
    union all
    select null, send_announcement.changed_table, send_announcement.operation, send_announcement.ids
      where send_announcement.ids is not null
  ), latest as (
    -- Of what was done and undone, only the last.
    select distinct on (c.changed_table, row_id) c.changed_table, c.operation, row_id, c.number
    from changes c cross join unnest(c.ids) as row_id
    order by c.changed_table, row_id, c.number desc nulls first
  )
  select jsonb_agg(told.notice order by told.changed_table desc, told.operation desc) into notices from (
    select l.changed_table, l.operation, jsonb_build_object(
      'table', l.changed_table,
      'type', l.operation,
      'ids', to_jsonb((array_agg(l.row_id order by l.number desc nulls first))[1:100]),
      'own', l.changed_table = 'likes'
    ) as notice
    from latest l group by l.changed_table, l.operation
  ) as told;
  if notices is null then
    return;
  end if;
  begin
    perform realtime.send(
      (notices -> 0) || case when jsonb_array_length(notices) > 1 then jsonb_build_object('also', notices - 0) else '{}' end,
      'change', 'member:' || member, true
    );
  exception when others then
    -- The client sees the changes when it refetches.
    raise warning 'A change of % was not broadcast: %', changed_table, sqlerrm;
  end;
end
$$;

create or replace function private.settle_announcements() returns integer
  language plpgsql security definer set search_path = '' set enable_seqscan to off set jit to off
as $$
declare
  members uuid[] := private.waiting_members(gen_random_uuid());
  member uuid;
begin
  if cardinality(members) < 100 then
    members := members || private.waiting_members('00000000-0000-0000-0000-000000000000');
  end if;
  -- Of members who were added without triggers, as some copies of a database are. `on conflict` alone waits for who has the turn.
  insert into private.announcements (member_id, sent_at) select w.id, '-infinity' from unnest(members) as w (id)
    where not exists (select from private.announcements a where a.member_id = w.id)
    on conflict do nothing;
  foreach member in array members loop
    if private.may_announce(member) then
      perform private.send_announcement(member, null, null, null);
    end if;
  end loop;
  -- The next turn of those that are left; soon for those that somebody else sends now, whose last turn may be long ago.
  return (
    select ceil(1000 * extract(epoch from greatest(
      min(a.sent_at) + interval '2 seconds', clock_timestamp() + interval '0.2 seconds'
    ) - clock_timestamp()))::integer
    from private.announcements a
    where a.member_id = any (members)
      and exists (select from private.waiting_broadcasts b where b.member_id = a.member_id)
    having count(*) > 0
  );
end
$$;

create or replace function private.settle_waiting() returns integer
  language plpgsql security definer set search_path = ''
as $$
begin
  -- One at a time: a second one would find held what the first adds up, and hold the rest from their writers.
  if not pg_catalog.pg_try_advisory_xact_lock(7246005) then
    return 1000 + (1000 * random())::integer;
  end if;
  -- Least ignores what is null.
  return least(case when private.settle_counts() then 200 end, private.settle_announcements());
end
$$;
comment on function private.settle_waiting() is
  'Does what writers have written down instead of waiting for each other, unless another call does. Never waits. Returns after how many milliseconds to call it again; null if nothing is left.';

create or replace function private.accept_waiting(target uuid) returns boolean
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  free uuid[];
begin
  free := array(
    select r.requester_id from public.follow_requests r join public.profiles p on p.id = r.requester_id
    where r.target_id = target order by r.requester_id
    -- As the follow itself does: not for a member who is being deleted, but beside those who count.
    for update of r skip locked for key share of p skip locked
  );
  delete from public.follow_requests where target_id = target and requester_id = any (free);
  perform private.accept_requests(free, target);
  return not exists (select from public.follow_requests where target_id = target);
exception when lock_not_available then
  return false;
end
$$;
