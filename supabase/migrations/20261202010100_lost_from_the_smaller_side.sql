-- While anything waited to be cleaned up, the set was made of all notifications of the member: with 125,000 of them the bell took seconds.
create or replace function private.lost_notification_ids() returns setof uuid
  language plpgsql stable security definer cost 1 rows 10 set search_path = '' set jit = off
as $$
declare
  most constant integer := 1000;
  me constant uuid := (select auth.uid());
  removed constant uuid[] := array(select private.removed_member_ids());
  posts uuid[];
  stories uuid[];
  comments uuid[];
  is_little boolean := false;
begin
  if cardinality(removed) = 0 then
    return;
  end if;
  -- From the smaller side: the notifications of the caller, or what is removed.
  if cardinality(removed) <= most and exists (
    select from public.notifications n where n.user_id = me order by n.created_at desc, n.id desc offset most
  ) then
    posts := array(
      select p.id from unnest(removed) as r (id)
      cross join lateral (select x.id from public.posts x where x.user_id = r.id offset 0) as p limit most + 1
    );
    stories := array(
      select s.id from unnest(removed) as r (id)
      cross join lateral (select x.id from public.stories x where x.user_id = r.id offset 0) as s limit most + 1
    );
    comments := array(
      (
        select c.id from unnest(removed) as r (id)
        cross join lateral (select x.id from public.comments x where x.user_id = r.id offset 0) as c limit most + 1
      )
      union all
      (
        select c.id from unnest(posts) as p (id)
        cross join lateral (select x.id from public.comments x where x.post_id = p.id offset 0) as c limit most + 1
      )
    );
    comments := comments || array(
      select c.id from unnest(comments) as thread (id)
      cross join lateral (select x.id from public.comments x where x.parent_id = thread.id offset 0) as c limit most + 1
    );
    is_little := greatest(cardinality(posts), cardinality(stories), cardinality(comments)) <= most;
  end if;
  if not is_little then
    return query
      select n.id from public.notifications n
      left join public.comments c on c.id = n.comment_id
      left join public.comments thread on thread.id = c.parent_id
      left join public.posts p on p.id = n.post_id
      left join public.stories s on s.id = n.story_id
      where n.user_id = (select auth.uid())
        and (
          c.user_id in (select unnest(removed)) or thread.user_id in (select unnest(removed))
          or p.user_id in (select unnest(removed)) or s.user_id in (select unnest(removed))
        );
    return;
  end if;
  return query
    select n.id
    from (
      select kind || ' ' || p.id as key from unnest(posts) as p (id), unnest(array['like', 'comment', 'reply', 'mention']) as kind
      union all
      select kind || ' ' || s.id from unnest(stories) as s (id), unnest(array['mention', 'story_view']) as kind
    ) as groups
    cross join lateral (select x.id from public.notifications x where x.user_id = me and x.group_key = groups.key offset 0) as n
    union all
    select n.id from unnest(comments) as c (id)
    cross join lateral (select x.id from public.notifications x where x.comment_id = c.id and x.user_id = me offset 0) as n;
end
$$;
comment on function private.lost_notification_ids() is
  'Notifications of the caller about something that waits to be cleaned up, or about a comment below it. A '
  'set, hashed once per statement; empty at once if nothing waits. Of a caller with a thousand notifications it '
  'looks for those about what is removed, if that is not as much.';
