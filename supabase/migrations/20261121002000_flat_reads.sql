-- Two kinds of reads that grew with the data: measured at a million posts by tests/long/scale.test.ts.

-- The strip asks for what has not expired, and so does the policy. The planner took the two for independent, expected a
-- tenth of what there is, and sorted all running stories instead of walking stories_expires_idx until it had a page. A
-- case is no condition that it estimates; what it lets through is the same.
alter policy stories_select on public.stories
  using (
    case
      when not (select private.is_member()) then false
      when user_id = (select auth.uid()) then expires_at > now() - interval '7 days'
      when expires_at > now() then
        (audience = 'public' or user_id in (select private.my_following_ids()))
        and user_id not in (select private.my_hidden_ids())
      else false
    end
  );

-- One's own likes and comments, newest first, a page at a time: without their order in the index each page asked the
-- policy about every one of them. "Did I like this post" is answered by the primary key.
drop index public.likes_user_idx;
create index likes_user_idx on public.likes (user_id, created_at desc, post_id desc);
drop index public.comments_user_idx;
create index comments_user_idx on public.comments (user_id, created_at desc, id desc);
