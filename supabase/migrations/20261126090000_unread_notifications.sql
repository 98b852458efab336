-- The badge counts unread notifications, not groups: docs/decisions/0067-deletions-and-counts.md.

create or replace function public.unread_notifications() returns integer
  language sql stable security invoker set search_path = '' set enable_bitmapscan = off
as $$
  select count(*)::integer
  from (
    select 1 from public.notifications n
    where n.user_id = (select auth.uid()) and not n.read
      and n.actor_id not in (select m.muted_id from public.mutes m where m.muter_id = (select auth.uid()))
    -- The order of notifications_unread_group_idx: the first ten of it are read, not the table.
    order by n.group_key limit 10
  ) as counted
$$;
comment on function public.unread_notifications() is
  'The caller''s unread notifications, 0 to 10: the badge shows 9+ above nine. Leaves out those of muted members, as '
  'notification_groups() does.';
