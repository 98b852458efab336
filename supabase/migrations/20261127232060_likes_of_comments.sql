-- PostgreSQL cannot look up either part of a condition with 'or', so it read all comments of the community, or all that one of the two likes:
-- nobody could block a member who had liked some hundred thousand.
create or replace function private.traces() returns table (place regclass, rule text)
  language sql stable set search_path = ''
as $$
  values
    -- An acceptance that is under way holds the request: its follow is there once the request is gone.
    ('public.follow_requests'::regclass, 't.requester_id = any ($1) and t.target_id = any ($1)'),
    ('public.follows', 't.follower_id = any ($1) and t.following_id = any ($1)'),
    ('public.comments', 't.user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.user_id)'),
    ('public.likes', 't.user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.user_id)'),
    ('public.comment_likes', 't.user_id = any ($1) and exists (
      select from public.comments c where c.id = t.comment_id and c.user_id = any ($1) and c.user_id <> t.user_id)'),
    ('public.comment_likes', 't.user_id = any ($1) and exists (
      select from public.comments c join public.posts p on p.id = c.post_id
      where c.id = t.comment_id and p.user_id = any ($1) and p.user_id <> t.user_id)'),
    ('public.saved_posts', 't.user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.user_id)'),
    ('public.post_tags', 't.tagged_user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.tagged_user_id)'),
    ('public.story_views', 't.viewer_id = any ($1) and exists (
      select from public.stories s where s.id = t.story_id and s.user_id = any ($1))'),
    ('public.notifications', 't.user_id = any ($1) and t.actor_id = any ($1)')
$$;

-- As private.weigh_traces() and private.part_some() do: a small share of a table is found by an index, whatever the planner knows of it.
alter function private.part(uuid, uuid) set enable_seqscan to off;
alter function private.part(uuid, uuid) set jit to off;
