-- The feed of followed members, read when it is opened: docs/decisions/0050-following-feed.md.

-- A security definer function, so that the policies of posts and follows are not checked for every post that it passes
-- over. A member may read the posts of everyone they follow; following_posts() applies the policies to what it finds.
create function private.following_post_ids(before_at timestamptz, before_id uuid) returns setof uuid
  language plpgsql stable security definer rows 8
  set search_path = '' set jit = off
as $$
declare
  me constant uuid := (select auth.uid());
  most constant integer := 8;
  followed constant bigint := (select count(*) from public.follows f where f.follower_id = me);
  passed_over constant integer := 500;
  missing integer := most;
  from_at timestamptz := coalesce(before_at, 'infinity');
  from_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
begin
  if not private.is_member() then
    return;
  end if;

  -- The newest posts of all members contain those of a member who follows many. Reads at most 500.
  if followed > 50 then
    return query
      select recent.id
      from (
        select p.id, p.user_id, p.created_at from public.posts p
        where (p.created_at, p.id) < (from_at, from_id)
        order by p.created_at desc, p.id desc limit passed_over
      ) as recent
      where recent.user_id = me or exists (
        select from public.follows f where f.follower_id = me and f.following_id = recent.user_id offset 0
      )
      order by recent.created_at desc, recent.id desc limit most;
    get diagnostics missing = row_count;
    missing := most - missing;
    if missing > 0 then
      select p.created_at, p.id into from_at, from_id from public.posts p
        where (p.created_at, p.id) < (from_at, from_id)
        order by p.created_at desc, p.id desc offset passed_over - 1 limit 1;
      if not found then
        return;
      end if;
    end if;
  end if;

  -- The newest post of each followed member; the posts searched for are by the authors of the newest among these.
  if missing > 0 then
    return query
      with newest as (
        select author.id as author_id, latest.created_at, latest.id
        from (
          select f.following_id from public.follows f where f.follower_id = me
          union all
          select me
        ) as author (id)
        cross join lateral (
          select p.created_at, p.id from public.posts p
          where p.user_id = author.id and (p.created_at, p.id) < (from_at, from_id)
          order by p.created_at desc, p.id desc limit 1
        ) as latest
        order by latest.created_at desc, latest.id desc limit missing
      )
      select post.id
      from newest
      cross join lateral (
        select p.created_at, p.id from public.posts p
        where p.user_id = newest.author_id and (p.created_at, p.id) < (from_at, from_id)
        order by p.created_at desc, p.id desc limit missing
      ) as post
      order by post.created_at desc, post.id desc limit missing;
  end if;
end
$$;
comment on function private.following_post_ids(timestamptz, uuid) is
  'The next eight posts of the caller and the members that the caller follows, older than a given post. Reads at most 500 '
  'posts, and then one for each followed member.';
revoke execute on function private.following_post_ids(timestamptz, uuid) from public, anon, authenticated;
grant execute on function private.following_post_ids(timestamptz, uuid) to authenticated, service_role;

create function public.following_posts(before_at timestamptz default null, before_id uuid default null)
  returns setof public.posts
  language sql stable security invoker rows 8 set search_path = ''
as $$
  select p.*
  from private.following_post_ids(before_at, before_id) as found (id)
  join public.posts p on p.id = found.id
$$;
comment on function public.following_posts(timestamptz, uuid) is
  'A page of eight posts of the caller and the members that the caller follows, older than a given post; without one, the '
  'newest.';
revoke execute on function public.following_posts(timestamptz, uuid) from public, anon, authenticated;
grant execute on function public.following_posts(timestamptz, uuid) to authenticated, service_role;
