-- Follows and requests to follow.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table public.follows (
  follower_id uuid not null,
  following_id uuid not null,
  created_at timestamptz not null default now(),
  constraint follows_not_oneself check (follower_id <> following_id),
  constraint follows_pkey primary key (follower_id, following_id),
  constraint follows_follower_id_fkey foreign key (follower_id) references public.profiles (id) on delete cascade,
  constraint follows_following_id_fkey foreign key (following_id) references public.profiles (id) on delete cascade
);
comment on table public.follows is 'Accepted follows. Lists of followers and following page by (created_at, id).';
create index follows_follower_idx on public.follows (follower_id, created_at desc, following_id desc);
create index follows_following_idx on public.follows (following_id, created_at desc, follower_id desc);
alter table public.follows enable row level security;
revoke all on table public.follows from public, anon, authenticated;
grant select, delete, insert (follower_id, following_id) on table public.follows to authenticated;
grant all on table public.follows to service_role;

create table public.follow_requests (
  requester_id uuid not null,
  target_id uuid not null,
  created_at timestamptz not null default now(),
  constraint follow_requests_not_oneself check (requester_id <> target_id),
  constraint follow_requests_pkey primary key (requester_id, target_id),
  constraint follow_requests_requester_id_fkey foreign key (requester_id) references public.profiles (id) on delete cascade,
  constraint follow_requests_target_id_fkey foreign key (target_id) references public.profiles (id) on delete cascade
);
comment on table public.follow_requests is 'Requests without an answer. The requester deletes a row to withdraw it, the target to decline it.';
create index follow_requests_target_idx on public.follow_requests (target_id, created_at desc, requester_id desc);
alter table public.follow_requests enable row level security;
revoke all on table public.follow_requests from public, anon, authenticated;
grant select, delete, insert (requester_id, target_id) on table public.follow_requests to authenticated;
grant all on table public.follow_requests to service_role;

-- The guards ask for profiles as the caller sees them. Unlike a policy, they run after the statement has its locks, and so
-- see a block that was made while it waited.
create function private.guard_follow() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  -- Row security applies to clients only; accept_follow_request and going public run as the owner of the tables.
  if not pg_catalog.row_security_active('public.follows') then
    return new;
  end if;
  if not exists (select 1 from public.profiles where id = new.following_id) then
    raise sqlstate 'PT404' using message = 'There is no such account.';
  end if;
  if exists (select 1 from public.profiles where id = new.following_id and is_private) then
    raise sqlstate 'PT403' using
      message = 'This account is private.',
      hint = 'Insert into follow_requests and wait until it is accepted.';
  end if;
  return new;
end
$$;
comment on function private.guard_follow() is 'Refuses to follow a private account without its consent, or an account that the caller does not see.';
revoke execute on function private.guard_follow() from public, anon, authenticated;

create function private.guard_follow_request() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if pg_catalog.row_security_active('public.follow_requests')
    and not exists (select 1 from public.profiles where id = new.target_id)
  then
    raise sqlstate 'PT404' using message = 'There is no such account.';
  end if;
  if exists (select 1 from public.profiles where id = new.target_id and not is_private) then
    raise sqlstate 'PT409' using
      message = 'This account is public.',
      hint = 'Insert into follows; nobody would answer the request.';
  end if;
  if exists (
    select 1 from public.follows where follower_id = new.requester_id and following_id = new.target_id
  ) then
    raise sqlstate 'PT409' using message = 'You already follow this account.';
  end if;
  return new;
end
$$;
comment on function private.guard_follow_request() is 'Refuses requests that nobody could answer, and requests to an account that the caller does not see.';
revoke execute on function private.guard_follow_request() from public, anon, authenticated;

create function private.count_follows() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform private.count_on_profiles(array(
    select (c.following_id, 'followers', step * count(*))::private.count_change from changed c group by c.following_id
    union all
    select (c.follower_id, 'following', step * count(*))::private.count_change from changed c group by c.follower_id
  ));
  return null;
end
$$;
comment on function private.count_follows() is 'Updates follower_count and following_count.';
revoke execute on function private.count_follows() from public, anon, authenticated;

create function private.notify_follow() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(tg_op, array(
    select (c.follower_id, c.following_id, 'follow', c.following_id, c.created_at)::private.notification_event from changed c
    union all
    select (c.following_id, c.follower_id, 'follow_accepted', c.follower_id, c.created_at)::private.notification_event from changed c
    where tg_op = 'DELETE'
  ));
  return null;
end
$$;
comment on function private.notify_follow() is
  'Notifies a member of a new follower, at most once a day for the same follower. Deleting a follow also '
  'withdraws the notification that its request was accepted.';
revoke execute on function private.notify_follow() from public, anon, authenticated;

