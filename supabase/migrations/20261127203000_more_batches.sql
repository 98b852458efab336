-- Blocks, acceptances and old stories with very many rows are cleaned up in batches too: docs/decisions/0097-deleting-large-things.md

-- Blocking

create function private.traces() returns table (place regclass, rule text)
  language sql stable set search_path = ''
as $$
  values
    -- An acceptance that is under way holds the request: its follow is there once the request is gone.
    ('public.follow_requests'::regclass, 't.requester_id = any ($1) and t.target_id = any ($1)'),
    ('public.follows', 't.follower_id = any ($1) and t.following_id = any ($1)'),
    ('public.comments', 't.user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.user_id)'),
    ('public.likes', 't.user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.user_id)'),
    ('public.comment_likes', 't.user_id = any ($1) and exists (
      select from public.comments c join public.posts p on p.id = c.post_id
      where c.id = t.comment_id and (
        (c.user_id = any ($1) and c.user_id <> t.user_id) or (p.user_id = any ($1) and p.user_id <> t.user_id)
      ))'),
    ('public.saved_posts', 't.user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.user_id)'),
    ('public.post_tags', 't.tagged_user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.tagged_user_id)'),
    ('public.story_views', 't.viewer_id = any ($1) and exists (
      select from public.stories s where s.id = t.story_id and s.user_id = any ($1))'),
    ('public.notifications', 't.user_id = any ($1) and t.actor_id = any ($1)')
$$;
comment on function private.traces() is
  'What two members leave with each other, and a block removes: the tables, and conditions of their rows t; $1 has the ids of the two. Their conversation stays.';
revoke execute on function private.traces() from public, anon, authenticated;

create function private.weigh_traces(pair uuid[], most integer) returns integer
  language plpgsql stable security definer set search_path = '' set enable_seqscan to off set jit to off
as $$
declare
  trace record;
  found uuid[];
  counted integer;
  weight integer := 0;
begin
  for trace in select * from private.traces() loop
    if trace.place = 'public.comments'::regclass then
      execute format('select array(select t.id from %s t where %s limit $2)', trace.place, trace.rule)
        into found using pair, most - weight;
      weight := weight + cardinality(found);
      if weight < most and cardinality(found) > 0 then
        weight := weight + private.weigh(trace.place, found, most - weight);
      end if;
    else
      execute format('select count(*) from (select from %s t where %s limit $2) as counted', trace.place, trace.rule)
        into counted using pair, most - weight;
      weight := weight + counted;
    end if;
    exit when weight >= most;
  end loop;
  return weight;
end
$$;
comment on function private.weigh_traces(uuid[], integer) is
  'How many rows would be removed if these two members were separated, with the replies to their comments; at most `most`.';
revoke execute on function private.weigh_traces(uuid[], integer) from public, anon, authenticated;

create or replace function private.part(one uuid, other uuid) returns boolean
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  trace record;
begin
  for trace in select * from private.traces() loop
    execute format('delete from %s t where %s', trace.place, trace.rule) using array[one, other];
  end loop;
  return true;
exception when lock_not_available then
  return false;
end
$$;
comment on function private.part(uuid, uuid) is
  'Removes all traces of two members. Waits at most 200 ms for a row; returns false, and has deleted nothing, if that was not enough.';

create function private.part_some(pair uuid[], most integer) returns integer
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms' set enable_seqscan to off set jit to off
as $$
declare
  trace record;
  found uuid[];
  step integer;
  removed integer := 0;
begin
  for trace in select * from private.traces() loop
    if trace.place = 'public.comments'::regclass then
      execute format(
        'select array(select t.id from %s t where %s limit $2 for no key update of t skip locked)', trace.place, trace.rule
      ) into found using pair, most - removed;
      perform private.hold_items(trace.place, found);
      step := cardinality(found);
    else
      execute format(
        'delete from %1$s where ctid = any (array(select t.ctid from %1$s t where %2$s limit $2 for update of t skip locked))',
        trace.place, trace.rule
      ) using pair, most - removed;
      get diagnostics step = row_count;
    end if;
    removed := removed + step;
    exit when removed >= most;
  end loop;
  return removed;
exception when lock_not_available then
  return 0;
