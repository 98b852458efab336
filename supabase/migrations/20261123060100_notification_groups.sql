-- Notifications of the same type about the same item form a group: docs/decisions/0051-grouped-notifications.md. The key is a
-- column, so that an index finds the rows of a group and clients can mark a group as read.

alter table public.notifications add column group_key text collate "C" not null generated always as (
  case
    when type = 'other' then id::text
    -- Likes of comments and mentions in comments are about the comment; comments and replies are about the post.
    else type || ' ' || coalesce(
      case when type in ('mention', 'comment_like') then comment_id::text end,
      post_id::text,
      story_id::text,
      floor(extract(epoch from (created_at at time zone 'UTC')) / 86400)::integer::text
    )
  end
) stored;
comment on column public.notifications.group_key is
  'Equal in notifications of the same type about the same post, story or comment. Follows of one day (UTC) form a group; '
  'notifications of type `other` form none.';
create index notifications_group_idx on public.notifications (user_id, group_key, created_at desc, id desc);
create index notifications_unread_group_idx on public.notifications (user_id, group_key) where not read;
drop index public.notifications_unread_idx;

create function public.notification_groups()
  returns table (
    group_key text, type text, about text, message text, post_id uuid, comment_id uuid, story_id uuid, created_at timestamptz,
    read boolean, content text, actor_count integer, actors jsonb
  )
  -- Otherwise the planner may sort all notifications of a member instead of walking the index.
  language sql stable security invoker set search_path = '' set enable_bitmapscan = off
as $$
  with recursive
    mine as not materialized (
      select * from public.notifications n
      where n.user_id = (select auth.uid())
        and n.actor_id not in (select m.muted_id from public.mutes m where m.muter_id = (select auth.uid()))
    ),
    latest as (
      (
        select n.id, n.created_at, array[n.group_key] as keys from mine n
        order by n.created_at desc, n.id desc limit 1
      )
      union all
      -- The latest notification of the next group. Evaluated only as often as rows are read.
      select next.id, next.created_at, l.keys || next.group_key
      from latest l
      cross join lateral (
        select n.id, n.created_at, n.group_key from mine n
        where (n.created_at, n.id) < (l.created_at, l.id) and n.group_key <> all (l.keys)
        order by n.created_at desc, n.id desc limit 1
      ) as next
    )
  select
    n.group_key, n.type, n.about, n.message, n.post_id, n.comment_id, n.story_id, n.created_at,
    not exists (select 1 from mine u where u.group_key = n.group_key and not u.read),
    coalesce(c.content, p.content),
    members.actor_count,
    members.actors
  from (select id from latest limit 20) as shown
  join public.notifications n on n.id = shown.id
  left join public.posts p on p.id = n.post_id
  left join public.comments c on c.id = n.comment_id
  cross join lateral (
    select
      count(*)::integer as actor_count,
      jsonb_agg(
        jsonb_build_object(
          'id', a.id,
          'username', a.username,
          'avatar_url', a.avatar_url,
          'avatar_path', a.avatar_path,
          'is_private', a.is_private
        )
        order by ranked.place
      ) filter (where a.id is not null) as actors
    from (
      select events.actor_id, row_number() over (order by max(events.created_at) desc, events.actor_id) as place
      from (
        select e.actor_id, e.created_at from mine e
        where e.group_key = n.group_key
        order by e.created_at desc, e.id desc limit 101
      ) as events
      group by events.actor_id
    ) as ranked
    -- Looks two profiles up instead of reading all of them.
    left join lateral (
      select * from public.profiles p where ranked.place <= 2 and p.id = ranked.actor_id
      offset 0
    ) as a on true
  ) as members
  order by n.created_at desc, n.id desc
$$;
comment on function public.notification_groups() is
  'The caller''s latest twenty groups of notifications, by their latest one, without those of muted members. Each has the '
  'columns of that one, the text of its comment or post, whether all are read, the latest two actors, and how many actors are '
  'among its latest 101 notifications.';
revoke execute on function public.notification_groups() from public, anon, authenticated;
grant execute on function public.notification_groups() to authenticated, service_role;

create or replace function public.unread_notifications() returns integer
  language sql stable security invoker set search_path = '' set enable_bitmapscan = off
as $$
  with recursive
    unread as not materialized (
      select n.group_key from public.notifications n
      where n.user_id = (select auth.uid()) and not n.read
        and n.actor_id not in (select m.muted_id from public.mutes m where m.muter_id = (select auth.uid()))
    ),
    found as (
      (select u.group_key from unread u order by u.group_key limit 1)
      union all
      select next.group_key
      from found f
      cross join lateral (
        select u.group_key from unread u where u.group_key > f.group_key order by u.group_key limit 1
      ) as next
    )
  select count(*)::integer from (select 1 from found limit 10) as counted
$$;
comment on function public.unread_notifications() is
  'The caller''s groups of notifications with unread ones, 0 to 10: the badge shows 9+ above nine. Looks one group up after '
  'the other, whatever their size. Leaves out muted members, as notification_groups() does.';
