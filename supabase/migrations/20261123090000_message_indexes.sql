-- Few messages refer to another message, a story, a post or a profile: the others need no entries in these indexes.

drop index public.messages_reply_to_idx, public.messages_shared_post_idx,
  public.messages_shared_profile_idx, public.messages_shared_story_idx, public.messages_story_idx;
create index messages_reply_to_idx on public.messages (reply_to_id) where reply_to_id is not null;
create index messages_shared_post_idx on public.messages (shared_post_id) where shared_post_id is not null;
create index messages_shared_profile_idx on public.messages (shared_profile_id) where shared_profile_id is not null;
create index messages_shared_story_idx on public.messages (shared_story_id) where shared_story_id is not null;
create index messages_story_idx on public.messages (story_id) where story_id is not null;
