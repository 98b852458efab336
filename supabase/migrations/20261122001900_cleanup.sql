-- The scheduled cleanup.

create function private.remove_leftovers() returns integer
  language sql security definer set search_path = ''
as $$
  select private.remove_old_stories(1000) + private.remove_unsent_photos(1000) + private.remove_taken_back(10000)
    + private.remove_quota_usage(10000)
$$;
comment on function private.remove_leftovers() is
  'What a schedule calls every hour: deletes what nobody can see any more, and gives how many rows went.';
revoke execute on function private.remove_leftovers() from public, anon, authenticated;

-- On a server with pg_cron, which every hosted project has. The embedded server calls the functions itself; elsewhere,
-- triggers delete a few rows with each insert.
do $$
begin
  if exists (select from pg_catalog.pg_available_extensions where name = 'pg_cron') then
    begin
      create extension if not exists pg_cron with schema pg_catalog;
    exception when others then
      raise notice 'pg_cron cannot be had here: %', sqlerrm;
    end;
  end if;
  if to_regprocedure('cron.schedule(text,text,text)') is not null then
    perform cron.schedule('remove-leftovers', '17 * * * *', 'select private.remove_leftovers()');
  end if;
end
$$;
