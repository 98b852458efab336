-- Counters, whose changes wait until they are added up: docs/decisions/0096-counters-and-events.md.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create type private.count_change as (item uuid, counter text, change integer);

create table private.count_changes (
  item uuid not null,
  counter text not null,
  id bigint generated always as identity,
  change integer not null,
  constraint count_changes_counter_check check (counter in ('likes', 'comments', 'comment_likes', 'replies', 'posts', 'followers', 'following')),
  constraint count_changes_pkey primary key (item, counter, id)
);
comment on table private.count_changes is
  'What is still to be added to the counters of posts, comments and profiles, because somebody held the row. '
  'The next writer of the row adds it up, or settle().';
alter table private.count_changes enable row level security;
revoke all on table private.count_changes from public, anon, authenticated;
grant all on table private.count_changes to service_role;

create function private.count_on_posts(changes private.count_change[]) returns void
  language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
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
comment on function private.count_on_posts(private.count_change[]) is
  'Adds changes, and those that wait, to the likes and comments of posts whose row is free; writes them down '
  'for the others. Never waits.';
revoke execute on function private.count_on_posts(private.count_change[]) from public, anon, authenticated;

create function private.count_on_comments(changes private.count_change[]) returns void
  language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
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
comment on function private.count_on_comments(private.count_change[]) is 'As count_on_posts(), for the likes and replies of comments.';
revoke execute on function private.count_on_comments(private.count_change[]) from public, anon, authenticated;

create function private.count_on_profiles(changes private.count_change[]) returns void
  language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
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
comment on function private.count_on_profiles(private.count_change[]) is 'As count_on_posts(), for the posts, followers and followed members of profiles.';
revoke execute on function private.count_on_profiles(private.count_change[]) from public, anon, authenticated;

-- What is read: the column and what waits. PostgREST offers functions of a row as columns of its table, and not as calls, because their argument has no name.
create function private.waiting_count(item uuid, counter text) returns integer
  language sql stable security definer set search_path = ''
as $$
  select coalesce(sum(w.change), 0)::integer from private.count_changes w
  where w.item = waiting_count.item and w.counter = waiting_count.counter
$$;
comment on function private.waiting_count(uuid, text) is 'The sum of the changes that still have to be added to a counter.';
revoke execute on function private.waiting_count(uuid, text) from public, anon, authenticated;
grant execute on function private.waiting_count(uuid, text) to authenticated, service_role;

create function public.shown_like_count(posts) returns integer
  language sql stable set search_path = ''
as $$ select greatest(0, $1.like_count + private.waiting_count($1.id, 'likes')) $$;
comment on function public.shown_like_count(posts) is 'A column of posts for reads: like_count and the changes that wait.';
revoke execute on function public.shown_like_count(posts) from public, anon, authenticated;
grant execute on function public.shown_like_count(posts) to authenticated, service_role;

create function public.shown_comment_count(posts) returns integer
  language sql stable set search_path = ''
as $$ select greatest(0, $1.comment_count + private.waiting_count($1.id, 'comments')) $$;
comment on function public.shown_comment_count(posts) is 'A column of posts for reads: comment_count and the changes that wait.';
revoke execute on function public.shown_comment_count(posts) from public, anon, authenticated;
grant execute on function public.shown_comment_count(posts) to authenticated, service_role;

create function public.shown_post_count(profiles) returns integer
  language sql stable set search_path = ''
as $$ select greatest(0, $1.post_count + private.waiting_count($1.id, 'posts')) $$;
comment on function public.shown_post_count(profiles) is 'A column of profiles for reads: post_count and the changes that wait.';
revoke execute on function public.shown_post_count(profiles) from public, anon, authenticated;
grant execute on function public.shown_post_count(profiles) to authenticated, service_role;

create function public.shown_follower_count(profiles) returns integer
  language sql stable set search_path = ''
as $$ select greatest(0, $1.follower_count + private.waiting_count($1.id, 'followers')) $$;
comment on function public.shown_follower_count(profiles) is 'A column of profiles for reads: follower_count and the changes that wait.';
revoke execute on function public.shown_follower_count(profiles) from public, anon, authenticated;
grant execute on function public.shown_follower_count(profiles) to authenticated, service_role;

