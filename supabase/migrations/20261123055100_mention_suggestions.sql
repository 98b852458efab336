-- What the client asks about '@name': which members it may mean while somebody types it, and whether there is such a member.

-- Followed members first, in every search. A member may follow thousands: only the latest are looked through.
create or replace function private.search_profiles(query text)
  returns table (id uuid, username text, full_name text, avatar_url text, avatar_path text)
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
    select p.id
    from (
      select f.following_id as member_id from public.follows f
      where f.follower_id = (select auth.uid()) order by f.created_at desc, f.following_id desc limit 1000
    ) as followed
    join public.profiles p on p.id = followed.member_id
    where (p.username like wanted || '%' or lower(p.full_name) like wanted || '%') and p.id <> all (left_out)
    order by p.username collate "C" limit most
  );
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where p.username collate "C" like wanted || '%' and p.id <> all (left_out || found_ids)
      order by p.username collate "C" limit most - cardinality(found_ids)
    );
  end if;
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
    select p.id, p.username, p.full_name, p.avatar_url, p.avatar_path
    from unnest(found_ids) with ordinality as hits (id, place)
    join public.profiles p on p.id = hits.id
    order by hits.place;
end
$$;
comment on function private.search_profiles(text) is
  'At most ten members whose username or full name contains the query: followed members with this prefix first, then '
  'usernames with this prefix, then full names with this prefix, then the others. Stops at ten; reads every member only for '
  'one or two characters with fewer prefix hits.';

create function private.known_usernames(names text) returns table (username text)
  language sql stable security definer set search_path = '' rows 20
as $$
  select distinct wanted.name
  from unnest((string_to_array(lower(names), ' '))[1:100]) as wanted (name)
  where (select private.is_member())
    and (
      exists (
        select 1 from public.profiles p
        where p.username = wanted.name and p.id not in (select private.my_hidden_ids())
      )
      or exists (
        select 1 from private.former_usernames f
        where f.username = wanted.name and f.member_id not in (select private.my_hidden_ids())
      )
    )
$$;
comment on function private.known_usernames(text) is
  'Which of these usernames, separated by spaces, lead to a member that the caller may see, now or by a former name; at most 100.';
revoke execute on function private.known_usernames(text) from public, anon, authenticated;
grant execute on function private.known_usernames(text) to authenticated, service_role;

create function public.known_usernames(names text) returns table (username text)
  language sql stable security invoker set search_path = ''
as $$
  select username from private.known_usernames(names)
$$;
comment on function public.known_usernames(text) is
  'Which of these usernames, separated by spaces, lead to a member that the caller may see; at most 100.';
revoke execute on function public.known_usernames(text) from public, anon, authenticated;
grant execute on function public.known_usernames(text) to authenticated, service_role;
