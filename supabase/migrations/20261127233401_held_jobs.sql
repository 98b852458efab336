-- A removal that somebody holds, or that fails, ended a batch although others were due, and with it the calls of settle() and of pg_cron.

create or replace function private.work_job(max_rows integer) returns integer
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  last constant timestamptz := clock_timestamp() + interval '100 milliseconds';
  job private.jobs;
  step integer;
  removed integer := 0;
begin
  loop
    select * into job from private.jobs
      where kind = 'account' and not_before <= now()
      order by not_before limit 1 for update skip locked;
    if not found then
      return 0;
    end if;
    begin
      perform set_config('vignette.is_cleaning', 'on', true);
      loop
        step := private.remove_dependents('public.profiles', array[job.subject_id], max_rows);
        removed := removed + step;
        if step = 0 and private.weigh('public.profiles', array[job.subject_id], 1) = 0 then
          delete from public.profiles where id = job.subject_id;
          delete from private.jobs where kind = job.kind and subject_id = job.subject_id;
          removed := removed + 1;
        end if;
        exit when step = 0 or clock_timestamp() > last;
      end loop;
      perform set_config('vignette.is_cleaning', '', true);
      -- The others first. What somebody holds is tried again a minute later.
      update private.jobs
        set not_before = case when removed = 0 then now() + interval '1 minute' else clock_timestamp() end,
          tries = case when removed = 0 then tries + 1 else 0 end, error = null
        where kind = job.kind and subject_id = job.subject_id;
    exception when others then
      removed := 0;
      update private.jobs
        set not_before = now() + least(tries + 1, 60) * interval '1 minute', tries = tries + 1, error = sqlerrm
        where kind = job.kind and subject_id = job.subject_id;
    end;
    if removed > 0 then
      return removed;
    end if;
    if clock_timestamp() > last then
      -- 1: the caller goes on if others are due.
      perform from private.jobs where kind = 'account' and not_before <= now() limit 1 for update skip locked;
      return found::integer;
    end if;
  end loop;
end
$$;
comment on function private.work_job(integer) is
  'Removes one batch of what waited longest and is free, for about 100 ms. It waits 200 ms for a row that others count with, and for no other. Nothing is remembered between batches: what is gone is gone. Returns how many rows it removed, 1 if it only found what is held and others are due, 0 if nothing is left that is free.';
