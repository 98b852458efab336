-- The embedded server removes unused objects itself. A hosted project lets only its Storage API delete them, so the app asks for
-- those of its member and removes them.

create function private.my_unused_objects() returns table (name text)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if to_regclass('storage.objects') is null or not private.is_member() then
    return;
  end if;
  return query
    select o.name from storage.objects o
    where o.bucket_id = 'media'
      -- The folder; '0' follows '/'. Storage has an index in this collation.
      and o.name collate "C" >= me::text || '/' and o.name collate "C" < me::text || '0'
      and o.created_at <= now() - interval '1 day'
      and o.name not in (select private.used_objects(me))
    limit 1000;
end
$$;
comment on function private.my_unused_objects() is
  'Objects in the caller''s folder that no row has used for a day, at most 1,000: as many as Storage removes at once.';
revoke execute on function private.my_unused_objects() from public, anon, authenticated;
grant execute on function private.my_unused_objects() to authenticated, service_role;

create function public.my_unused_objects() returns table (name text)
  language sql stable security invoker set search_path = ''
as $$
  select name from private.my_unused_objects()
$$;
comment on function public.my_unused_objects() is
  'Uploads of the caller that no row has used for a day, for the client to remove; at most 1,000.';
revoke execute on function public.my_unused_objects() from public, anon, authenticated;
grant execute on function public.my_unused_objects() to authenticated, service_role;
