-- What is deleted after a while.

-- On a server with pg_cron, which every hosted project has. The embedded server calls the function itself; elsewhere,
-- triggers delete a few rows with each insert.
do $$
begin
  if exists (select from pg_catalog.pg_available_extensions where name = 'pg_cron') then
    begin
      create extension if not exists pg_cron with schema pg_catalog;
    exception when others then
      raise notice 'pg_cron is not available: %', sqlerrm;
    end;
  end if;
  if to_regprocedure('cron.schedule(text,text,text)') is not null then
    perform cron.schedule('cleanup', '17 * * * *', 'select private.cleanup(1000)');
  end if;
end
$$;

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table private.cleanups (
  is_only boolean not null default true,
  called_at timestamptz not null,
  reached_id uuid,
  walked_at timestamptz,
  constraint cleanups_is_only_check check (is_only),
  constraint cleanups_pkey primary key (is_only)
);
comment on table private.cleanups is
  'One row: when cleanup() was called last, the member whose notifications it looked at last, and when it had '
  'looked at everybody''s. Without a reached_id it is done until the next day.';
alter table private.cleanups enable row level security;
revoke all on table private.cleanups from public, anon, authenticated;

create function private.cleanup(max_rows integer) returns integer
  language sql security definer set search_path = ''
as $$
  -- A second cleanup waits here for the first one's batch.
  insert into private.cleanups (called_at) values (now()) on conflict (is_only) do update set called_at = now();
  select private.delete_expired_stories(max_rows)
    + private.delete_unsent_media(max_rows)
    + private.delete_withdrawn_notifications(10 * max_rows)
    + private.delete_quota_usage(10 * max_rows)
    + private.delete_expired_usernames(10 * max_rows)
    + private.delete_unused_topics(10 * max_rows)
    + private.end_unused_sessions(10 * max_rows)
    + private.delete_old_sign_ins(10 * max_rows)
    + private.move_posts(100 * max_rows)
    + private.finish_blocks(10 * max_rows)
    + private.accept_left_requests(10 * max_rows)
    + private.clear_left_marks(10 * max_rows)
    + private.delete_read_notifications(10 * max_rows)
    + private.delete_cron_log(10 * max_rows)
    + private.work_job(10 * max_rows)
    + private.end_empty_folders(10 * max_rows)
$$;
comment on function private.cleanup(integer) is
  'Deletes a batch of expired rows: at most max_rows stories and max_rows unsent photos, which are large, and '
  'ten times as many small rows of each other kind. Returns how many; call it again until that is 0.';
revoke execute on function private.cleanup(integer) from public, anon, authenticated;

