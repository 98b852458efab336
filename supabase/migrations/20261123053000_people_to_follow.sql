-- Suggestions of members to follow. A security definer function, because row security would check both accounts of each
-- follow; it checks membership and applies the rules of those policies itself. Only public accounts are suggested: who
-- follows a private account is visible to its followers only. Whether somebody was active recently is not used, because
-- members can turn it off; their public posts are visible to everyone.

create index profiles_newest_idx on public.profiles (created_at desc) where not is_private;

create function private.people_to_follow()
  returns table (
    id uuid, username text, full_name text, avatar_url text, avatar_path text, followed_by text, followed_by_count integer
  )
  language plpgsql stable security definer
  set search_path = '' set plan_cache_mode = 'force_custom_plan' set jit = off
as $$
declare
  me constant uuid := (select auth.uid());
  most constant integer := 20;
  muted constant uuid[] := array(select m.muted_id from public.mutes m where m.muter_id = me);
  left_out constant uuid[] := array(select private.my_hidden_ids()) || muted || me;
begin
  if not private.is_member() then
    return;
  end if;
  return query
    -- Only the latest follows of each member, so that the number of rows read has a bound.
    with followed as (
      select f.following_id, f.created_at
      from public.follows f
      where f.follower_id = me and f.following_id <> all (muted)
      order by f.created_at desc, f.following_id desc limit 30
    ),
    known as (
      select theirs.following_id as member_id, (array_agg(f.following_id order by f.created_at desc))[1] as followed_by,
        count(*)::integer as followed_by_count
      from followed f
      cross join lateral (
        select t.following_id from public.follows t
        where t.follower_id = f.following_id
        order by t.created_at desc, t.following_id desc limit 30
      ) as theirs
      group by theirs.following_id
    ),
    others as (
      select recent.member_id, max(recent.posted_at) as posted_at, max(recent.joined_at) as joined_at
      from (
        (
          select p.user_id as member_id, p.created_at as posted_at, null as joined_at from public.posts p
          where p.audience = 'public'
          order by p.created_at desc, p.id desc limit 200
        )
        union all
        (
          select p.id, null, p.created_at from public.profiles p
          where not p.is_private
          order by p.created_at desc limit 60
        )
      ) as recent
      group by recent.member_id
    )
    select p.id, p.username, p.full_name, p.avatar_url, p.avatar_path, by_whom.username, coalesce(k.followed_by_count, 0)
    from known k
    full join others o using (member_id)
    -- Looks each candidate up instead of reading all profiles.
    cross join lateral (
      select c.id, c.username, c.full_name, c.avatar_url, c.avatar_path from public.profiles c
      where c.id = member_id and not c.is_private
      offset 0
    ) as p
    left join lateral (select f.username from public.profiles f where f.id = k.followed_by offset 0) as by_whom on true
    where member_id <> all (left_out)
      and not exists (
        select 1 from public.follows f where f.follower_id = me and f.following_id = member_id offset 0
      )
    order by k.followed_by_count desc nulls last, o.posted_at desc nulls last, o.joined_at desc nulls last, p.id
    limit most;
end
$$;
comment on function private.people_to_follow() is
  'At most twenty public accounts that the caller does not follow: first those followed by the latest thirty members that '
  'the caller follows, then authors of the latest public posts, then new accounts. Reads at most 900 follows, 200 posts and '
  '60 new accounts.';
revoke execute on function private.people_to_follow() from public, anon, authenticated;
grant execute on function private.people_to_follow() to authenticated, service_role;

create function public.people_to_follow()
  returns table (
    id uuid, username text, full_name text, avatar_url text, avatar_path text, followed_by text, followed_by_count integer
  )
  language sql stable security invoker set search_path = ''
as $$
  select id, username, full_name, avatar_url, avatar_path, followed_by, followed_by_count from private.people_to_follow()
$$;
comment on function public.people_to_follow() is
  'At most twenty public accounts that the caller may want to follow, without hidden and muted members. followed_by_count '
  'members that the caller follows follow the account; followed_by is the latest of them.';
revoke execute on function public.people_to_follow() from public, anon, authenticated;
grant execute on function public.people_to_follow() to authenticated, service_role;
