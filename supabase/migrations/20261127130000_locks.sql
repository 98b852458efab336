-- No lock for all writers: rows are locked after they were found, in one order, and what removes much gives way: docs/decisions/0095-locks.md

drop trigger blocks_serialize on public.blocks;
drop trigger comment_likes_serialize on public.comment_likes;
drop trigger comments_serialize on public.comments;
drop trigger follow_requests_await_lock on public.follow_requests;
drop trigger follow_requests_serialize on public.follow_requests;
drop trigger follow_requests_serialize_caller on public.follow_requests;
drop trigger follows_await_lock on public.follows;
drop trigger follows_serialize on public.follows;
drop trigger likes_serialize on public.likes;
drop trigger post_photos_serialize on public.post_photos;
drop trigger posts_serialize on public.posts;
drop trigger posts_serialize_deletes on public.posts;
drop trigger posts_serialize_own_deletes on public.posts;
drop trigger profiles_serialize_deletes on public.profiles;
drop trigger profiles_serialize_own_privacy on public.profiles;
drop trigger profiles_serialize_privacy on public.profiles;
drop trigger stories_serialize on public.stories;
drop trigger story_views_serialize on public.story_views;
drop function private.lock_caller();
drop function private.lock_followed_member();
drop function private.lock_for_privacy_change();
drop function private.lock_member(uuid, boolean);
drop function private.serialize_post_deletes();
drop function private.serialize_writes();

-- Blocking

create function private.pair_key(one uuid, other uuid) returns bigint
  language sql immutable strict set search_path = ''
as $$
  select pg_catalog.hashtextextended(least(one, other)::text || greatest(one, other)::text, 7246003)
$$;
comment on function private.pair_key(uuid, uuid) is
  'The advisory lock of two members. A block holds it exclusively, and what one of them does to the other shared, so that they see each other.';
revoke execute on function private.pair_key(uuid, uuid) from public, anon, authenticated;

