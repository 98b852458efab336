-- Follows and follow requests. Members follow a private account only through a request that it accepts.

create table public.follows (
  follower_id uuid not null references public.profiles (id) on delete cascade,
  following_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (follower_id, following_id),
  constraint follows_not_oneself check (follower_id <> following_id)
);
comment on table public.follows is 'Accepted follows. Lists of followers and following page by (created_at, id).';
create index follows_follower_idx on public.follows (follower_id, created_at desc, following_id desc);
create index follows_following_idx on public.follows (following_id, created_at desc, follower_id desc);
alter table public.follows enable row level security;
revoke all on table public.follows from public, anon, authenticated;
grant all on table public.follows to service_role;
grant select, delete on table public.follows to authenticated;
grant insert (follower_id, following_id) on table public.follows to authenticated;

create table public.follow_requests (
  requester_id uuid not null references public.profiles (id) on delete cascade,
  target_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (requester_id, target_id),
  constraint follow_requests_not_oneself check (requester_id <> target_id)
);
comment on table public.follow_requests is
  'Requests without an answer. The requester deletes a row to withdraw it, the target to decline it.';
create index follow_requests_target_idx on public.follow_requests (target_id, created_at desc, requester_id desc);
alter table public.follow_requests enable row level security;
revoke all on table public.follow_requests from public, anon, authenticated;
grant all on table public.follow_requests to service_role;
grant select, delete on table public.follow_requests to authenticated;
grant insert (requester_id, target_id) on table public.follow_requests to authenticated;

create function private.my_following_ids() returns setof uuid
  language sql stable security definer set search_path = ''
as $$
  select following_id from public.follows where follower_id = (select auth.uid())
$$;
comment on function private.my_following_ids() is
  'Members that the caller follows. A set, so that policies hash it once per statement instead of querying it per '
  'row.';
revoke execute on function private.my_following_ids() from public, anon, authenticated;
grant execute on function private.my_following_ids() to authenticated, service_role;

-- Quotas and locks. Triggers fire in the order of their names: the locks come before the guards.

create trigger follows_allow before insert on public.follows
  for each row when (pg_catalog.row_security_active('public.follows')) execute function private.count_quota('follows');
create trigger follow_requests_allow before insert on public.follow_requests
  for each row when (pg_catalog.row_security_active('public.follow_requests')) execute function private.count_quota('follows');
create trigger follows_serialize before insert or delete on public.follows
  for each statement execute function private.serialize_writes('shared');
create trigger follow_requests_serialize before insert or delete on public.follow_requests
  for each statement execute function private.serialize_writes('shared');

create function private.lock_followed_member() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_member((to_jsonb(new) ->> tg_argv[0])::uuid, false);
  return new;
end
$$;
comment on function private.lock_followed_member() is
  'Takes the lock of the member in the given column of a new row, before the guards check whether they are private.';
revoke execute on function private.lock_followed_member() from public, anon, authenticated;
create trigger follows_await_lock before insert on public.follows
  for each row execute function private.lock_followed_member('following_id');
create trigger follow_requests_await_lock before insert on public.follow_requests
  for each row execute function private.lock_followed_member('target_id');

create function private.lock_caller() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_member((select auth.uid()), false);
  return null;
end
$$;
comment on function private.lock_caller() is
  'Takes the caller''s lock: requests to them are answered before or after they change their privacy, not '
  'meanwhile.';
revoke execute on function private.lock_caller() from public, anon, authenticated;
create trigger follow_requests_serialize_caller before delete on public.follow_requests
  for each statement execute function private.lock_caller();

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
comment on function private.guard_follow() is
  'Refuses to follow a private account without its consent, or an account that the caller does not see.';
revoke execute on function private.guard_follow() from public, anon, authenticated;
create trigger follows_guard before insert on public.follows
  for each row execute function private.guard_follow();

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
comment on function private.guard_follow_request() is
  'Refuses requests that nobody could answer, and requests to an account that the caller does not see.';
revoke execute on function private.guard_follow_request() from public, anon, authenticated;
create trigger follow_requests_guard before insert on public.follow_requests
  for each row execute function private.guard_follow_request();

