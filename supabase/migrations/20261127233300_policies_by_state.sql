-- Who is pending or suspended reads the own rows that a download has, and nothing else (0109). Writing stays with members. Each policy
-- locks auth.users on hosted projects until the file ends: nothing else is in it.

alter policy posts_session on public.posts using (
  nullif((select private.is_member()), false) is not null
  or user_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
);
alter policy post_photos_session on public.post_photos using (
  nullif((select private.is_member()), false) is not null
  or user_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
);
alter policy stories_session on public.stories using (
  nullif((select private.is_member()), false) is not null
  or user_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
);
alter policy comments_session on public.comments using (
  nullif((select private.is_member()), false) is not null
  or user_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
);
alter policy likes_session on public.likes using (
  nullif((select private.is_member()), false) is not null
  or user_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
);
alter policy comment_likes_session on public.comment_likes using (
  nullif((select private.is_member()), false) is not null
  or user_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
);
alter policy saved_posts_session on public.saved_posts using (
  nullif((select private.is_member()), false) is not null
  or user_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
);
alter policy hashtag_follows_session on public.hashtag_follows using (
  nullif((select private.is_member()), false) is not null
  or follower_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
);
alter policy follow_requests_session on public.follow_requests using (
  nullif((select private.is_member()), false) is not null
  or requester_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
);
alter policy message_photos_session on public.message_photos using (
  nullif((select private.is_member()), false) is not null
  or sender_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
);
alter policy messages_session on public.messages using (
  nullif((select private.is_member()), false) is not null
  or sender_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
);
alter policy conversation_members_session on public.conversation_members using (
  nullif((select private.is_member()), false) is not null
  or member_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
);
-- An account without a profile has a session only, and reads the row that it inserts.
alter policy profiles_session on public.profiles using (
  nullif((select private.is_member()), false) is not null
  or id = (select auth.uid()) and nullif((select private.has_session()), false) is not null
);
alter policy follows_session on public.follows using (
  nullif((select private.is_member()), false) is not null
  or (follower_id = (select auth.uid()) or following_id = (select auth.uid())) and nullif((select private.has_account()), false) is not null
);
alter policy conversations_session on public.conversations using (
  nullif((select private.is_member()), false) is not null
  or (participant_1 = (select auth.uid()) or participant_2 = (select auth.uid())) and nullif((select private.has_account()), false) is not null
);
