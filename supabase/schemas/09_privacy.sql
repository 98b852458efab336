-- What a change of privacy does to posts, stories and requests: docs/decisions/0083-privacy-in-time.md.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table private.post_moves (
  member_id uuid not null,
  before_at timestamptz not null default 'infinity',
  before_id uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  constraint post_moves_pkey primary key (member_id),
  constraint post_moves_member_id_fkey foreign key (member_id) references public.profiles (id) on delete cascade
);
comment on table private.post_moves is
  'Members whose privacy has changed and some of whose posts still have words and topics with the former '
  'audience: those older than the given post.';
alter table private.post_moves enable row level security;
revoke all on table private.post_moves from public, anon, authenticated;
grant all on table private.post_moves to service_role;

create function private.apply_privacy() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  max_cost constant integer := 10000;
  most constant integer := 200;
  -- What nobody but its author sees stays so.
  right_audiences constant text[] := array[private.audience_of(new.is_private, 'visible'), 'nobody'];
begin
  -- In the order in which likes and comments lock posts.
  perform 1 from public.posts where user_id = new.id and audience <> all (right_audiences) order by id for no key update;
  update public.posts set audience = private.audience_of(new.is_private, state)
    where user_id = new.id and audience <> all (right_audiences);
  update public.stories set audience = private.audience_of(new.is_private, state)
    where user_id = new.id and audience <> all (right_audiences);
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
  'Updates the audience of an account''s posts and stories to its privacy; going public accepts the first 200 '
  'requests and notifies the requesters. Further ones, and those that others hold for half a second, are a job.';
revoke execute on function private.apply_privacy() from public, anon, authenticated;

