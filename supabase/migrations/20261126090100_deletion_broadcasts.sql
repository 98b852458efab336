-- Deletions are broadcast too, with ids only: docs/decisions/0067-deletions-and-counts.md.
-- A statement that deletes much is announced once to each member concerned, with at most 100 ids: clients refetch.

create function private.broadcast_deleted_notifications() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_change('notifications', 'DELETE', told.user_id, told.ids)
    from (
      select c.user_id, (array_agg(c.id order by c.created_at desc, c.id))[1:100] as ids
      from changed c
      -- Not to members who are deleted with their notifications.
      join public.profiles p on p.id = c.user_id
      group by c.user_id
      order by max(c.created_at) desc
      limit 500
    ) as told;
  return null;
end
$$;
comment on function private.broadcast_deleted_notifications() is
  'Broadcasts the ids of deleted notifications to their recipients: once for each statement and member, to at most 500.';
revoke execute on function private.broadcast_deleted_notifications() from public, anon, authenticated;

create trigger notifications_broadcast_delete after delete on public.notifications
  referencing old table as changed for each statement execute function private.broadcast_deleted_notifications();

create function private.broadcast_deleted_conversations() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_change('conversations', 'DELETE', told.member_id, told.ids)
    from (
      select p.id as member_id, (array_agg(c.id order by c.last_message_at desc, c.id))[1:100] as ids
      from changed c
      join public.profiles p on p.id in (c.participant_1, c.participant_2)
      group by p.id
      order by max(c.last_message_at) desc
      limit 500
    ) as told;
  return null;
end
$$;
comment on function private.broadcast_deleted_conversations() is
  'Broadcasts the ids of deleted conversations to the members whose account remains: once for each statement and member, to '
  'at most 500.';
revoke execute on function private.broadcast_deleted_conversations() from public, anon, authenticated;

create trigger conversations_broadcast_delete after delete on public.conversations
  referencing old table as changed for each statement execute function private.broadcast_deleted_conversations();

create function private.broadcast_deleted_posts() returns trigger
  language plpgsql security definer set search_path = '' set lock_timeout = '1s'
as $$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return null;
  end if;
  perform realtime.send(
    jsonb_build_object('table', 'posts', 'type', 'DELETE', 'ids', jsonb_build_array(told.id)),
    'change', 'post:' || told.id, true
  )
  from (select c.id from changed c order by c.created_at desc, c.id limit 100) as told;
  return null;
exception when others then
  -- The client sees the change when it refetches; a deletion that fails would be lost.
  raise warning 'A deletion of posts was not broadcast: %', sqlerrm;
  return null;
end
$$;
comment on function private.broadcast_deleted_posts() is
  'Broadcasts that a post was deleted, in its private channel: of at most 100 posts of a statement. Never fails: a deletion '
  'does not depend on Realtime.';
revoke execute on function private.broadcast_deleted_posts() from public, anon, authenticated;

create trigger posts_broadcast_delete after delete on public.posts
  referencing old table as changed for each statement execute function private.broadcast_deleted_posts();

create function private.broadcast_own_likes() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_change('likes', tg_op, told.user_id, told.ids)
    from (
      select c.user_id, (array_agg(c.post_id order by c.created_at desc, c.post_id))[1:100] as ids
      from changed c
      -- Not for likes that are deleted with their post or member.
      join public.posts p on p.id = c.post_id
      join public.profiles m on m.id = c.user_id
      group by c.user_id
      limit 100
    ) as told;
  return null;
end
$$;
comment on function private.broadcast_own_likes() is
  'Broadcasts the ids of posts that a member liked, or no longer likes, to their other devices.';
revoke execute on function private.broadcast_own_likes() from public, anon, authenticated;

create trigger likes_broadcast after insert on public.likes
  referencing new table as changed for each statement execute function private.broadcast_own_likes();
create trigger likes_broadcast_delete after delete on public.likes
  referencing old table as changed for each statement execute function private.broadcast_own_likes();
