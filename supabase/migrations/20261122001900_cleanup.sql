-- The hourly cleanup.

create function private.cleanup(max_rows integer) returns integer
  language sql security definer set search_path = ''
as $$
  select private.delete_expired_stories(max_rows)
    + private.delete_unsent_photos(max_rows)
    + private.delete_withdrawn_notifications(10 * max_rows)
    + private.delete_quota_usage(10 * max_rows)
$$;
comment on function private.cleanup(integer) is
  'Deletes a batch of expired rows: at most max_rows stories and max_rows unsent photos, which are large, and ten times as '
  'many small rows of each other kind. Returns how many; call it again until that is 0.';
revoke execute on function private.cleanup(integer) from public, anon, authenticated;

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