create function private.notify_follow_request() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(tg_op, array(
    select (c.requester_id, c.target_id, 'follow_request', c.target_id, c.created_at)::private.notification_event from changed c
  ));
  return null;
end
$$;
comment on function private.notify_follow_request() is
  'Notifies a private account of a request, at most once a day for the same requester. Withdrawn when the '
  'request is withdrawn or answered.';
revoke execute on function private.notify_follow_request() from public, anon, authenticated;

create function private.accept_follow_request(requester uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.require_active();
  if not private.is_member() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  delete from public.follow_requests where requester_id = requester and target_id = me;
  if not found then
    raise sqlstate 'PT404' using message = 'There is no such request any more.';
  end if;
  perform private.accept_requests(array[requester], me);
end
$$;
comment on function private.accept_follow_request(uuid) is
  'Turns a request to the caller into a follow and notifies the requester. PT404 if it was withdrawn or '
  'answered meanwhile.';
revoke execute on function private.accept_follow_request(uuid) from public, anon, authenticated;
grant execute on function private.accept_follow_request(uuid) to authenticated, service_role;

create function public.accept_follow_request(requester uuid) returns void
  language sql set search_path = ''
as $$
  select private.accept_follow_request(requester)
$$;
comment on function public.accept_follow_request(uuid) is 'Accepts a member''s request to follow the caller. PT404 if there is none.';
revoke execute on function public.accept_follow_request(uuid) from public, anon, authenticated;
grant execute on function public.accept_follow_request(uuid) to authenticated, service_role;

create function public.end_follow(follower uuid, following uuid) returns void
  language sql set search_path = ''
as $$
  -- Counts against the quota while nothing is held: it may wait longer than others for the counter too.
  delete from public.follow_requests where false;
  -- The request first: if it is accepted at the same moment, the second statement ends the follow.
  delete from public.follow_requests where requester_id = follower and target_id = following;
  delete from public.follows where follower_id = follower and following_id = following;
$$;
comment on function public.end_follow(uuid, uuid) is
  'Ends a follow, and withdraws or declines a request, of which the caller is one of the two. Nothing of it can '
  'be made slow, and it may wait longer than who holds the row: docs/decisions/0111-short-writes.md.';
revoke execute on function public.end_follow(uuid, uuid) from public, anon, authenticated;
grant execute on function public.end_follow(uuid, uuid) to authenticated, service_role;

create function private.people_to_follow(

) returns table (
  id uuid,
  username text,
  full_name text,
  avatar_url text,
  avatar_path text,
  followed_by text,
  followed_by_count integer
)
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan set jit = off
as $$
declare
  me constant uuid := (select auth.uid());
  most constant integer := 20;
  muted constant uuid[] := array(select m.muted_id from public.mutes m where m.muter_id = me);
  left_out constant uuid[] := array(select private.my_hidden_ids()) || muted || me;
begin
  if not private.is_member() then
    return;
  end if;
  return query
    -- Only the latest follows of each member, so that the number of rows read has a bound.
    with followed as (
      select f.following_id, f.created_at
      from public.follows f
      where f.follower_id = me and f.following_id <> all (muted)
      order by f.created_at desc, f.following_id desc limit 30
    ),
    known as (
      select theirs.following_id as member_id, (array_agg(f.following_id order by f.created_at desc))[1] as followed_by,
        count(*)::integer as followed_by_count
      from followed f
      cross join lateral (
        select t.following_id from public.follows t
        where t.follower_id = f.following_id
        order by t.created_at desc, t.following_id desc limit 30
      ) as theirs
      group by theirs.following_id
    ),
    others as (
      select recent.member_id, max(recent.posted_at) as posted_at, max(recent.joined_at) as joined_at
      from (
        (
          select p.user_id as member_id, p.created_at as posted_at, null as joined_at from public.posts p
          where p.audience = 'public'
          order by p.created_at desc, p.id desc limit 200
        )
        union all
        (
          select p.id, null, p.created_at from public.profiles p
          where not p.is_private
          order by p.created_at desc limit 60
        )
      ) as recent
      group by recent.member_id
    )
    select p.id, p.username, p.full_name, p.avatar_url, p.avatar_path, by_whom.username, coalesce(k.followed_by_count, 0)
    from known k
    full join others o using (member_id)
    -- Looks each candidate up instead of reading all profiles.
    cross join lateral (
      select c.id, c.username, c.full_name, c.avatar_url, c.avatar_path from public.profiles c
      where c.id = member_id and not c.is_private
      offset 0
    ) as p
    left join lateral (select f.username from public.profiles f where f.id = k.followed_by offset 0) as by_whom on true
    where member_id <> all (left_out)
      and not exists (
        select 1 from public.follows f where f.follower_id = me and f.following_id = member_id offset 0
      )
    order by k.followed_by_count desc nulls last, o.posted_at desc nulls last, o.joined_at desc nulls last, p.id
    limit most;
end
$$;
comment on function private.people_to_follow() is
  'At most twenty public accounts that the caller does not follow: first those followed by the latest thirty '
  'members that the caller follows, then authors of the latest public posts, then new accounts. Reads at most '
  '900 follows, 200 posts and 60 new accounts.';
revoke execute on function private.people_to_follow() from public, anon, authenticated;
grant execute on function private.people_to_follow() to authenticated, service_role;

create function public.people_to_follow(

) returns table (
  id uuid,
  username text,
  full_name text,
  avatar_url text,
  avatar_path text,
  followed_by text,
  followed_by_count integer
)
  language sql stable set search_path = ''
as $$
  select id, username, full_name, avatar_url, avatar_path, followed_by, followed_by_count from private.people_to_follow()
$$;
comment on function public.people_to_follow() is
  'At most twenty public accounts that the caller may want to follow, without hidden and muted members. '
  'followed_by_count members that the caller follows follow the account; followed_by is the latest of them.';
revoke execute on function public.people_to_follow() from public, anon, authenticated;
grant execute on function public.people_to_follow() to authenticated, service_role;

-- Quotas and locks. Triggers fire in the order of their names: the locks come before the guards.
create trigger follows_allow before insert on public.follows
  for each row when (pg_catalog.row_security_active('public.follows')) execute function private.count_quota('follows');
create trigger follows_guard before insert on public.follows
  for each row execute function private.guard_follow();
create trigger follows_count_insert after insert on public.follows
  referencing new table as changed for each statement execute function private.count_follows();
create trigger follows_count_delete after delete on public.follows
  referencing old table as changed for each statement execute function private.count_follows();
create trigger follows_notify after insert on public.follows
  referencing new table as changed for each statement execute function private.notify_follow();
create trigger follows_notify_delete after delete on public.follows
  referencing old table as changed for each statement execute function private.notify_follow();
create trigger follows_apart after insert on public.follows
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.follows')) execute function private.refuse_apart();
create trigger follows_allow_delete before delete on public.follows
  for each statement when (row_security_active('public.follows')) execute function private.refuse_spent('removals');
create trigger follows_tally_delete after delete on public.follows
  for each statement when (pg_catalog.row_security_active('public.follows')) execute function private.count_quota('removals');

create trigger follow_requests_allow before insert on public.follow_requests
  for each row when (pg_catalog.row_security_active('public.follow_requests')) execute function private.count_quota('follows');
create trigger follow_requests_guard before insert on public.follow_requests
  for each row execute function private.guard_follow_request();
create trigger follow_requests_notify after insert on public.follow_requests
  referencing new table as changed for each statement execute function private.notify_follow_request();
create trigger follow_requests_notify_delete after delete on public.follow_requests
  referencing old table as changed for each statement execute function private.notify_follow_request();
create trigger follow_requests_apart after insert on public.follow_requests
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.follow_requests')) execute function private.refuse_apart();
create trigger follow_requests_allow_delete before delete on public.follow_requests
  for each statement when (row_security_active('public.follow_requests')) execute function private.refuse_spent('removals');
create trigger follow_requests_tally_delete after delete on public.follow_requests
  for each statement when (pg_catalog.row_security_active('public.follow_requests')) execute function private.count_quota('removals');

create policy follows_session on public.follows as restrictive for all to authenticated
  using (
    nullif((select private.is_member()), false) is not null
    or (follower_id = (select auth.uid()) or following_id = (select auth.uid())) and nullif((select private.has_account()), false) is not null
  )
  with check (nullif((select private.is_member()), false) is not null);
create policy follows_insert on public.follows for insert to authenticated
  with check (follower_id = (select auth.uid()));
create policy follows_delete on public.follows for delete to authenticated
  using (follower_id = (select auth.uid()) or following_id = (select auth.uid()));

create policy follow_requests_session on public.follow_requests as restrictive for all to authenticated
  using (
    nullif((select private.is_member()), false) is not null
    or requester_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
  )
  with check (nullif((select private.is_member()), false) is not null);
create policy follow_requests_select on public.follow_requests for select to authenticated
  using (requester_id = (select auth.uid()) or target_id = (select auth.uid()));
create policy follow_requests_insert on public.follow_requests for insert to authenticated
  with check (requester_id = (select auth.uid()));
create policy follow_requests_delete on public.follow_requests for delete to authenticated
  using (requester_id = (select auth.uid()) or target_id = (select auth.uid()));

set check_function_bodies = on;
