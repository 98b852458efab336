-- Clients choose ids, and a row may have the id of another table's: a removed comment with the id of somebody else's post hid what
-- is below that post. So what is removed is found by its row and the holder that keeps it, never by its id alone.

create function private.removed_comment_ids() returns setof uuid
  language plpgsql stable security definer set search_path = '' cost 1 rows 10
as $$
begin
  return query
    select c.id from private.jobs j join public.comments c on c.id = any (j.items) and c.user_id = j.subject_id
    where j.items is not null;
end
$$;
comment on function private.removed_comment_ids() is
  'Comments that wait to be cleaned up, without those of closed accounts. A set, hashed once per statement; never returned to clients.';
revoke execute on function private.removed_comment_ids() from public, anon;
grant execute on function private.removed_comment_ids() to authenticated;

alter policy comments_removed on public.comments
  using (parent_id is null or parent_id not in (select private.removed_comment_ids()));

-- notifications_lost leaves out all of these.
drop policy notifications_removed on public.notifications;

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
        where walked.actor_id <> all (left_out) and walked.id <> all (lost)
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
          and n.id <> all (lost)
        order by n.created_at, n.id limit 1;
    end if;
  end if;
end
$$;

drop function private.removed_item_ids();
