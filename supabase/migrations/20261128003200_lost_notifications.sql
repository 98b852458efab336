-- With thousands of accounts that wait to be cleaned up, each notification was compared with each of them: opening the notifications took
-- seconds. A set is hashed.

create or replace function private.lost_notification_ids() returns setof uuid
  language plpgsql stable security definer cost 1 rows 10 set search_path = '' set jit = off
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
      and (
        c.user_id in (select unnest(removed)) or thread.user_id in (select unnest(removed))
        or p.user_id in (select unnest(removed)) or s.user_id in (select unnest(removed))
      );
end
$$;