create function private.is_apart(one uuid, other uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  if one = other then
    return false;
  end if;
  if not pg_catalog.pg_try_advisory_xact_lock_shared(private.pair_key(one, other)) then
    return true;
  end if;
  -- A statement of its own: it sees the block whose lock was just released.
  return exists (
    select from public.blocks b
    where (b.blocker_id = one and b.blocked_id = other) or (b.blocker_id = other and b.blocked_id = one)
  );
end
$$;
comment on function private.is_apart(uuid, uuid) is
  'Whether one of two members has blocked the other or is about to. If not, a block of the two waits for the end of this transaction. Never waits.';
revoke execute on function private.is_apart(uuid, uuid) from public, anon, authenticated;

create function private.await_pair() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(private.pair_key(new.blocker_id, new.blocked_id));
  return new;
end
$$;
comment on function private.await_pair() is 'A block waits for what the two members are doing to each other, and refuses what they start meanwhile.';
revoke execute on function private.await_pair() from public, anon, authenticated;
create trigger blocks_await_pair before insert on public.blocks
  for each row execute function private.await_pair();

create table private.unfinished_blocks (
  blocker_id uuid not null references public.profiles on delete cascade,
  blocked_id uuid not null references public.profiles on delete cascade,
  primary key (blocker_id, blocked_id)
);
comment on table private.unfinished_blocks is
  'Blocks that hide the two members from each other, while what they left with each other is still there, because others held it. The cleanup removes it.';
create index unfinished_blocks_blocked_idx on private.unfinished_blocks (blocked_id);
alter table private.unfinished_blocks enable row level security;
revoke all on table private.unfinished_blocks from public, anon, authenticated;
grant all on table private.unfinished_blocks to service_role;

create function private.part(one uuid, other uuid) returns boolean
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  pair constant uuid[] := array[one, other];
begin
  -- An acceptance that is under way holds the request: its follow is there once the request is gone.
  delete from public.follow_requests where requester_id = any (pair) and target_id = any (pair);
  delete from public.follows where follower_id = any (pair) and following_id = any (pair);
  delete from public.likes l using public.posts p
    where p.id = l.post_id and l.user_id = any (pair) and p.user_id = any (pair) and p.user_id <> l.user_id;
  delete from public.comment_likes l using public.comments c, public.posts p
    where c.id = l.comment_id and p.id = c.post_id and l.user_id = any (pair)
      and (
        (c.user_id = any (pair) and c.user_id <> l.user_id) or (p.user_id = any (pair) and p.user_id <> l.user_id)
      );
  delete from public.comments c using public.posts p
    where p.id = c.post_id and c.user_id = any (pair) and p.user_id = any (pair) and p.user_id <> c.user_id;
  delete from public.saved_posts s using public.posts p
    where p.id = s.post_id and s.user_id = any (pair) and p.user_id = any (pair) and p.user_id <> s.user_id;
  delete from public.post_tags t using public.posts p
    where p.id = t.post_id and t.tagged_user_id = any (pair) and p.user_id = any (pair)
      and p.user_id <> t.tagged_user_id;
  delete from public.story_views v using public.stories s
    where s.id = v.story_id and v.viewer_id = any (pair) and s.user_id = any (pair);
  delete from public.notifications where user_id = any (pair) and actor_id = any (pair);
  return true;
exception when lock_not_available then
  return false;
end
$$;
comment on function private.part(uuid, uuid) is
  'Ends follows and requests between two members and deletes what each left on the other''s posts, comments and stories. Their conversation stays. Waits at most 200 ms for a row; returns false, and has deleted nothing, if that was not enough.';
revoke execute on function private.part(uuid, uuid) from public, anon, authenticated;

create or replace function private.on_block() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  for attempt in 1..5 loop
    if private.part(new.blocker_id, new.blocked_id) then
      return null;
    end if;
    perform pg_catalog.pg_sleep(0.02 + 0.08 * random());
  end loop;
  insert into private.unfinished_blocks (blocker_id, blocked_id) values (new.blocker_id, new.blocked_id) on conflict do nothing;
  return null;
end
$$;
comment on function private.on_block() is
  'Separates the two members of a new block, or leaves it to the cleanup if others hold their rows: a block never fails because of them.';

create function private.finish_blocks(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  unfinished private.unfinished_blocks;
  finished integer := 0;
begin
  for unfinished in select u.* from private.unfinished_blocks u limit max_rows for update skip locked loop
    -- Whoever has unblocked the other meanwhile keeps what is left.
    if not exists (
      select from public.blocks b where b.blocker_id = unfinished.blocker_id and b.blocked_id = unfinished.blocked_id
    ) or private.part(unfinished.blocker_id, unfinished.blocked_id) then
      delete from private.unfinished_blocks u where u.blocker_id = unfinished.blocker_id and u.blocked_id = unfinished.blocked_id;
      finished := finished + 1;
    end if;
  end loop;
  return finished;
end
$$;
comment on function private.finish_blocks(integer) is 'Removes what is left of unfinished_blocks; returns how many are finished.';
revoke execute on function private.finish_blocks(integer) from public, anon, authenticated;

create function private.refuse_apart() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  apart boolean;
begin
  case tg_table_name
    when 'likes', 'comments', 'saved_posts' then
      select bool_or(private.is_apart(c.user_id, p.user_id)) into apart
        from changed c join public.posts p on p.id = c.post_id;
    when 'comment_likes' then
      select bool_or(private.is_apart(c.user_id, o.user_id) or private.is_apart(c.user_id, p.user_id)) into apart
        from changed c join public.comments o on o.id = c.comment_id join public.posts p on p.id = o.post_id;
    when 'story_views' then
      select bool_or(private.is_apart(c.viewer_id, s.user_id)) into apart
        from changed c join public.stories s on s.id = c.story_id;
    when 'follows' then
      select bool_or(private.is_apart(c.follower_id, c.following_id)) into apart from changed c;
    when 'follow_requests' then
      select bool_or(private.is_apart(c.requester_id, c.target_id)) into apart from changed c;
  end case;
  if apart and tg_table_name in ('follows', 'follow_requests') then
    raise sqlstate 'PT404' using message = 'There is no such account.';
  elsif apart then
    -- As the policy does that did not see the block yet.
    raise insufficient_privilege using
      message = format('new row violates row-level security policy for table "%s"', tg_table_name);
  end if;
  return null;
end
$$;
comment on function private.refuse_apart() is
  'Refuses what a member does to another while one blocks the other, which the policy of the table could not see yet. '
  'At the end of the statement: its answer may be slow.';
revoke execute on function private.refuse_apart() from public, anon, authenticated;

create trigger comment_likes_apart after insert on public.comment_likes
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.comment_likes')) execute function private.refuse_apart();
create trigger comments_apart after insert on public.comments
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.comments')) execute function private.refuse_apart();
create trigger follow_requests_apart after insert on public.follow_requests
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.follow_requests')) execute function private.refuse_apart();
create trigger follows_apart after insert on public.follows
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.follows')) execute function private.refuse_apart();
create trigger likes_apart after insert on public.likes
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.likes')) execute function private.refuse_apart();
create trigger saved_posts_apart after insert on public.saved_posts
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.saved_posts')) execute function private.refuse_apart();
create trigger story_views_apart after insert on public.story_views
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.story_views')) execute function private.refuse_apart();

create function private.skip_apart() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'notifications' then
    return case when private.is_apart(new.actor_id, new.user_id) then null else new end;
  end if;
  if private.is_apart(new.tagged_user_id, (select p.user_id from public.posts p where p.id = new.post_id)) then
    return null;
  end if;
  return new;
end
$$;
comment on function private.skip_apart() is
  'Leaves out a notification or tag between two members of whom one blocks the other, although what causes it is allowed, as a comment on the post of a third member.';
revoke execute on function private.skip_apart() from public, anon, authenticated;
-- Accepting a request locks the request, and may notify thousands at once.
create trigger notifications_apart before insert on public.notifications
  for each row when (new.actor_id = auth.uid() and new.about is distinct from 'follow_accepted')
  execute function private.skip_apart();
create trigger post_tags_apart before insert on public.post_tags
  for each row when (auth.uid() is not null) execute function private.skip_apart();

-- Privacy

create function private.recheck_privacy() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'follows' then
    -- count_follows() has locked the rows of both members.
    if exists (select from changed c join public.profiles p on p.id = c.following_id where p.is_private) then
      raise sqlstate 'PT403' using
        message = 'This account is private.',
        hint = 'Insert into follow_requests and wait until it is accepted.';
    end if;
    return null;
  end if;
  perform 1 from public.profiles p where p.id in (select target_id from changed) order by p.id for share;
  if exists (select from changed c join public.profiles p on p.id = c.target_id where not p.is_private) then
    raise sqlstate 'PT409' using
      message = 'This account is public.',
      hint = 'Insert into follows; nobody would answer the request.';
  end if;
  return null;
end
$$;
comment on function private.recheck_privacy() is
  'Checks again what the guards of follows and requests have checked, with the row of the member locked: an account that is private gets no follow, and one that is public no request.';
revoke execute on function private.recheck_privacy() from public, anon, authenticated;
create trigger follows_recheck after insert on public.follows
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.follows')) execute function private.recheck_privacy();
create trigger follow_requests_check_again after insert on public.follow_requests
  referencing new table as changed for each statement execute function private.recheck_privacy();

create function private.accept_waiting(target uuid) returns boolean
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  free uuid[];
begin
  free := array(
    select r.requester_id from public.follow_requests r join public.profiles p on p.id = r.requester_id
    where r.target_id = target order by r.requester_id
    for update of r skip locked for no key update of p skip locked
  );
  delete from public.follow_requests where target_id = target and requester_id = any (free);
  perform private.accept_requests(free, target);
  return not exists (select from public.follow_requests where target_id = target);
exception when lock_not_available then
  return false;
end
$$;
comment on function private.accept_waiting(uuid) is
  'Accepts the requests to a member who is now public, whose row the caller has locked. Waits for no other member''s row, who may wait for this one. Returns whether none is left.';
revoke execute on function private.accept_waiting(uuid) from public, anon, authenticated;

create or replace function private.apply_privacy() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  max_cost constant integer := 10000;
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
      exit when private.accept_waiting(new.id);
      perform pg_catalog.pg_sleep(0.02 + 0.08 * random());
    end loop;
  end if;
  return null;
end
$$;
comment on function private.apply_privacy() is
  'Updates the audience of an account''s posts and stories to its privacy; going public accepts all requests and notifies the requesters. Requests that others hold for half a second are accepted by the cleanup.';

create function private.accept_left_requests(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  target uuid;
  accepted integer := 0;
begin
  for target in
    select p.id from public.profiles p
    where not p.is_private and p.id in (select r.target_id from public.follow_requests r)
    limit max_rows for no key update skip locked
  loop
    if private.accept_waiting(target) then
      accepted := accepted + 1;
    end if;
  end loop;
  return accepted;
end
$$;
comment on function private.accept_left_requests(integer) is
  'Accepts what a change to public left, for at most max_rows members; returns for how many nothing is left.';
revoke execute on function private.accept_left_requests(integer) from public, anon, authenticated;

-- Deletions

create or replace function private.delete_posts(ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.check_ids(ids);
  loop
    begin
      delete from public.posts where id = any (ids) and user_id = me;
      return;
    exception when lock_not_available then
      perform private.give_way();
    end;
  end loop;
end
$$;

create or replace function private.delete_account() returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  me constant uuid := private.require_recent_sign_in();
begin
  loop
    begin
      -- Removing videos takes time, so do it before others have to wait for this transaction. Unlike deleting the rows, this
      -- takes no lock that a new view of the story waits for.
      update public.stories
        set media_url = case media_type when 'image' then 'data:image/webp;base64,' else 'data:video/webm;base64,' end
        where user_id = me and media_url is not null;
      delete from auth.users where id = me;
      exit;
    exception when lock_not_available then
      perform private.give_way();
    end;
  end loop;
  -- Never waits: a transaction that holds one of these rows waits for the account and then fails.
  delete from private.quota_usage where ctid = any (array(
    select ctid from private.quota_usage where member_id = me for update skip locked
  ));
end
$$;
comment on function private.delete_account() is
  'Deletes the caller''s auth user; foreign keys delete profile, posts, likes, messages and all other data. Waits as delete_posts(). PT428 unless the caller signed in recently, PT503.';

create or replace function private.clear_account() returns boolean
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  me constant uuid := private.require_recent_sign_in();
  deadline constant timestamptz := clock_timestamp() + interval '1 second';
  removed bigint;
  step bigint;
begin
  loop
    begin
      -- All rows that refer to objects, so that the client may remove the objects.
      delete from public.posts where id in (select post_id from public.post_photos where user_id = me limit 20);
      get diagnostics removed = row_count;
      delete from public.stories where id in (
        select id from public.stories where user_id = me and media_path is not null limit 20
      );
      get diagnostics step = row_count;
      removed := removed + step;
      delete from public.message_photos where id in (
        select id from public.message_photos where sender_id = me and image_path is not null limit 20
      );
      get diagnostics step = row_count;
      removed := removed + step;
      update public.profiles set avatar_path = null where id = me and avatar_path is not null;
      -- delete_account() deletes the rest in one transaction with the account; a small account needs only that.
      delete from public.posts where id in (
        select id from public.posts where user_id = me order by created_at desc, id desc offset 300 limit 20
      );
      get diagnostics step = row_count;
      removed := removed + step;
      delete from public.stories where id in (
        select id from public.stories where user_id = me order by created_at desc, id desc offset 5 limit 2
      );
      get diagnostics step = row_count;
      removed := removed + step;
      delete from public.message_photos where id in (
        select id from public.message_photos where sender_id = me order by created_at desc, id desc offset 300 limit 20
      );
      get diagnostics step = row_count;
      removed := removed + step;
      if removed = 0 then
        return true;
      end if;
    exception when lock_not_available then
      -- What others hold is deleted by the next call.
      return false;
    end;
    if clock_timestamp() > deadline then
      return false;
    end if;
  end loop;
end
$$;

create or replace function private.cleanup_stories() returns trigger
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
begin
  perform private.delete_expired_stories(20);
  return null;
exception when lock_not_available then
  -- Somebody marks notifications of these stories as read, for as long as they like.
  return null;
end
$$;

create or replace function private.cleanup(max_rows integer) returns integer
  language sql security definer set search_path = ''
as $$
  select private.delete_expired_stories(max_rows)
    + private.delete_unsent_photos(max_rows)
    + private.delete_withdrawn_notifications(10 * max_rows)
    + private.delete_quota_usage(10 * max_rows)
    + private.delete_expired_usernames(10 * max_rows)
    + private.delete_unused_topics(10 * max_rows)
    + private.end_unused_sessions(10 * max_rows)
    + private.delete_old_sign_ins(10 * max_rows)
    + private.move_posts(100 * max_rows)
    + private.finish_blocks(max_rows)
    + private.accept_left_requests(max_rows)
$$;