end
$$;
comment on function private.part_some(uuid[], integer) is
  'Removes up to `most` traces of two members, without those that somebody holds; a holder takes their comments, which so disappear for everybody with all replies. Returns how many.';
revoke execute on function private.part_some(uuid[], integer) from public, anon, authenticated;

create or replace function private.on_block() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  pair constant uuid[] := array[new.blocker_id, new.blocked_id];
begin
  for attempt in 1..5 loop
    -- Of many blocks in one statement, which ends after three seconds.
    exit when clock_timestamp() > statement_timestamp() + interval '2 seconds';
    if private.weigh_traces(pair, 200) >= 200 then
      perform private.part_some(pair, 500);
      exit;
    elsif private.part(new.blocker_id, new.blocked_id) then
      return null;
    end if;
    perform pg_catalog.pg_sleep(0.02 + 0.08 * random());
  end loop;
  insert into private.unfinished_blocks (blocker_id, blocked_id) values (new.blocker_id, new.blocked_id) on conflict do nothing;
  return null;
end
$$;
comment on function private.on_block() is
  'Separates the two members of a new block. What is 200 rows or more, or what others hold, is left to batches: a block never fails because of it.';

create or replace function private.finish_blocks(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  unfinished private.unfinished_blocks;
  pair uuid[];
  step integer;
  removed integer := 0;
  went_on integer := 0;
begin
  -- In any order, so that one that is held does not keep the others waiting each time.
  for unfinished in select u.* from private.unfinished_blocks u order by random() limit max_rows for update skip locked loop
    pair := array[unfinished.blocker_id, unfinished.blocked_id];
    -- Whoever has unblocked the other meanwhile keeps what is left.
    if exists (
      select from public.blocks b where b.blocker_id = unfinished.blocker_id and b.blocked_id = unfinished.blocked_id
    ) then
      step := private.part_some(pair, max_rows - removed);
      removed := removed + step;
      if private.weigh_traces(pair, 1) > 0 then
        exit when step = 0;
        went_on := went_on + 1;
        exit when removed >= max_rows;
        continue;
      end if;
    end if;
    delete from private.unfinished_blocks u where u.blocker_id = unfinished.blocker_id and u.blocked_id = unfinished.blocked_id;
    went_on := went_on + 1;
    exit when removed >= max_rows;
  end loop;
  return went_on;
end
$$;
comment on function private.finish_blocks(integer) is
  'Removes up to max_rows of what is left of unfinished_blocks, until others hold something; returns for how many of them it went on.';

-- Going public

alter table private.jobs drop constraint jobs_kind_check;
alter table private.jobs add constraint jobs_kind_check check (kind in ('account', 'objects', 'requests'));
comment on table private.jobs is
  'What is removed and not cleaned up yet. kind account: a profile and all that refers to it, readable by nobody; items: the posts, comments or stories that a holder keeps. '
  'kind objects: the folder of a closed account in Storage. kind requests: a member who went public, with requests that are not accepted yet.';

drop function private.accept_waiting(uuid);
create function private.accept_waiting(target uuid, most integer) returns integer
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  free uuid[];
begin
  free := array(
    select r.requester_id from public.follow_requests r join public.profiles p on p.id = r.requester_id
    where r.target_id = target order by r.requester_id limit most
    -- As the follow itself does: not for a member who is being deleted, but beside those who count.
    for update of r skip locked for key share of p skip locked
  );
  delete from public.follow_requests where target_id = target and requester_id = any (free);
  perform private.accept_requests(free, target);
  return cardinality(free);
exception when lock_not_available then
  return 0;
end
$$;
comment on function private.accept_waiting(uuid, integer) is
  'Accepts up to `most` requests to a member who is now public, whose row the caller has locked. Waits for no other member''s row, who may wait for this one. Returns how many.';
revoke execute on function private.accept_waiting(uuid, integer) from public, anon, authenticated;

create or replace function private.apply_privacy() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  max_cost constant integer := 10000;
  most constant integer := 200;
  new_audience constant text := case when new.is_private then 'followers' else 'public' end;
begin
  -- In the order in which likes and comments lock posts.
  perform 1 from public.posts where user_id = new.id and audience <> new_audience order by id for no key update;
  update public.posts set audience = new_audience where user_id = new.id and audience <> new_audience;
  update public.stories set audience = new_audience where user_id = new.id and audience <> new_audience;
  insert into private.post_moves (member_id) values (new.id)
    on conflict (member_id) do update set before_at = default, before_id = default;
  perform private.move_posts_of(new.id, max_cost);
  if not new.is_private then
    for attempt in 1..5 loop
      exit when private.accept_waiting(new.id, most) = most;
      if not exists (select from public.follow_requests where target_id = new.id) then
        return null;
      end if;
      perform pg_catalog.pg_sleep(0.02 + 0.08 * random());
    end loop;
    insert into private.jobs (kind, subject_id) values ('requests', new.id) on conflict do nothing;
  end if;
  return null;
end
$$;
comment on function private.apply_privacy() is
  'Updates the audience of an account''s posts and stories to its privacy; going public accepts the first 200 requests and notifies the requesters. Further ones, and those that others hold for half a second, are a job.';

create or replace function private.accept_left_requests(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  job private.jobs;
  step integer;
  accepted integer := 0;
  went_on integer := 0;
begin
  for job in
    select j.* from private.jobs j where j.kind = 'requests' order by random() limit max_rows for update skip locked
  loop
    -- A member who is private again answers what is left.
    perform from public.profiles p where p.id = job.subject_id and not p.is_private for no key update skip locked;
    if found then
      step := private.accept_waiting(job.subject_id, max_rows - accepted);
      accepted := accepted + step;
    else
      step := 0;
    end if;
    if exists (
      select from public.profiles p join public.follow_requests r on r.target_id = p.id
      where p.id = job.subject_id and not p.is_private
    ) then
      exit when step = 0;
    else
      delete from private.jobs j where j.kind = job.kind and j.subject_id = job.subject_id;
    end if;
    went_on := went_on + 1;
    exit when accepted >= max_rows;
  end loop;
  return went_on;
end
$$;
comment on function private.accept_left_requests(integer) is
  'Accepts up to max_rows requests that a change to public left, until others hold one; returns for how many members it went on.';
insert into private.jobs (kind, subject_id)
  select distinct 'requests', r.target_id from public.follow_requests r
  join public.profiles p on p.id = r.target_id where not p.is_private;

create or replace function private.accept_followed() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.conversation_members m
    set accepted = true, folder = 'inbox'
    from changed f
    join public.conversations c
      on least(c.participant_1, c.participant_2) = least(f.follower_id, f.following_id)
      and greatest(c.participant_1, c.participant_2) = greatest(f.follower_id, f.following_id)
    where m.conversation_id = c.id and m.member_id = f.follower_id and m.folder = 'requests';
  -- Who follows a member whose requests are still being accepted, and unfollows them, is not made to follow again.
  delete from public.follow_requests where ctid = any (array(
    select r.ctid from changed f
    join public.follow_requests r on r.requester_id = f.follower_id and r.target_id = f.following_id
    for update of r skip locked
  ));
  return null;
end
$$;
comment on function private.accept_followed() is
  'Following a member accepts their conversation, and ends an own request to them that is still there.';

-- Stories

create or replace function private.delete_expired_stories(max_rows integer) returns integer
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  old uuid[] := array(
    select id from public.stories
    where expires_at <= now() - interval '7 days' and user_id not in (select private.removed_member_ids())
    order by expires_at limit max_rows for update skip locked
  );
  large uuid[] := array(select id from unnest(old) as id where private.weigh('public.stories', array[id], 200) >= 200);
begin
  perform private.hold_items('public.stories', large);
  begin
    delete from public.stories where id = any (old) and id <> all (large);
  exception when lock_not_available then
    -- Somebody marks notifications of these stories as read, for as long as they like.
    return cardinality(large);
  end;
  return cardinality(old);
end
$$;
comment on function private.delete_expired_stories(integer) is
  'Deletes up to max_rows stories that expired a week ago, those with very many viewers by a job, and returns how many. Waits at most 200 ms for a row.';

create or replace function private.cleanup_stories() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.delete_expired_stories(20);
  return null;
end
$$;
