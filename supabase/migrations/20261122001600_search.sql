-- Search for members by a part of their username or full name.

-- A security definer function, because row security keeps the trigram index from being used; it checks membership and
-- leaves out hidden members itself. The plans need the pattern to use the prefix indexes, hence force_custom_plan; JIT
-- compilation would take longer than the search.
create function private.search_profiles(query text)
  returns table (id uuid, username text, full_name text, avatar_url text)
  language plpgsql stable security definer
  set search_path = '' set plan_cache_mode = 'force_custom_plan' set jit = off
as $$
declare
  most constant integer := 10;
  left_out constant uuid[] := array(select private.my_hidden_ids()) || (select auth.uid());
  wanted constant text := regexp_replace(lower(btrim(query)), '([\\%_])', '\\\1', 'g');
  found_ids uuid[];
begin
  if wanted = '' or wanted is null or not private.is_member() then
    return;
  end if;
  found_ids := array(
    select p.id from public.profiles p
    where p.username collate "C" like wanted || '%' and p.id <> all (left_out)
    order by p.username collate "C" limit most
  );
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where lower(p.full_name) collate "C" like wanted || '%' and p.id <> all (left_out || found_ids)
      order by lower(p.full_name) collate "C" limit most - cardinality(found_ids)
    );
  end if;
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where (p.username like '%' || wanted || '%' or lower(p.full_name) like '%' || wanted || '%')
        and p.id <> all (left_out || found_ids)
      limit most - cardinality(found_ids)
    );
  end if;
  return query
    select p.id, p.username, p.full_name, p.avatar_url
    from unnest(found_ids) with ordinality as hits (id, place)
    join public.profiles p on p.id = hits.id
    order by hits.place;
end
$$;
comment on function private.search_profiles(text) is
  'At most ten members whose username or full name contains the query: first usernames with this prefix, then full '
  'names with this prefix, then the others. Stops at ten; reads every member only for one or two characters with '
  'fewer prefix hits.';
revoke execute on function private.search_profiles(text) from public, anon, authenticated;
grant execute on function private.search_profiles(text) to authenticated, service_role;

create function public.search_profiles(query text)
  returns table (id uuid, username text, full_name text, avatar_url text)
  language sql stable security invoker set search_path = ''
as $$
  select id, username, full_name, avatar_url from private.search_profiles(query)
$$;
comment on function public.search_profiles(text) is
  'At most ten members, without the caller and members hidden from them, whose username or full name contains the '
  'query, ignoring case; % _ and \ are literal.';
revoke execute on function public.search_profiles(text) from public, anon, authenticated;
grant execute on function public.search_profiles(text) to authenticated, service_role;
