-- Who no longer may read a post keeps the own comments below it, and read the likes that others gave to them later. The policy of comments has
-- asked for the post of everybody else's.
alter policy comment_likes_select on public.comment_likes
  using (
    user_id = (select auth.uid())
    or (
      user_id not in (select private.my_hidden_ids())
      and exists (
        select 1 from public.comments c
        where c.id = comment_id
          and (c.user_id <> (select auth.uid()) or exists (select 1 from public.posts p where p.id = c.post_id))
        offset 0
      )
    )
  );
