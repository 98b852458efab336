-- One call and one job of pg_cron add up, send and clean up what waits: docs/decisions/0097-deleting-large-things.md

create or replace function private.settle_waiting() returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  is_cleaning boolean;
  is_counting boolean;
begin
  -- One at a time: a second one would find held what the first adds up, and hold the rest from their writers.
  if not pg_catalog.pg_try_advisory_xact_lock(7246005) then
    return 1000 + (1000 * random())::integer;
  end if;
  -- First, because it takes longest: counters are held at the end only.
  is_cleaning := private.work_job(200) + private.finish_blocks(200) + private.accept_left_requests(200) > 0;
  is_counting := private.settle_counts();
  -- Least ignores what is null.
  return least(case when is_cleaning or is_counting then 200 end, private.settle_announcements());
end
$$;
comment on function private.settle_waiting() is
  'Does what writers have written down instead of waiting for each other, and a batch of each kind of what is removed, unless another call does. '
  'Returns after how many milliseconds to call it again; null if nothing is left that is free.';

drop function public.work_off();
drop function private.work_off();

create or replace function private.schedule_cleanup() returns boolean
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
  'Schedules with pg_cron the hourly cleanup, which goes on until nothing is left; again after pg_cron was enabled later. Returns whether there is a pg_cron.';
do $$
begin
  -- It is a part of settle_waiting() now.
  if to_regclass('cron.job') is not null then
    perform cron.unschedule(j.jobname) from cron.job j where j.jobname = 'jobs';
  end if;
end
$$;

-- Names of holders

create or replace function private.hold_deleted_usernames() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- The name of a holder was nobody's.
  if exists (select from private.jobs j where j.kind = 'account' and j.subject_id = old.id and j.items is not null) then
    return old;
  end if;
  insert into private.deleted_usernames (username, since)
    select f.username, f.since from private.former_usernames f
      where f.member_id = old.id and private.is_held_username(f.username, null)
    union all
    select old.username, now()
    on conflict (username) do update set since = excluded.since;
  -- For servers without a scheduler.
  perform private.delete_expired_usernames(20);
  return old;
end
$$;

-- Folders of closed accounts

create index jobs_due_idx on private.jobs (kind, not_before);
drop function private.end_empty_folders();
create function private.end_empty_folders(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  looked_at uuid[] := array(
    select j.subject_id from private.jobs j where j.kind = 'objects'
    order by j.not_before limit max_rows for update skip locked
  );
  ended integer;
begin
  delete from private.jobs j where j.kind = 'objects' and j.subject_id = any (looked_at) and not private.has_objects(j.subject_id);
  get diagnostics ended = row_count;
  -- The others first the next time.
  update private.jobs set not_before = clock_timestamp() where kind = 'objects' and subject_id = any (looked_at);
  return ended;
end
$$;
comment on function private.end_empty_folders(integer) is
  'Looks at the folders of max_rows closed accounts, those first that it looked at longest ago, and ends the jobs of those that have no object left; returns how many.';
revoke execute on function private.end_empty_folders(integer) from public, anon, authenticated;

create or replace function private.waiting_objects(most integer) returns table (name text)
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.end_empty_folders(1000);
  if to_regclass('storage.objects') is null then
    return;
  end if;
  return query
    select waiting.name
    from private.jobs j
    cross join lateral (
      select o.name from storage.objects o
      where o.bucket_id = 'media'
        and o.name collate "C" >= j.subject_id::text || '/' and o.name collate "C" < j.subject_id::text || '0'
        and not private.is_object_used(o.name)
      limit most
    ) as waiting
    where j.kind = 'objects' and not exists (select from auth.users u where u.id = j.subject_id)
    limit most;
end
$$;

create or replace function private.cleanup(max_rows integer) returns integer
  language sql security definer set search_path = ''
as $$
  -- A second cleanup waits here for the first one's batch.
  insert into private.cleanups (called_at) values (now()) on conflict (is_only) do update set called_at = now();
  select private.delete_expired_stories(max_rows)
    + private.delete_unsent_photos(max_rows)
    + private.delete_withdrawn_notifications(10 * max_rows)
    + private.delete_quota_usage(10 * max_rows)
    + private.delete_expired_usernames(10 * max_rows)
    + private.delete_unused_topics(10 * max_rows)
    + private.end_unused_sessions(10 * max_rows)
    + private.delete_old_sign_ins(10 * max_rows)
    + private.move_posts(100 * max_rows)
    + private.finish_blocks(10 * max_rows)
    + private.accept_left_requests(10 * max_rows)
    + private.delete_read_notifications(10 * max_rows)
    + private.delete_cron_log(10 * max_rows)
    + private.work_job(10 * max_rows)
    + private.end_empty_folders(10 * max_rows)
$$;
