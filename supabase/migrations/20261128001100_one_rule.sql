-- The rule of posts and stories asks for each audience by name: any other is its author's only. docs/decisions/0108-one-rule-of-visibility.md

alter policy posts_select on public.posts using (
  user_id = (select auth.uid())
  or (audience = 'public' or audience = 'followers' and user_id in (select private.my_following_ids()))
    and user_id not in (select private.my_hidden_ids())
);

alter policy stories_select on public.stories using (
  case
    when user_id = (select auth.uid()) then expires_at > now() - interval '7 days'
    when expires_at > now() then
      (audience = 'public' or audience = 'followers' and user_id in (select private.my_following_ids()))
        and user_id not in (select private.my_hidden_ids())
    else false
  end
);