create function public.shown_following_count(profiles) returns integer
  language sql stable set search_path = ''
as $$ select greatest(0, $1.following_count + private.waiting_count($1.id, 'following')) $$;
comment on function public.shown_following_count(profiles) is 'A column of profiles for reads: following_count and the changes that wait.';
revoke execute on function public.shown_following_count(profiles) from public, anon, authenticated;
grant execute on function public.shown_following_count(profiles) to authenticated, service_role;

create function private.waiting_items(after uuid) returns uuid[]
  language sql stable security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
  with recursive found (item, number) as (
    (select w.item, 1 from private.count_changes w where w.item >= after order by w.item limit 1)
    union all
    (
      select next.item, f.number + 1 from found f
      cross join lateral (
        select w.item from private.count_changes w where w.item > f.item order by w.item limit 1
      ) as next
      where f.number < 100
    )
  )
  select array(select f.item from found f)
$$;
comment on function private.waiting_items(uuid) is
  'Up to 100 posts, comments and members with waiting counts, from the given id on. Reads one entry of the '
  'index for each.';
revoke execute on function private.waiting_items(uuid) from public, anon, authenticated;

create function private.settle_counts() returns boolean
  language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  -- From a random one on, so that rows that somebody holds do not keep the others waiting.
  items uuid[] := private.waiting_items(gen_random_uuid());
begin
  if cardinality(items) < 100 then
    items := items || private.waiting_items('00000000-0000-0000-0000-000000000000');
  end if;
  if cardinality(items) = 0 then
    return false;
  end if;
  perform private.count_on_posts(array(select (i, 'likes', 0)::private.count_change from unnest(items) as i));
  perform private.count_on_comments(array(select (i, 'replies', 0)::private.count_change from unnest(items) as i));
  perform private.count_on_profiles(array(select (i, 'posts', 0)::private.count_change from unnest(items) as i));
  -- Of rows that were deleted meanwhile. A second caller leaves them to the first.
  delete from private.count_changes w where w.ctid = any (array(
    select o.ctid from private.count_changes o
    where o.item = any (items) and not case
      when o.counter in ('likes', 'comments') then exists (select from public.posts p where p.id = o.item)
      when o.counter in ('comment_likes', 'replies') then exists (select from public.comments c where c.id = o.item)
      else exists (select from public.profiles m where m.id = o.item)
    end
    for update skip locked
  ));
  return exists (select from private.count_changes);
end
$$;
comment on function private.settle_counts() is
  'Adds up what waits for up to 200 posts, comments and members whose row is free; returns whether something '
  'is left.';
revoke execute on function private.settle_counts() from public, anon, authenticated;

create function private.settle_waiting() returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  -- A member's request has 500 ms.
  last constant timestamptz := clock_timestamp() + interval '150 milliseconds';
  kind text;
  is_cleaning boolean := false;
  is_counting boolean;
begin
  -- One at a time: a second one would find held what the first adds up, and hold the rest from their writers.
  if not pg_catalog.pg_try_advisory_xact_lock(7246005) then
    return 1000 + (1000 * random())::integer;
  end if;
  -- First, because it takes longest: counters are held at the end only.
  for kind in select k from unnest(array['account', 'blocks', 'requests', 'receipts']) as k order by random() loop
    if clock_timestamp() > last then
      is_cleaning := true;
      exit;
    end if;
    is_cleaning := case kind
      when 'account' then private.work_job(50)
      when 'blocks' then private.finish_blocks(50)
      when 'requests' then private.accept_left_requests(50)
      else private.clear_left_marks(200)
    end > 0 or is_cleaning;
  end loop;
  is_counting := private.settle_counts();
  -- Least ignores what is null.
  return least(case when is_cleaning or is_counting then 200 end, private.settle_announcements());
