-- What housekeeping deletes is found as an array, once: a plan may ask a subquery again for each row, and each time get
-- others.

create or replace function private.remove_unsent_photos(most integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  removed integer;
begin
  delete from public.message_photos where id = any (array(
    select id from public.message_photos
    where not sent and created_at <= now() - interval '1 day'
    order by created_at limit most for update skip locked
  ));
  get diagnostics removed = row_count;
  return removed;
end
$$;

create or replace function private.remove_old_stories(most integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  removed integer;
begin
  delete from public.stories where id = any (array(
    select id from public.stories where expires_at <= now() - interval '7 days'
    order by expires_at limit most for update skip locked
  ));
  get diagnostics removed = row_count;
  return removed;
end
$$;
