-- The embedded server sends a comment only to the members in the channel of its post who see its author, so that a blocked member
-- does not learn that somebody they do not see has commented: docs/decisions/0059-ended-rights.md. On hosted servers everybody in
-- the channel gets the ids, and nothing else.

create or replace function private.broadcast_comments() returns trigger
  language plpgsql security definer set search_path = '' set lock_timeout = '1s'
as $$
declare
  -- Embedded servers remove the author before they send a broadcast; hosted servers would store and send it.
  filters_readers constant boolean := private.broadcasts_carry_rows();
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return null;
  end if;
  perform realtime.send(
    jsonb_build_object('table', 'comments', 'type', tg_op, 'ids', told.ids, 'threads', told.threads)
      || case when filters_readers then jsonb_build_object('author', told.user_id) else '{}' end,
    'change', 'post:' || told.post_id, true
  )
  from (
    select
      c.post_id,
      c.user_id,
      -- Embedded servers broadcast at most 8,000 bytes at once.
      (array_agg(c.id order by c.created_at, c.id))[1:80] as ids,
      (array_agg(distinct c.parent_id) filter (where c.parent_id is not null))[1:80] as threads
    from changed c
    -- Not for posts that are deleted with their comments.
    join public.posts p on p.id = c.post_id
    group by c.post_id, c.user_id
    limit 100
  ) as told;
  return null;
exception when others then
  -- The client sees the change when it refetches; a comment that fails would be lost.
  raise warning 'A change of comments was not broadcast: %', sqlerrm;
  return null;
end
$$;
comment on function private.broadcast_comments() is
  'Broadcasts the ids of new and deleted comments of a member, and of the threads that they belong to, in the private channel of '
  'their post. Never fails: a comment does not depend on Realtime.';