end
$$;
comment on function private.settle_waiting() is
  'Does what writers have written down instead of waiting for each other, and for some 150 ms a batch of each '
  'kind of what is removed, unless another call does. Returns after how many milliseconds to call it again; null if nothing is '
  'left that is free.';
revoke execute on function private.settle_waiting() from public, anon, authenticated;
grant execute on function private.settle_waiting() to service_role;

create function private.settle() returns integer
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_active();
  return case when private.is_member() then private.settle_waiting() end;
end
$$;
comment on function private.settle() is 'settle_waiting() for members.';
revoke execute on function private.settle() from public, anon, authenticated;
grant execute on function private.settle() to authenticated;

create function public.settle() returns integer
  language sql set search_path = ''
as $$
  select private.settle()
$$;
comment on function public.settle() is
  'For the app after a like, follow or comment, a second later: adds up what had to wait, for everybody. '
  'Returns after how many milliseconds to call it again; null if nothing is left.';
revoke execute on function public.settle() from public, anon, authenticated;
grant execute on function public.settle() to authenticated;

create function private.recount(ids uuid[]) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  -- The lock first, then one statement: its snapshot has every change either in the rows that it counts or, uncommitted, not in the queue.
  perform 1 from public.posts p where p.id = any (ids) order by p.id for no key update;
  with waiting as (
    delete from private.count_changes w where w.item = any (ids) and w.counter in ('likes', 'comments')
  )
  update public.posts p set
    like_count = (select count(*) from public.likes l where l.post_id = p.id),
    comment_count = (select count(*) from public.comments c where c.post_id = p.id)
    where p.id = any (ids);
  perform 1 from public.comments o where o.id = any (ids) order by o.id for no key update;
  with waiting as (
    delete from private.count_changes w where w.item = any (ids) and w.counter in ('comment_likes', 'replies')
  )
  update public.comments o set
    like_count = (select count(*) from public.comment_likes l where l.comment_id = o.id),
    reply_count = (select count(*) from public.comments r where r.parent_id = o.id)
    where o.id = any (ids);
  perform 1 from public.profiles p where p.id = any (ids) order by p.id for no key update;
  with waiting as (
    delete from private.count_changes w where w.item = any (ids) and w.counter in ('posts', 'followers', 'following')
  )
  update public.profiles p set
    post_count = (select count(*) from public.posts o where o.user_id = p.id and o.audience <> 'nobody'),
    follower_count = (select count(*) from public.follows f where f.following_id = p.id),
    following_count = (select count(*) from public.follows f where f.follower_id = p.id)
    where p.id = any (ids);
end
$$;
comment on function private.recount(uuid[]) is
  'For the operator: sets the counters of these posts, comments and members to what their rows are. Nothing '
  'calls it.';
revoke execute on function private.recount(uuid[]) from public, anon, authenticated;
grant execute on function private.recount(uuid[]) to service_role;

create function private.schedule_settle() returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    return false;
  end if;
  -- Not needed: apps call settle(). It does what clients leave that know only the specification.
  perform cron.schedule('settle', '* * * * *', $job$do $turns$
declare
  last constant timestamptz := clock_timestamp() + interval '50 seconds';
  pause integer;
begin
  loop
    pause := private.settle_waiting();
    commit;
    exit when pause is null or clock_timestamp() > last;
    perform pg_catalog.pg_sleep(pause / 1000.0);
  end loop;
end
$turns$ $job$);
  return true;
end
$$;
comment on function private.schedule_settle() is
  'Lets pg_cron call settle_waiting() each minute until nothing is left. Returns whether there is a pg_cron.';
revoke execute on function private.schedule_settle() from public, anon, authenticated;

-- As for waiting_items(): the plan must not read all of the queue, nor be compiled.
create function private.take_changes(items uuid[], counters text[]) returns setof private.count_change
  language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off set enable_bitmapscan = off set enable_sort = off
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
  'Removes up to 10,000 of the changes that wait for these counters, the oldest of each, and returns them. '
  'Only for who has locked the rows.';
revoke execute on function private.take_changes(uuid[], text[]) from public, anon, authenticated;

set check_function_bodies = on;
