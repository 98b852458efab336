-- With the audience, so that the newest post of each followed member is read from the index alone.
drop index public.posts_user_idx;
create index posts_user_idx on public.posts (user_id, created_at desc, id desc) include (audience);