-- Unread notifications stayed for ever, and what marks or hides them reads all of a member's. Of more than 5,000 the oldest go.
create function private.delete_read_notifications(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  walk private.cleanups;
  member uuid;
  wanted bigint;
  too_old timestamptz;
  step integer;
  removed integer := 0;
  has_more boolean := true;
begin
  select * into walk from private.cleanups;
  if walk.reached_id is null and walk.walked_at > now() - interval '1 day' then
    return 0;
  end if;
  perform set_config('vignette.is_cleaning', 'on', true);
  for visited in 1..max_rows loop
    select n.user_id into member from public.notifications n
      where n.user_id > coalesce(walk.reached_id, '00000000-0000-0000-0000-000000000000') order by n.user_id limit 1;
    has_more := found;
    exit when not has_more;
    -- Both remove the oldest ones first.
    wanted := greatest(
      (select count(*) - 2000 from public.notifications n where n.user_id = member),
      (
        select count(*) from public.notifications n
        where n.user_id = member and n.read and (n.type <> 'other' or n.about = 'follow_accepted')
          and n.created_at < now() - interval '90 days'
      )
    );
    if wanted > 0 then
      too_old := (
        select n.created_at from public.notifications n where n.user_id = member
        order by n.created_at desc, n.id desc offset 5000 limit 1
      );
      with oldest as materialized (
        select n.id from public.notifications n
          where n.user_id = member and (n.read or n.created_at <= too_old) and (n.type <> 'other' or n.about = 'follow_accepted')
          order by n.created_at, n.id limit least(wanted, max_rows - removed)
      )
      -- A member who holds some keeps them until the next day.
      delete from public.notifications where id = any (array(
        select n.id from public.notifications n where n.id in (select o.id from oldest o) for update skip locked
      ));
      get diagnostics step = row_count;
      removed := removed + step;
      -- The rest of this member's in the next batch.
      exit when removed >= max_rows;
    end if;
    walk.reached_id := member;
  end loop;
  perform set_config('vignette.is_cleaning', '', true);
  update private.cleanups
    set reached_id = case when has_more then walk.reached_id end,
      walked_at = case when has_more then walk.walked_at else now() end;
  return case when has_more then greatest(1, removed) else removed end;
end
$$;
comment on function private.delete_read_notifications(integer) is
  'Once a day: deletes a batch of read notifications that are older than 90 days, of members with more than '
  '2,000 the oldest read ones, and beyond 5,000 the oldest, read or not; open requests and notices of '
  'moderators stay. Looks at as many members. Not broadcast. Returns how many it deleted, and 1 if it only has '
  'not looked at everybody yet.';
revoke execute on function private.delete_read_notifications(integer) from public, anon, authenticated;

create function private.delete_cron_log(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  removed integer := 0;
begin
  if to_regclass('cron.job_run_details') is null then
    return 0;
  end if;
  execute 'delete from cron.job_run_details where runid in (
      select runid from cron.job_run_details where coalesce(end_time, start_time) < now() - interval ''7 days'' order by runid limit $1
    )' using max_rows;
  get diagnostics removed = row_count;
  return removed;
exception when insufficient_privilege then
  return 0;
end
$$;
comment on function private.delete_cron_log(integer) is
  'Deletes a batch of pg_cron''s own log that is older than a week; pg_cron never does. Returns how many.';
revoke execute on function private.delete_cron_log(integer) from public, anon, authenticated;

create function private.schedule_cleanup() returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from pg_catalog.pg_available_extensions where name = 'pg_cron') then
    begin
      create extension if not exists pg_cron with schema pg_catalog;
    exception when others then
      raise notice 'pg_cron is not available: %', sqlerrm;
    end;
  end if;
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    return false;
  end if;
  -- Each batch is a transaction of its own, so nobody waits for all of them. Hosted projects end a statement after two minutes.
  perform cron.schedule('cleanup', '17 * * * *', $job$do $batches$
declare
  last constant timestamptz := clock_timestamp() + interval '90 seconds';
begin
  while private.cleanup(100) > 0 and clock_timestamp() < last loop
    commit;
  end loop;
end
$batches$ $job$);
  return true;
end
$$;
comment on function private.schedule_cleanup() is
  'Schedules with pg_cron the hourly cleanup, which goes on until nothing is left; again after pg_cron was '
  'enabled later. Returns whether there is a pg_cron.';
revoke execute on function private.schedule_cleanup() from public, anon, authenticated;

create function private.cleanup_state() returns text
  language plpgsql stable security definer set search_path = ''
as $$
declare
  is_scheduled boolean := exists (select from private.cleanups c where c.called_at > now() - interval '2 hours');
begin
  if not is_scheduled and to_regclass('cron.job') is not null then
    execute 'select exists (select from cron.job where jobname = ''cleanup'' and active)' into is_scheduled;
  end if;
  return case when is_scheduled then 'scheduled' else 'missing' end;
exception when insufficient_privilege then
  return 'missing';
end
$$;
comment on function private.cleanup_state() is
  'Whether the hourly cleanup is scheduled: pg_cron has its job, or somebody called it in the last two hours, '
  'such as the embedded server or an operator''s own scheduler. scheduled or missing.';
revoke execute on function private.cleanup_state() from public, anon, authenticated;

set check_function_bodies = on;

select private.schedule_cleanup();
select private.schedule_settle();
