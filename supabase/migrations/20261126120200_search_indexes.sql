-- The search for members by their full names without marks and case: docs/decisions/0069-search.md.

create index profiles_search_prefix_idx on public.profiles (private.search_key(full_name) collate "C");
drop index public.profiles_full_name_prefix_idx;
-- Without pg_trgm a search is slower, not wrong.
do $$
declare
  home text;
begin
  select n.nspname into home
    from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm';
  if home is not null then
    execute format(
      'create index profiles_search_trgm_idx on public.profiles using gin (private.search_key(full_name) %I.gin_trgm_ops)',
      home);
    drop index if exists public.profiles_full_name_trgm_idx;
  end if;
end
$$;
