-- What members did themselves to something removed disappears with it: docs/decisions/0097-deleting-large-things.md

create function private.removed_post_ids() returns setof uuid
  language plpgsql stable security definer set search_path = '' cost 1 rows 10
as $$
begin
  return query
    select p.id from private.jobs j join public.posts p on p.id = any (j.items) and p.user_id = j.subject_id
    where j.items is not null;
end
$$;
comment on function private.removed_post_ids() is
  'Posts that wait to be cleaned up, without those of closed accounts. A set, hashed once per statement; never returned to clients.';
revoke execute on function private.removed_post_ids() from public, anon;
grant execute on function private.removed_post_ids() to authenticated;

create function private.removed_story_ids() returns setof uuid
  language plpgsql stable security definer set search_path = '' cost 1 rows 10
as $$
begin
  return query
    select s.id from private.jobs j join public.stories s on s.id = any (j.items) and s.user_id = j.subject_id
    where j.items is not null;
end
$$;
comment on function private.removed_story_ids() is 'As removed_post_ids(), of stories.';
revoke execute on function private.removed_story_ids() from public, anon;
grant execute on function private.removed_story_ids() to authenticated;

create policy likes_removed on public.likes as restrictive for select to authenticated
  using (post_id not in (select private.removed_post_ids()));
create policy saved_posts_removed on public.saved_posts as restrictive for select to authenticated
  using (post_id not in (select private.removed_post_ids()));
create policy post_tags_removed on public.post_tags as restrictive for select to authenticated
  using (post_id not in (select private.removed_post_ids()));
create policy comment_likes_removed on public.comment_likes as restrictive for select to authenticated
  using (comment_id not in (select private.removed_comment_ids()));
create policy story_views_removed on public.story_views as restrictive for select to authenticated
  using (story_id not in (select private.removed_story_ids()));
alter policy comments_removed on public.comments
  using (
    post_id not in (select private.removed_post_ids())
    and (parent_id is null or parent_id not in (select private.removed_comment_ids()))
  );
