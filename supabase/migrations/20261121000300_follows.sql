-- Who follows whom, and who has asked to. A private account is followed only by way of a request that it accepts.

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

create table public.follow_requests (
  requester_id uuid not null references public.profiles (id) on delete cascade,
  target_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (requester_id, target_id),
  constraint follow_requests_not_oneself check (requester_id <> target_id)
);
comment on table public.follow_requests is
  'Asked and not yet answered. Deleting a row withdraws (requester) or declines (target) the request.';
create index follow_requests_target_idx on public.follow_requests (target_id, created_at desc, requester_id desc);

alter table public.follows enable row level security;
revoke all on table public.follows from public, anon, authenticated;
grant select, delete on table public.follows to authenticated;
grant insert (follower_id, following_id) on table public.follows to authenticated;
grant all on table public.follows to service_role;

alter table public.follow_requests enable row level security;
revoke all on table public.follow_requests from public, anon, authenticated;
grant select, delete on table public.follow_requests to authenticated;
grant insert (requester_id, target_id) on table public.follow_requests to authenticated;
grant all on table public.follow_requests to service_role;

create function private.my_following_ids() returns setof uuid
  language sql stable security definer set search_path = ''
as $$
  select following_id from public.follows where follower_id = (select auth.uid())
$$;
comment on function private.my_following_ids() is
  'Members the caller follows. A set, so that policies hash it once per statement instead of asking per row.';
revoke execute on function private.my_following_ids() from public, anon, authenticated;
grant execute on function private.my_following_ids() to authenticated, service_role;

-- Here and in later policies, `offset 0` keeps the planner from answering EXISTS by hashing the whole inner table,
-- which it otherwise prefers as soon as it expects many outer rows, though a page needs only a few.
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

create policy follow_requests_select on public.follow_requests for select to authenticated
  using (requester_id = (select auth.uid()) or target_id = (select auth.uid()));
create policy follow_requests_insert on public.follow_requests for insert to authenticated
  with check (requester_id = (select auth.uid()));
create policy follow_requests_delete on public.follow_requests for delete to authenticated
  using (requester_id = (select auth.uid()) or target_id = (select auth.uid()));

create trigger follows_take_turns before insert or delete on public.follows
  for each statement execute function private.take_turns('shared');
create trigger follow_requests_take_turns before insert or delete on public.follow_requests
  for each statement execute function private.take_turns('shared');

create function private.guard_follow() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  -- Whom row security binds is a client; accept_follow_request and going public come here as the tables' owner.
  if pg_catalog.row_security_active('public.follows')
    and exists (select 1 from public.profiles where id = new.following_id and is_private)
  then
    raise sqlstate 'PT403' using
      message = 'This account is private.',
      hint = 'Insert into follow_requests and wait until it is accepted.';
  end if;
  return new;
end
$$;
comment on function private.guard_follow() is 'Refuses to follow a private account without its consent.';
revoke execute on function private.guard_follow() from public, anon, authenticated;
create trigger follows_guard before insert on public.follows
  for each row execute function private.guard_follow();

create function private.guard_follow_request() returns trigger
  language plpgsql set search_path = ''
as $$
begin
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
comment on function private.guard_follow_request() is 'Refuses requests that nobody would ever answer.';
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
  'Keeps follower_count and following_count; locks the members in the order of their ids, so that two who follow each '
  'other at once wait for one another in turn.';
revoke execute on function private.count_follows() from public, anon, authenticated;
create trigger follows_count_insert after insert on public.follows
  referencing new table as changed for each statement execute function private.count_follows();
create trigger follows_count_delete after delete on public.follows
  referencing old table as changed for each statement execute function private.count_follows();

create function private.accept_follow_request(requester uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  if (select auth.uid()) is null then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  delete from public.follow_requests where requester_id = requester and target_id = (select auth.uid());
  if not found then
    raise sqlstate 'PT404' using message = 'There is no such request any more.';
  end if;
  insert into public.follows (follower_id, following_id)
    values (requester, (select auth.uid()))
    on conflict do nothing;
end
$$;
comment on function private.accept_follow_request(uuid) is
  'Turns a request to the caller into a follow. PT404 when it was withdrawn or answered meanwhile.';
revoke execute on function private.accept_follow_request(uuid) from public, anon, authenticated;
grant execute on function private.accept_follow_request(uuid) to authenticated, service_role;

create function public.accept_follow_request(requester uuid) returns void
  language sql security invoker set search_path = ''
as $$
  select private.accept_follow_request(requester)
$$;
comment on function public.accept_follow_request(uuid) is
  'Accepts the request of a member to follow the caller. PT404 when there is none.';
revoke execute on function public.accept_follow_request(uuid) from public, anon, authenticated;
grant execute on function public.accept_follow_request(uuid) to authenticated, service_role;
