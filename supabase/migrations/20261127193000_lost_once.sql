-- Which notifications are about something removed is asked once a statement, not of each row: 3,000 took a second while anything was cleaned up.

create function private.lost_notification_ids() returns setof uuid
  language plpgsql stable security definer set search_path = '' set jit = off cost 1 rows 10
as $$
declare
  removed constant uuid[] := array(select private.removed_member_ids());
begin
  if cardinality(removed) = 0 then
    return;
  end if;
  return query
    select n.id from public.notifications n
    left join public.comments c on c.id = n.comment_id
    left join public.comments thread on thread.id = c.parent_id
    left join public.posts p on p.id = n.post_id
    left join public.stories s on s.id = n.story_id
    where n.user_id = (select auth.uid())
      and (c.user_id = any (removed) or thread.user_id = any (removed) or p.user_id = any (removed) or s.user_id = any (removed));
end
$$;
comment on function private.lost_notification_ids() is
  'Notifications of the caller about something that waits to be cleaned up, or about a comment below it. A set, hashed once per statement; empty at once if nothing waits.';
revoke execute on function private.lost_notification_ids() from public, anon;
grant execute on function private.lost_notification_ids() to authenticated;

alter policy notifications_lost on public.notifications using (id not in (select private.lost_notification_ids()));

create or replace function private.notification_heads(before_at timestamptz, before_id uuid)
  returns table(id uuid, is_group boolean)
  language plpgsql
  stable security definer rows 20
  set search_path = ''
  set plan_cache_mode to 'force_custom_plan'
  set enable_bitmapscan to 'off'
  set jit to 'off'
as $$
#variable_conflict use_column
declare
  most constant integer := 20;
  me constant uuid := (select auth.uid());
  left_out constant uuid[] :=
    array(select private.my_hidden_ids()) || array(select m.muted_id from public.mutes m where m.muter_id = me);
  removed constant text[] := array(select id::text from private.removed_item_ids() as id);
  lost constant uuid[] := array(select private.lost_notification_ids());
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
          select n.id, n.group_key, n.actor_id, row_number() over (order by n.created_at desc, n.id desc) as place
          from public.notifications n
          where n.user_id = me and (n.created_at, n.id) < (from_at, from_id)
          order by n.created_at desc, n.id desc limit depth
        ) as walked
        where walked.actor_id <> all (left_out) and split_part(walked.group_key, ' ', 2) <> all (removed)
          and walked.id <> all (lost)
        group by walked.group_key
        order by min(walked.place)
      ) as latest
      cross join lateral (
        select n.id from public.notifications n
        where n.user_id = me and n.group_key = latest.group_key
          and (n.created_at, n.id) < (from_at, from_id) and n.actor_id <> all (left_out)
          and n.id <> all (lost)
        order by n.created_at desc, n.id desc limit 1
      ) as head
      -- A group with a later notification is on an earlier page.
      where before_at is null or not exists (
        select from public.notifications n
        where n.user_id = me and n.group_key = latest.group_key
          and (n.created_at, n.id) >= (from_at, from_id) and n.actor_id <> all (left_out)
          and n.id <> all (lost)
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
          and split_part(n.group_key, ' ', 2) <> all (removed)
          and n.id <> all (lost)
        order by n.created_at, n.id limit 1;
    end if;
  end if;
end
$$;

drop function private.is_lost(uuid);
drop function private.is_removing();
