-- What watching stories needs besides the media: a still, a shape and a length; and their removal on a schedule.

alter table public.stories
  add column thumbnail_url text,
  add column media_width integer,
  add column media_height integer,
  add column duration_ms integer,
  add constraint stories_thumbnail_length check (char_length(thumbnail_url) <= 28000),
  add constraint stories_thumbnail_format check (
    left(thumbnail_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'
  ),
  add constraint stories_media_size check (
    (media_width is null) = (media_height is null)
    and media_width between 1 and 8192 and media_height between 1 and 8192
  ),
  add constraint stories_duration check (
    duration_ms is null or (media_type = 'video' and duration_ms between 1 and 60000)
  );
comment on column public.stories.thumbnail_url is 'The picture in small, or a frame of the video.';
comment on column public.stories.duration_ms is 'Length of a video in milliseconds.';

grant insert (thumbnail_url, media_width, media_height, duration_ms) on table public.stories to authenticated;

create function private.remove_old_stories(most integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  removed integer;
begin
  delete from public.stories where id in (
    select id from public.stories where expires_at <= now() - interval '7 days'
    order by expires_at limit most for update skip locked
  );
  get diagnostics removed = row_count;
  return removed;
end
$$;
comment on function private.remove_old_stories(integer) is
  'Deletes stories seven days after they expired, so many at most; gives how many.';

create or replace function private.delete_old_stories() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.remove_old_stories(20);
  return null;
end
$$;
comment on function private.delete_old_stories() is
  'Twenty at most with each new story: more than come in, also where nothing runs on a schedule. Until then the policy '
  'hides them from everybody.';

create function private.remove_leftovers() returns integer
  language sql security definer set search_path = ''
as $$
  select private.remove_old_stories(1000) + private.remove_unsent_photos(1000)
$$;
comment on function private.remove_leftovers() is
  'What a schedule calls every hour: deletes what nobody can see any more, and gives how many rows went.';

revoke execute on function private.remove_old_stories(integer), private.remove_leftovers()
  from public, anon, authenticated;

-- On a server with pg_cron, which is every hosted project. The embedded backend calls the function itself; anywhere
-- else the triggers do.
do $$
begin
  if exists (select from pg_catalog.pg_available_extensions where name = 'pg_cron') then
    begin
      create extension if not exists pg_cron with schema pg_catalog;
    exception when others then
      raise notice 'pg_cron cannot be had here: %', sqlerrm;
    end;
  end if;
  if to_regprocedure('cron.schedule(text,text,text)') is not null then
    perform cron.schedule('remove-leftovers', '17 * * * *', 'select private.remove_leftovers()');
  end if;
end
$$;
