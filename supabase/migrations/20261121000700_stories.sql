-- Stories: seen for 24 hours, kept for their owner for seven days more, then deleted.

create table public.stories (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  media_url text not null,
  media_type text not null check (media_type in ('image', 'video')),
  content text,
  audience text not null default 'public' check (audience in ('public', 'followers')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
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
  )
);
comment on table public.stories is
  'Pictures and videos that expire. Clients cannot set created_at or expires_at, so a list newest first may be ordered '
  'by expires_at, which has the index.';
alter table public.stories alter column media_url set storage external;
create index stories_expires_idx on public.stories (expires_at desc, id desc);
create index stories_user_idx on public.stories (user_id, expires_at desc, id desc);

alter table public.stories enable row level security;
revoke all on table public.stories from public, anon, authenticated;
grant select, delete on table public.stories to authenticated;
grant insert (id, user_id, media_url, media_type, content) on table public.stories to authenticated;
grant all on table public.stories to service_role;

create policy stories_select on public.stories for select to authenticated
  using (
    (select private.is_member())
    and (
      (user_id = (select auth.uid()) and expires_at > now() - interval '7 days')
      or (
        expires_at > now()
        and (audience = 'public' or user_id in (select private.my_following_ids()))
      )
    )
  );
create policy stories_insert on public.stories for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy stories_delete on public.stories for delete to authenticated
  using (user_id = (select auth.uid()));

create trigger stories_audience before insert on public.stories
  for each row execute function private.set_audience();

create function private.delete_old_stories() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.stories where id in (
    select id from public.stories where expires_at <= now() - interval '7 days'
    order by expires_at limit 20 for update skip locked
  );
  return null;
end
$$;
comment on function private.delete_old_stories() is
  'Deletes stories seven days after they expired, twenty at most with each new story: more than come in, and without a '
  'scheduler, which not every server has. Until then the policy hides them from everybody.';
revoke execute on function private.delete_old_stories() from public, anon, authenticated;
create trigger stories_delete_old after insert on public.stories
  for each statement execute function private.delete_old_stories();

create table public.story_views (
  viewer_id uuid not null references public.profiles (id) on delete cascade,
  story_id uuid not null references public.stories (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (story_id, viewer_id)
);
comment on table public.story_views is 'Who has seen a story: once each, never its owner. Known to viewer and owner.';
create index story_views_story_idx on public.story_views (story_id, created_at desc, viewer_id desc);
create index story_views_viewer_idx on public.story_views (viewer_id);

alter table public.story_views enable row level security;
revoke all on table public.story_views from public, anon, authenticated;
grant select on table public.story_views to authenticated;
grant insert (story_id, viewer_id) on table public.story_views to authenticated;
grant all on table public.story_views to service_role;

create policy story_views_select on public.story_views for select to authenticated
  using (
    viewer_id = (select auth.uid())
    or exists (
      select 1 from public.stories s where s.id = story_id and s.user_id = (select auth.uid()) offset 0
    )
  );
create policy story_views_insert on public.story_views for insert to authenticated
  with check (
    viewer_id = (select auth.uid())
    and exists (
      select 1 from public.stories s where s.id = story_id and s.user_id <> (select auth.uid())
    )
  );

create trigger story_views_take_turns before insert on public.story_views
  for each statement execute function private.take_turns('shared');
