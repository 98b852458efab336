-- What a member can shape is counted and ends in three seconds: docs/decisions/0095-locks.md

-- Statements, because one may undo many; far above what a person does.
insert into private.quotas (kind, per_minute, per_day) values ('removals', 600, null);
create trigger comment_likes_allow_delete before delete on public.comment_likes
  for each statement when (pg_catalog.row_security_active('public.comment_likes')) execute function private.count_quota('removals');
create trigger follow_requests_allow_delete before delete on public.follow_requests
  for each statement when (pg_catalog.row_security_active('public.follow_requests')) execute function private.count_quota('removals');
create trigger follows_allow_delete before delete on public.follows
  for each statement when (pg_catalog.row_security_active('public.follows')) execute function private.count_quota('removals');
create trigger hashtag_follows_allow_delete before delete on public.hashtag_follows
  for each statement when (pg_catalog.row_security_active('public.hashtag_follows')) execute function private.count_quota('removals');
create trigger likes_allow_delete before delete on public.likes
  for each statement when (pg_catalog.row_security_active('public.likes')) execute function private.count_quota('removals');
create trigger mutes_allow_delete before delete on public.mutes
  for each statement when (pg_catalog.row_security_active('public.mutes')) execute function private.count_quota('removals');
create trigger notifications_allow_delete before delete on public.notifications
  for each statement when (pg_catalog.row_security_active('public.notifications')) execute function private.count_quota('removals');
create trigger post_tags_allow_delete before delete on public.post_tags
  for each statement when (pg_catalog.row_security_active('public.post_tags')) execute function private.count_quota('removals');
create trigger saved_posts_allow_delete before delete on public.saved_posts
  for each statement when (pg_catalog.row_security_active('public.saved_posts')) execute function private.count_quota('removals');

-- PostgREST sets it for each request. Functions that delete much have their own.
alter role authenticated set statement_timeout = '3s';
alter function public.delete_account() set statement_timeout = '30s';
alter function public.delete_posts(uuid[]) set statement_timeout = '30s';
alter function public.delete_comments(uuid[]) set statement_timeout = '30s';
select pg_catalog.pg_notify('pgrst', 'reload config');
