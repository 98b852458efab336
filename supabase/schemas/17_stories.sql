-- Stories and who has seen them.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table public.stories (
  id uuid not null default private.new_id(),
  user_id uuid not null,
  media_url text,
  media_type text not null,
  content text,
  audience text not null default 'public',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default (now() + '24:00:00'::interval),
  thumbnail_url text,
  media_width integer,
  media_height integer,
  duration_ms integer,
  media_path text,
  poster_path text,
  thumbhash text,
  state text not null default 'visible',
  has_sound boolean,
  color_space text,
  constraint stories_media_type_check check (media_type in ('image', 'video')),
  constraint stories_content_not_blank check (content ~ '\S'),
  constraint stories_content_length check (char_length(content) <= 500),
  constraint stories_media_length check (char_length(media_url) <=
    case media_type
      when 'image' then 2100000
      else 28000000
    end),
  constraint stories_media_format check (left(media_url, 23) ~
    case media_type
      when 'image' then '^data:image/(webp|jpeg|png);base64,'
      else '^data:video/(mp4|webm);base64,'
    end),
  constraint stories_thumbnail_length check (char_length(thumbnail_url) <= 28000),
  constraint stories_thumbnail_format check (left(thumbnail_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'),
  constraint stories_media_size check ((media_width is null) = (media_height is null) and media_width between 1 and 8192 and media_height between 1 and 8192),
  constraint stories_duration check (duration_ms is null or media_type = 'video' and duration_ms between 1 and 60000),
  constraint stories_pkey primary key (id),
  constraint stories_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade,
  constraint stories_media_path_key unique (media_path),
  constraint stories_poster_path_key unique (poster_path),
  constraint stories_one_media check (num_nonnulls(media_url, media_path) = 1),
  constraint stories_media_path check (private.is_object_key(media_path, user_id, media_type)),
  constraint stories_poster_path check (private.is_object_key(poster_path, user_id, 'image')),
  constraint stories_thumbhash check (private.is_thumbhash(thumbhash)),
  constraint stories_media_parts check (
    case
      when media_path is null then num_nonnulls(poster_path, thumbhash) = 0
      else thumbnail_url is null
    end),
  constraint stories_state_check check (state in ('visible', 'warned', 'hidden')),
  constraint stories_audience_check check (audience in ('public', 'followers', 'nobody')),
  constraint stories_has_sound check (has_sound is null or media_type = 'video'),
  constraint stories_color_space check (color_space in ('srgb', 'p3'))
);
comment on table public.stories is
  'Pictures and videos that expire. Triggers set audience from the author''s privacy and the state. Clients '
  'cannot set created_at or expires_at, so a list newest first can sort by expires_at, which has the index.';
comment on column public.stories.thumbnail_url is 'A smaller picture, or a frame of the video, with media_url.';
comment on column public.stories.duration_ms is 'Length of a video in milliseconds.';
comment on column public.stories.poster_path is 'A smaller picture, or a frame of the video, with media_path.';
alter table public.stories alter column media_url set storage external;
create index stories_expires_idx on public.stories (expires_at desc, id desc);
create index stories_user_idx on public.stories (user_id, expires_at desc, id desc);
alter table public.stories enable row level security;
revoke all on table public.stories from public, anon, authenticated;
grant select, insert (id, user_id, media_url, media_type, content, thumbnail_url, media_width, media_height, duration_ms, media_path, poster_path, thumbhash) on table public.stories to authenticated;
grant all on table public.stories to service_role;

create table public.story_views (
  viewer_id uuid not null,
  story_id uuid not null,
  created_at timestamptz not null default now(),
  constraint story_views_pkey primary key (story_id, viewer_id),
  constraint story_views_viewer_id_fkey foreign key (viewer_id) references public.profiles (id) on delete cascade,
  constraint story_views_story_id_fkey foreign key (story_id) references public.stories (id) on delete cascade
);
comment on table public.story_views is 'One per story and viewer, never its owner. Visible to viewer and owner.';
create index story_views_story_idx on public.story_views (story_id, created_at desc, viewer_id desc);
create index story_views_viewer_idx on public.story_views (viewer_id);
alter table public.story_views enable row level security;
revoke all on table public.story_views from public, anon, authenticated;
grant select, insert (viewer_id, story_id) on table public.story_views to authenticated;
grant all on table public.story_views to service_role;

create function private.delete_expired_stories(max_rows integer) returns integer
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  old uuid[] := array(
    select id from public.stories
    where expires_at <= now() - interval '7 days' and user_id not in (select private.removed_member_ids())
    order by expires_at limit max_rows for update skip locked
  );
  large uuid[] := array(select id from unnest(old) as id where private.weigh('public.stories', array[id], 200) >= 200);
begin
  perform private.hold_items('public.stories', large);
  begin
    delete from public.stories where id = any (old) and id <> all (large);
  exception when lock_not_available then
    -- Somebody marks notifications of these stories as read, for as long as they like.
    return cardinality(large);
  end;
  return cardinality(old);
end
$$;
comment on function private.delete_expired_stories(integer) is
  'Deletes up to max_rows stories that expired a week ago, those with very many viewers by a job, and returns '
  'how many. Waits at most 200 ms for a row.';
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
  'Deletes up to twenty old stories with each new one: more than are added, even on a server without a '
  'scheduler. Until then the policy hides them.';
revoke execute on function private.cleanup_stories() from public, anon, authenticated;

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

create function private.notify_story_mentions() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, actor_id, type, story_id)
    select member, new.user_id, 'mention', new.id
    from private.mentioned_members(new.content, new.user_id, new.user_id, new.audience) as member
    on conflict do nothing;
  return null;
end
$$;
comment on function private.notify_story_mentions() is 'Notifies the members that the caption of a new story mentions.';
revoke execute on function private.notify_story_mentions() from public, anon, authenticated;

create trigger stories_allow before insert on public.stories
  for each row when (pg_catalog.row_security_active('public.stories')) execute function private.count_quota('stories');
create trigger stories_allow_media before insert on public.stories
  for each row when (pg_catalog.row_security_active('public.stories'))
  execute function private.check_media_quota();
create trigger stories_cleanup after insert on public.stories
  for each statement execute function private.cleanup_stories();
create trigger stories_check_objects before insert on public.stories
  for each row when (num_nonnulls(new.media_path, new.poster_path) > 0)
  execute function private.check_objects('user_id', 'media_path', 'poster_path');
create trigger stories_notify_mentions after insert on public.stories
  for each row when (new.content is not null) execute function private.notify_story_mentions();
create trigger stories_visible before insert on public.stories
  for each row when (not private.is_visible(new.content))
  execute function private.refuse_blank('stories_content_not_blank');
create trigger stories_visible_change before update of content on public.stories
  for each row when (new.content is distinct from old.content and not private.is_visible(new.content))
  execute function private.refuse_blank('stories_content_not_blank');
create trigger stories_compose before insert on public.stories
  for each row when (new.content is not nfc normalized)
  execute function private.compose_texts('content');
create trigger stories_compose_change before update of content on public.stories
  for each row when (new.content is distinct from old.content and new.content is not nfc normalized)
  execute function private.compose_texts('content');
create trigger stories_bound_content before insert or update of content on public.stories
  for each row when (char_length(new.content) > 1000) execute function private.refuse_blank('stories_content_length');
create trigger stories_audience before insert on public.stories
  for each row when (not pg_catalog.row_security_active('public.stories') or new.user_id = auth.uid())
  execute function private.set_audience();
create trigger stories_state before update of state on public.stories
  for each row when (new.state <> old.state) execute function private.set_audience();

create trigger story_views_allow before insert on public.story_views
  for each row when (pg_catalog.row_security_active('public.story_views')) execute function private.count_quota('story_views');
create trigger story_views_notify after insert on public.story_views
  referencing new table as changed for each statement execute function private.notify_story_view();
create trigger story_views_apart after insert on public.story_views
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.story_views')) execute function private.refuse_apart();

create policy stories_session on public.stories as restrictive for all to authenticated
  using (
    nullif((select private.is_member()), false) is not null
    or user_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
  )
  with check (nullif((select private.is_member()), false) is not null);

-- The client's list has the condition on expires_at too. The planner would take the two conditions for independent, expect
-- a tenth of the rows, and sort all running stories instead of walking stories_expires_idx until it has a page; it does
-- not estimate a `case`.
create policy stories_select on public.stories for select to authenticated
  using (
    case
      when user_id = (select auth.uid()) then expires_at > now() - interval '7 days'
      when expires_at > now() then
        (audience = 'public' or audience = 'followers' and user_id in (select private.my_following_ids()))
          and user_id not in (select private.my_hidden_ids())
      else false
    end
  );
create policy stories_insert on public.stories for insert to authenticated
  with check (user_id = (select auth.uid()));

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
create policy story_views_removed on public.story_views as restrictive for select to authenticated
  using (story_id not in (select private.removed_story_ids()));

set check_function_bodies = on;
