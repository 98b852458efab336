-- A batch of the cleanup waits for one row at most: what it has locked until then, others want: docs/decisions/0095-locks.md

create or replace function private.on_block() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  for attempt in 1..5 loop
    -- Of many blocks in one statement, which ends after three seconds.
    exit when clock_timestamp() > statement_timestamp() + interval '2 seconds';
    if private.part(new.blocker_id, new.blocked_id) then
      return null;
    end if;
    perform pg_catalog.pg_sleep(0.02 + 0.08 * random());
  end loop;
  insert into private.unfinished_blocks (blocker_id, blocked_id) values (new.blocker_id, new.blocked_id) on conflict do nothing;
  return null;
end
$$;

create or replace function private.finish_blocks(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  unfinished private.unfinished_blocks;
  finished integer := 0;
begin
  -- In any order, so that one that is held does not keep the others waiting each time.
  for unfinished in select u.* from private.unfinished_blocks u order by random() limit max_rows for update skip locked loop
    -- Whoever has unblocked the other meanwhile keeps what is left.
    if exists (
      select from public.blocks b where b.blocker_id = unfinished.blocker_id and b.blocked_id = unfinished.blocked_id
    ) then
      exit when not private.part(unfinished.blocker_id, unfinished.blocked_id);
    end if;
    delete from private.unfinished_blocks u where u.blocker_id = unfinished.blocker_id and u.blocked_id = unfinished.blocked_id;
    finished := finished + 1;
  end loop;
  return finished;
end
$$;
comment on function private.finish_blocks(integer) is
  'Removes what is left of unfinished_blocks, until others hold one of them; returns how many are finished.';

create or replace function private.accept_left_requests(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  target uuid;
  accepted integer := 0;
begin
  for target in
    select p.id from public.profiles p
    where not p.is_private and p.id in (select r.target_id from public.follow_requests r)
    order by random() limit max_rows for no key update skip locked
  loop
    exit when not private.accept_waiting(target);
    accepted := accepted + 1;
  end loop;
  return accepted;
end
$$;
comment on function private.accept_left_requests(integer) is
  'Accepts what a change to public left, for at most max_rows members, until others hold a request; returns for how many nothing is left.';

-- Also called by a trigger of new stories, which has the same limit.
create or replace function private.delete_expired_stories(max_rows integer) returns integer
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  removed integer;
begin
  delete from public.stories where id = any (array(
    select id from public.stories where expires_at <= now() - interval '7 days'
    order by expires_at limit max_rows for update skip locked
  ));
  get diagnostics removed = row_count;
  return removed;
exception when lock_not_available then
  -- Somebody marks notifications of these stories as read, for as long as they like.
  return 0;
end
$$;
comment on function private.delete_expired_stories(integer) is
  'Deletes a batch of stories a week after they ended, or none if others hold one of them for 200 ms. Returns how many.';
