-- A block waited for what the two members were doing to each other, and gave up after two seconds. Three requests at a time that mention
-- a member and then fail, after no quota has counted them, kept that member from blocking their author. Now the block stands after a
-- second, and unfinished_blocks keeps it until nobody can write anything more that it has not seen.

create or replace function private.await_pair() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  pair constant bigint := private.pair_key(new.blocker_id, new.blocked_id);
begin
  if clock_timestamp() > statement_timestamp() + interval '1 second' then
    perform pg_catalog.pg_try_advisory_xact_lock(pair);
  else
    perform pg_catalog.pg_advisory_xact_lock(pair);
  end if;
  return new;
end
$$;
comment on function private.await_pair() is
  'A block waits up to a second for what the two members are doing to each other, and refuses what they start meanwhile.';

create or replace function private.on_block() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  pair constant uuid[] := array[new.blocker_id, new.blocked_id];
  is_alone constant boolean := pg_catalog.pg_try_advisory_xact_lock(private.pair_key(new.blocker_id, new.blocked_id));
begin
  for attempt in 1..5 loop
    -- Of many blocks in one statement, which ends after three seconds.
    exit when clock_timestamp() > statement_timestamp() + interval '2 seconds';
    if private.weigh_traces(pair, 200) >= 200 then
      perform private.part_some(pair, 500);
      exit;
    elsif private.part(new.blocker_id, new.blocked_id) then
      exit when not is_alone;
      return null;
    end if;
    perform pg_catalog.pg_sleep(0.02 + 0.08 * random());
  end loop;
  insert into private.unfinished_blocks (blocker_id, blocked_id) values (new.blocker_id, new.blocked_id) on conflict do nothing;
  return null;
end
$$;
comment on function private.on_block() is
  'Separates the two members of a new block. What is 200 rows or more, what others hold, and what the two are still writing is left to batches: a block never fails because of it.';

create or replace function private.finish_blocks(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  unfinished private.unfinished_blocks;
  pair uuid[];
  is_alone boolean;
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
      -- Who shares it may have begun before the block, and still write.
      is_alone := pg_catalog.pg_try_advisory_xact_lock(private.pair_key(unfinished.blocker_id, unfinished.blocked_id));
      step := private.part_some(pair, max_rows - removed);
      removed := removed + step;
      if not is_alone or private.weigh_traces(pair, 1) > 0 then
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