create function private.count_follows() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.profiles p
    where p.id in (select follower_id from changed union all select following_id from changed)
    order by p.id for no key update;
  update public.profiles p
    set follower_count = p.follower_count + step * c.followers,
        following_count = p.following_count + step * c.following
    from (
      select id, sum(followers)::integer as followers, sum(following)::integer as following
      from (
        select following_id as id, 1 as followers, 0 as following from changed
        union all
        select follower_id, 0, 1 from changed
      ) as sides
      group by id
    ) as c
    where p.id = c.id;
  return null;
end
$$;
comment on function private.count_follows() is
  'Updates follower_count and following_count. Locks the members in the order of their ids, so that two members who '
  'follow each other at once do not deadlock.';
revoke execute on function private.count_follows() from public, anon, authenticated;
create trigger follows_count_insert after insert on public.follows
  referencing new table as changed for each statement execute function private.count_follows();
create trigger follows_count_delete after delete on public.follows
  referencing old table as changed for each statement execute function private.count_follows();

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
  'Notifies a member of a new follower, at most once a day for the same follower. Deleting a follow also withdraws '
  'the notification that its request was accepted.';
revoke execute on function private.notify_follow() from public, anon, authenticated;
create trigger follows_notify after insert on public.follows
  referencing new table as changed for each statement execute function private.notify_follow();
create trigger follows_notify_delete after delete on public.follows
  referencing old table as changed for each statement execute function private.notify_follow();

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
  'Notifies a private account of a request, at most once a day for the same requester. Withdrawn when the request '
  'is withdrawn or answered.';
revoke execute on function private.notify_follow_request() from public, anon, authenticated;
create trigger follow_requests_notify after insert on public.follow_requests
  referencing new table as changed for each statement execute function private.notify_follow_request();
create trigger follow_requests_notify_delete after delete on public.follow_requests
  referencing old table as changed for each statement execute function private.notify_follow_request();

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
comment on function private.accept_requests(uuid[], uuid) is
  'Turns requests that were just deleted into follows, and notifies the requesters.';
revoke execute on function private.accept_requests(uuid[], uuid) from public, anon, authenticated;

create function private.accept_follow_request(requester uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
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
  'Turns a request to the caller into a follow and notifies the requester. PT404 if it was withdrawn or answered '
  'meanwhile.';
revoke execute on function private.accept_follow_request(uuid) from public, anon, authenticated;
grant execute on function private.accept_follow_request(uuid) to authenticated, service_role;

create function public.accept_follow_request(requester uuid) returns void
  language sql security invoker set search_path = ''
as $$
  select private.accept_follow_request(requester)
$$;
comment on function public.accept_follow_request(uuid) is
  'Accepts a member''s request to follow the caller. PT404 if there is none.';
revoke execute on function public.accept_follow_request(uuid) from public, anon, authenticated;
grant execute on function public.accept_follow_request(uuid) to authenticated, service_role;

create policy follows_session on public.follows as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
-- Here and in other policies, `offset 0` keeps the planner from answering EXISTS by hashing the whole inner table, which
-- it prefers when it expects many outer rows, although a page needs only a few.
create policy follows_select on public.follows for select to authenticated
  using (
    follower_id = (select auth.uid())
    or following_id = (select auth.uid())
    or (
      exists (
        select 1 from public.profiles p
        where p.id = follower_id and (not p.is_private or p.id in (select private.my_following_ids()))
        offset 0
      )
      and exists (
        select 1 from public.profiles p
        where p.id = following_id and (not p.is_private or p.id in (select private.my_following_ids()))
        offset 0
      )
    )
  );
create policy follows_insert on public.follows for insert to authenticated
  with check (follower_id = (select auth.uid()));
create policy follows_delete on public.follows for delete to authenticated
  using (follower_id = (select auth.uid()) or following_id = (select auth.uid()));

create policy follow_requests_session on public.follow_requests as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy follow_requests_select on public.follow_requests for select to authenticated
  using (requester_id = (select auth.uid()) or target_id = (select auth.uid()));
create policy follow_requests_insert on public.follow_requests for insert to authenticated
  with check (requester_id = (select auth.uid()));
create policy follow_requests_delete on public.follow_requests for delete to authenticated
  using (requester_id = (select auth.uid()) or target_id = (select auth.uid()));