create function private.accept_requests(requesters uuid[], target uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.follows (follower_id, following_id)
    select requester, target from unnest(requesters) as requester
    on conflict do nothing;
  perform private.add_notifications(array(
    select (target, requester, 'follow_accepted', requester, now())::private.notification_event
    from unnest(requesters) as requester
  ));
end
$$;
comment on function private.accept_requests(uuid[], uuid) is 'Turns requests that were just deleted into follows, and notifies the requesters.';
revoke execute on function private.accept_requests(uuid[], uuid) from public, anon, authenticated;

create function private.accept_followed() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.conversation_views m
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
comment on function private.accept_followed() is 'Following a member accepts their conversation, and ends an own request to them that is still there.';
revoke execute on function private.accept_followed() from public, anon, authenticated;

create function private.move_posts_of(member uuid, max_cost integer) returns integer
  language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  -- Of one topic, with its indexes and the words of its name, in words of a text.
  topic_cost constant integer := 10;
  move private.post_moves;
  post record;
  changed integer;
  cost integer := 0;
begin
  select m.* into move from private.post_moves m where m.member_id = member for update;
  for post in
    select p.id, p.created_at, p.audience from public.posts p
    -- Those of `nobody` have no words and topics.
    where p.user_id = member and p.audience <> 'nobody' and (p.created_at, p.id) < (move.before_at, move.before_id)
    order by p.created_at desc, p.id desc
  loop
    update public.post_topics t set audience = post.audience
      where t.post_id = post.id and t.audience <> post.audience;
    get diagnostics changed = row_count;
    cost := cost + 1 + changed * topic_cost;
    update private.post_words w set audience = post.audience
      where w.post_id = post.id and w.audience <> post.audience;
    get diagnostics changed = row_count;
    cost := cost + changed;
    if cost >= max_cost then
      update private.post_moves m set before_at = post.created_at, before_id = post.id where m.member_id = member;
      return cost;
    end if;
  end loop;
  delete from private.post_moves m where m.member_id = member;
  return cost;
end
$$;
comment on function private.move_posts_of(uuid, integer) is
  'Gives the words and topics of a member''s posts, the newest first, the audience of their post, and ends '
  'after the post with which it has cost as much as changing the given number of words. Returns what it cost.';
revoke execute on function private.move_posts_of(uuid, integer) from public, anon, authenticated;

create function private.move_posts(max_cost integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  cost integer := 0;
  member uuid;
begin
  for member in select m.member_id from private.post_moves m for update skip locked loop
    cost := cost + private.move_posts_of(member, max_cost - cost);
    exit when cost >= max_cost;
  end loop;
  return cost;
end
$$;
comment on function private.move_posts(integer) is
  'Continues what changes of privacy have left to the cleanup, for about as long as it takes to change the '
  'given number of words. Returns what it cost.';
revoke execute on function private.move_posts(integer) from public, anon, authenticated;

create function private.recheck_privacy() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  is_changing boolean;
begin
  if tg_table_name = 'follows' then
    select bool_or(private.is_changing_privacy(c.following_id)) into is_changing from changed c;
    -- A statement of its own: it sees a change whose lock was just released.
    if is_changing or exists (
      select from changed c join public.profiles p on p.id = c.following_id where p.is_private
    ) then
      raise sqlstate 'PT403' using
        message = 'This account is private.',
        hint = 'Insert into follow_requests and wait until it is accepted.';
    end if;
    return null;
  end if;
  select bool_or(private.is_changing_privacy(c.target_id)) into is_changing from changed c;
  if is_changing or exists (
    select from changed c join public.profiles p on p.id = c.target_id where not p.is_private
  ) then
    raise sqlstate 'PT409' using
      message = 'This account is public.',
      hint = 'Insert into follows; nobody would answer the request.';
  end if;
  return null;
end
$$;
comment on function private.recheck_privacy() is
  'Checks again what the guards of follows and requests have checked, while no change of privacy can end: an '
  'account that is private, or about to be, gets no follow, and one that is public no request.';
revoke execute on function private.recheck_privacy() from public, anon, authenticated;

create function private.accept_left_requests(max_rows integer) returns integer
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
  'Accepts up to max_rows requests that a change to public left, until others hold one; returns for how many '
  'members it went on.';
revoke execute on function private.accept_left_requests(integer) from public, anon, authenticated;

create function private.privacy_key(member uuid) returns bigint
  language sql immutable strict set search_path = ''
as $$
  select private.pair_key(member, member)
$$;
comment on function private.privacy_key(uuid) is
  'The advisory lock of a member''s privacy. A change holds it exclusively, and follows and requests shared, so '
  'that they see each other.';
revoke execute on function private.privacy_key(uuid) from public, anon, authenticated;

create function private.await_follows() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(private.privacy_key(new.id));
  return new;
end
$$;
comment on function private.await_follows() is
  'A change of privacy waits for follows and requests that have checked it, and refuses those that start '
  'meanwhile.';
revoke execute on function private.await_follows() from public, anon, authenticated;

create function private.is_changing_privacy(member uuid) returns boolean
  language sql strict set search_path = ''
as $$
  select not pg_catalog.pg_try_advisory_xact_lock_shared(private.privacy_key(member))
$$;
comment on function private.is_changing_privacy(uuid) is
  'Whether a member''s privacy is about to change. If not, a change waits for the end of this transaction. '
  'Never waits.';
revoke execute on function private.is_changing_privacy(uuid) from public, anon, authenticated;

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
  'Accepts up to `most` requests to a member who is now public, whose row the caller has locked. Waits for no '
  'other member''s row, who may wait for this one. Returns how many.';
revoke execute on function private.accept_waiting(uuid, integer) from public, anon, authenticated;

create trigger follow_requests_check_again after insert on public.follow_requests
  referencing new table as changed for each statement execute function private.recheck_privacy();

create trigger follows_accept_request after insert on public.follows
  referencing new table as changed for each statement execute function private.accept_followed();
create trigger follows_recheck after insert on public.follows
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.follows')) execute function private.recheck_privacy();

create trigger profiles_apply_privacy after update of is_private on public.profiles
  for each row when (old.is_private is distinct from new.is_private)
  execute function private.apply_privacy();
create trigger profiles_await_follows before update of is_private on public.profiles
  for each row when (old.is_private <> new.is_private) execute function private.await_follows();

set check_function_bodies = on;
