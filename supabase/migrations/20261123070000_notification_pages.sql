-- The groups of notifications in pages, at a cost with a bound: docs/decisions/0051-grouped-notifications.md.

-- With the columns that the functions below read of many rows: they do not visit the table.
create index notifications_time_idx on public.notifications (user_id, created_at desc, id desc) include (group_key, actor_id);
drop index public.notifications_user_idx;
drop index public.notifications_group_idx;
create index notifications_group_idx on public.notifications (user_id, group_key, created_at desc, id desc) include (actor_id);
drop index public.notifications_unread_group_idx;
create index notifications_unread_group_idx on public.notifications (user_id, group_key) include (actor_id) where not read;

-- A security definer function, so that the policy is not checked for each notification that is passed over. It checks
-- membership and leaves out hidden members itself.
create function private.notification_heads(before_at timestamptz, before_id uuid)
  returns table (id uuid, is_group boolean)
  language plpgsql stable security definer rows 20
  set search_path = '' set plan_cache_mode = 'force_custom_plan' set enable_bitmapscan = off set jit = off
as $$
#variable_conflict use_column
declare
  most constant integer := 20;
  me constant uuid := (select auth.uid());
  left_out constant uuid[] :=
    array(select private.my_hidden_ids()) || array(select m.muted_id from public.mutes m where m.muter_id = me);
  from_at constant timestamptz := coalesce(before_at, 'infinity');
  from_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  heads uuid[];
  depth integer;
  last_at timestamptz;
  last_id uuid;
begin
  if not private.is_member() then
    return;
  end if;
  -- Most members have twenty groups among few notifications; a popular post can have thousands that follow each other.
  foreach depth in array array[200, 1000, 5000] loop
    heads := array(
      select head.id
      from (
        select walked.group_key, min(walked.place) as place
        from (
          select n.group_key, n.actor_id, row_number() over (order by n.created_at desc, n.id desc) as place
          from public.notifications n
          where n.user_id = me and (n.created_at, n.id) < (from_at, from_id)
          order by n.created_at desc, n.id desc limit depth
        ) as walked
        where walked.actor_id <> all (left_out)
        group by walked.group_key
        order by min(walked.place)
      ) as latest
      cross join lateral (
        select n.id from public.notifications n
        where n.user_id = me and n.group_key = latest.group_key
          and (n.created_at, n.id) < (from_at, from_id) and n.actor_id <> all (left_out)
        order by n.created_at desc, n.id desc limit 1
      ) as head
      -- A group with a later notification is on an earlier page.
      where before_at is null or not exists (
        select from public.notifications n
        where n.user_id = me and n.group_key = latest.group_key
          and (n.created_at, n.id) >= (from_at, from_id) and n.actor_id <> all (left_out)
        offset 0
      )
      order by latest.place limit most
    );
    exit when cardinality(heads) = most;
  end loop;
  return query select head, true from unnest(heads) as head;
  if cardinality(heads) < most then
    select n.created_at, n.id into last_at, last_id
      from public.notifications n
      where n.user_id = me and (n.created_at, n.id) < (from_at, from_id)
      order by n.created_at desc, n.id desc offset depth - 1 limit 1;
    if found then
      return query
        select n.id, false
        from public.notifications n
        where n.user_id = me and (n.created_at, n.id) < (from_at, from_id)
          and (n.created_at, n.id) >= (last_at, last_id) and n.actor_id <> all (left_out)
        order by n.created_at, n.id limit 1;
    end if;
  end if;
end
$$;
comment on function private.notification_heads(timestamptz, uuid) is
  'The latest notification of each of the caller''s next twenty groups, older than a given notification, without those of '
  'muted and hidden members. Reads at most 5,000 notifications; if there are more but not twenty groups among them, the last '
  'row is the last visible one of these, which is no group.';
revoke execute on function private.notification_heads(timestamptz, uuid) from public, anon, authenticated;
grant execute on function private.notification_heads(timestamptz, uuid) to authenticated, service_role;

drop function public.notification_groups();
create function public.notification_groups(before_at timestamptz default null, before_id uuid default null)
  returns table (
    id uuid, group_key text, type text, about text, message text, post_id uuid, comment_id uuid, story_id uuid,
    created_at timestamptz, read boolean, content text, actor_count integer, actors jsonb
  )
  language sql stable security invoker set search_path = '' set enable_bitmapscan = off set jit = off
as $$
  with
    mine as not materialized (
      select * from public.notifications n
      where n.user_id = (select auth.uid())
        and n.actor_id not in (select m.muted_id from public.mutes m where m.muter_id = (select auth.uid()))
    )
  select
    n.id, n.group_key, n.type, n.about, n.message, n.post_id, n.comment_id, n.story_id, n.created_at,
    -- Not `not exists`, which may be hashed: that reads all unread notifications of the caller.
    (select true from mine u where u.group_key = n.group_key and not u.read limit 1) is null,
    coalesce(c.content, p.content),
    members.actor_count,
    members.actors
  from private.notification_heads(before_at, before_id) as head
  -- A look-up for each group; the planner would join with all notifications of the caller.
  cross join lateral (select * from public.notifications where id = head.id offset 0) as n
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
        where head.is_group and e.group_key = n.group_key
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
comment on function public.notification_groups(timestamptz, uuid) is
  'A page of twenty of the caller''s groups of notifications, by their latest one, older than a given notification; without one, '
  'the latest. Without those of muted members. Each has the columns of that one, the text of its comment or post, whether all '
  'are read, the latest two actors, and how many actors are among its latest 101 notifications. A last row with an actor_count '
  'of 0 is no group: the next page starts there.';
revoke execute on function public.notification_groups(timestamptz, uuid) from public, anon, authenticated;
grant execute on function public.notification_groups(timestamptz, uuid) to authenticated, service_role;
