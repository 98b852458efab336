-- Stories: visible for 24 hours, kept for their owner for seven more days, then deleted.

create table public.stories (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  media_url text not null,
  media_type text not null check (media_type in ('image', 'video')),
  content text,
  audience text not null default 'public' check (audience in ('public', 'followers')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
  thumbnail_url text,
  media_width integer,
  media_height integer,
  duration_ms integer,
  constraint stories_content_not_blank check (content ~ '\S'),
  constraint stories_content_length check (char_length(content) <= 500),
  constraint stories_media_length check (
    char_length(media_url) <= case media_type when 'image' then 2100000 else 28000000 end
  ),
  constraint stories_media_format check (
    left(media_url, 23) ~ case media_type
      when 'image' then '^data:image/(webp|jpeg|png);base64,'
      else '^data:video/(mp4|webm);base64,'
    end
  ),
  constraint stories_thumbnail_length check (char_length(thumbnail_url) <= 28000),
  constraint stories_thumbnail_format check (
    left(thumbnail_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'
  ),
  constraint stories_media_size check (
    (media_width is null) = (media_height is null)
    and media_width between 1 and 8192 and media_height between 1 and 8192
  ),
  constraint stories_duration check (
    duration_ms is null or (media_type = 'video' and duration_ms between 1 and 60000)
  )
);
comment on table public.stories is
  'Pictures and videos that expire. Clients cannot set created_at or expires_at, so a list newest first can sort by '
  'expires_at, which has the index.';
comment on column public.stories.thumbnail_url is 'A smaller picture, or a frame of the video.';
comment on column public.stories.duration_ms is 'Length of a video in milliseconds.';
alter table public.stories alter column media_url set storage external;
create index stories_expires_idx on public.stories (expires_at desc, id desc);
create index stories_user_idx on public.stories (user_id, expires_at desc, id desc);
alter table public.stories enable row level security;
revoke all on table public.stories from public, anon, authenticated;
grant all on table public.stories to service_role;
grant select, delete on table public.stories to authenticated;
grant insert (
  id, user_id, media_url, media_type, content, thumbnail_url, media_width, media_height, duration_ms
) on table public.stories to authenticated;

create trigger stories_allow before insert on public.stories
  for each row when (pg_catalog.row_security_active('public.stories')) execute function private.count_quota('stories');
create trigger stories_allow_media before insert on public.stories
  for each row when (pg_catalog.row_security_active('public.stories'))
  execute function private.check_media_quota();
create trigger stories_audience before insert on public.stories
  for each row execute function private.set_audience();

create function private.delete_expired_stories(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  removed integer;
begin
  delete from public.stories where id = any (array(
    select id from public.stories where expires_at <= now() - interval '7 days'
    order by expires_at limit max_rows for update skip locked
  ));
  get diagnostics removed = row_count;
  return removed;
end
$$;
comment on function private.delete_expired_stories(integer) is
  'Deletes at most max_rows stories that expired seven days ago; returns how many.';
revoke execute on function private.delete_expired_stories(integer) from public, anon, authenticated;

create function private.cleanup_stories() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.delete_expired_stories(20);
  return null;
end
$$;
comment on function private.cleanup_stories() is
  'Deletes up to twenty old stories with each new one: more than are added, even on a server without a scheduler. '
  'Until then the policy hides them.';
revoke execute on function private.cleanup_stories() from public, anon, authenticated;
create trigger stories_cleanup after insert on public.stories
  for each statement execute function private.cleanup_stories();

create table public.story_views (
  viewer_id uuid not null references public.profiles (id) on delete cascade,
  story_id uuid not null references public.stories (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (story_id, viewer_id)
);
comment on table public.story_views is 'One per story and viewer, never its owner. Visible to viewer and owner.';
create index story_views_story_idx on public.story_views (story_id, created_at desc, viewer_id desc);
create index story_views_viewer_idx on public.story_views (viewer_id);
alter table public.story_views enable row level security;
revoke all on table public.story_views from public, anon, authenticated;
grant all on table public.story_views to service_role;
grant select on table public.story_views to authenticated;
grant insert (story_id, viewer_id) on table public.story_views to authenticated;

create trigger story_views_allow before insert on public.story_views
  for each row when (pg_catalog.row_security_active('public.story_views')) execute function private.count_quota('story_views');
create trigger story_views_serialize before insert on public.story_views
  for each statement execute function private.serialize_writes('shared');

create function private.notify_story_view() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, actor_id, type, story_id)
    select s.user_id, c.viewer_id, 'story_view', c.story_id
    from changed c join public.stories s on s.id = c.story_id
    where s.user_id <> c.viewer_id
    on conflict do nothing;
  return null;
end
$$;
comment on function private.notify_story_view() is 'Notifies a story''s owner of a view.';
revoke execute on function private.notify_story_view() from public, anon, authenticated;
create trigger story_views_notify after insert on public.story_views
  referencing new table as changed for each statement execute function private.notify_story_view();

create policy stories_session on public.stories as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
-- The client's list has the condition on expires_at too. The planner would take the two conditions for independent, expect
-- a tenth of the rows, and sort all running stories instead of walking stories_expires_idx until it has a page; it does
-- not estimate a `case`.
create policy stories_select on public.stories for select to authenticated
  using (
    case
      when user_id = (select auth.uid()) then expires_at > now() - interval '7 days'
      when expires_at > now() then
        (audience = 'public' or user_id in (select private.my_following_ids()))
        and user_id not in (select private.my_hidden_ids())
      else false
    end
  );
create policy stories_insert on public.stories for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy stories_delete on public.stories for delete to authenticated
  using (user_id = (select auth.uid()));

create policy story_views_session on public.story_views as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy story_views_select on public.story_views for select to authenticated
  using (
    viewer_id = (select auth.uid())
    or (
      viewer_id not in (select private.my_hidden_ids())
      and exists (
        select 1 from public.stories s where s.id = story_id and s.user_id = (select auth.uid()) offset 0
      )
    )
  );
create policy story_views_insert on public.story_views for insert to authenticated
  with check (
    viewer_id = (select auth.uid())
    and exists (
      select 1 from public.stories s where s.id = story_id and s.user_id <> (select auth.uid())
    )
  );
