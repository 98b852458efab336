-- Finding members by a part of their username or full name.

create index profiles_username_prefix_idx on public.profiles (username text_pattern_ops);
create index profiles_full_name_prefix_idx on public.profiles (lower(full_name) text_pattern_ops);

-- Trigram indexes where the extension is: a search without them is slower, not wrong.
do $$
declare
  home text;
begin
  select n.nspname into home
    from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm';
  if home is not null then
    execute format(
      'create index profiles_username_trgm_idx on public.profiles using gin (username %I.gin_trgm_ops)', home);
    execute format(
      'create index profiles_full_name_trgm_idx on public.profiles using gin (lower(full_name) %I.gin_trgm_ops)', home);
  end if;
end
$$;

-- A definer, because row security keeps the trigram index from being used. Every member may see every profile, so the
-- rule to apply is membership. The plan must know the pattern to use the prefix indexes, hence force_custom_plan; JIT
-- would take longer than the search.
create function private.search_profiles(query text)
  returns table (id uuid, username text, full_name text, avatar_url text)
  language plpgsql stable security definer
  set search_path = '' set plan_cache_mode = 'force_custom_plan' set jit = off
as $$
declare
  me constant uuid := (select auth.uid());
  wanted constant text := regexp_replace(lower(btrim(query)), '([\\%_])', '\\\1', 'g');
begin
  if wanted = '' or wanted is null or not private.is_member() then
    return;
  end if;
  return query
    select p.id, p.username, p.full_name, p.avatar_url
    from (
      select hits.id, min(hits.rank) as rank
      from (
        (
          select p.id, 1 as rank from public.profiles p
          where p.username like wanted || '%' order by p.username limit 11
        )
        union all
        (
          select p.id, 2 from public.profiles p
          where lower(p.full_name) like wanted || '%' order by lower(p.full_name) limit 11
        )
        union all
        (
          select p.id, 3 from public.profiles p
          where p.username like '%' || wanted || '%' or lower(p.full_name) like '%' || wanted || '%'
          limit 31
        )
      ) as hits
      where hits.id <> me
      group by hits.id
    ) as best
    join public.profiles p on p.id = best.id
    order by best.rank, p.username
    limit 10;
end
$$;
comment on function private.search_profiles(text) is
  'At most ten members whose username or full name contains the query: first those whose username begins with it, then '
  'those whose name does. Each list stops early, so a short query costs no more than a long one.';
revoke execute on function private.search_profiles(text) from public, anon, authenticated;
grant execute on function private.search_profiles(text) to authenticated, service_role;

create function public.search_profiles(query text)
  returns table (id uuid, username text, full_name text, avatar_url text)
  language sql stable security invoker set search_path = ''
as $$
  select id, username, full_name, avatar_url from private.search_profiles(query)
$$;
comment on function public.search_profiles(text) is
  'At most ten members, never the caller, whose username or full name contains the query, in any case; % _ and \ are '
  'taken literally.';
revoke execute on function public.search_profiles(text) from public, anon, authenticated;
grant execute on function public.search_profiles(text) to authenticated, service_role;
