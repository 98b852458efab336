-- What members left under a post stays their own to see and to take back, also once they no longer see the post. The
-- post itself, and what others left there, they see no more than before.

alter policy likes_select on public.likes
  using (
    user_id = (select auth.uid())
    or (
      user_id not in (select private.my_hidden_ids())
      and exists (select 1 from public.posts p where p.id = post_id offset 0)
    )
  );

alter policy comments_select on public.comments
  using (
    user_id = (select auth.uid())
    or (
      user_id not in (select private.my_hidden_ids())
      and exists (select 1 from public.posts p where p.id = post_id offset 0)
    )
  );

alter policy post_tags_select on public.post_tags
  using (
    tagged_user_id = (select auth.uid())
    or (
      exists (select 1 from public.posts p where p.id = post_id offset 0)
      and exists (
        select 1 from public.profiles p
        where p.id = tagged_user_id and (not p.is_private or p.id in (select private.my_following_ids()))
        offset 0
      )
    )
  );
