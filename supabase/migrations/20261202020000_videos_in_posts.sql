-- Videos in posts (docs/decisions/0110-videos-in-posts.md): a row has a cover, one MP4 and captions. The next file validates these checks, without
-- the lock of this statement.
alter table public.post_media
  add captions text,
  add has_captions boolean not null default false,
  drop constraint post_media_kind,
  add constraint post_media_kind check (kind in ('photo', 'video')) not valid,
  drop constraint post_media_duration,
  add constraint post_media_duration check (duration_ms between 1 and 600000) not valid,
  drop constraint post_media_media_path,
  add constraint post_media_media_path check (private.is_object_key(media_path, user_id, 'video') and media_path like '%.mp4') not valid,
  add constraint post_media_captions check (char_length(captions) <= 30000 and has_captions = (captions is not null)
    and (not has_captions or kind = 'video')) not valid;
comment on table public.post_media is
  'Photos and videos of posts in Storage: a photo, or the cover of a video, in up to four sizes. Members who see '
  'the post see its media. '
  'create_post() inserts them; only their alternative text can change.';
comment on column public.post_media.captions is 'WebVTT, as the app writes it.';
comment on column public.post_media.has_captions is 'Lists need not read them.';
grant insert (kind, media_path, duration_ms, has_sound, captions, has_captions) on table public.post_media to authenticated;

-- From the stored numbers: who has lowered those of all media has lowered videos with them.
insert into private.quotas (kind, per_day)
  select added.kind, (q.per_day * added.times)::bigint
  from private.quotas q
  join (values ('media_bytes', 'video_bytes', 4), ('upload_bytes', 'video_upload_bytes', 12.5)) as added (of_all, kind, times)
    on added.of_all = q.kind;

create or replace function private.media_object_bytes() returns bigint
  language sql immutable set search_path = ''
as $$
  select 200000000
$$;
comment on function private.media_object_bytes() is 'The largest object in the bucket `media`, in bytes.';

create function private.media_bytes_of_day(member uuid, of_videos boolean) returns bigint
  language plpgsql security definer set search_path = ''
as $$
declare
  -- Data URLs: four characters for three bytes. Their lengths are known without reading them.
  inline_bytes constant bigint := (
    select coalesce(sum(characters), 0)::bigint * 3 / 4
    from (
      select coalesce(octet_length(image_url), 0) + coalesce(octet_length(thumbnail_url), 0)
        from public.posts where user_id = member and created_at > now() - interval '1 day'
      union all
      select coalesce(octet_length(media_url), 0) + coalesce(octet_length(thumbnail_url), 0)
        from public.stories where user_id = member and expires_at > now()
      union all
      select coalesce(octet_length(image_url), 0)
        from public.message_media where sender_id = member and created_at > now() - interval '1 day'
    ) as stored (characters)
  );
  keys constant text[] := array(
    select key from public.posts p join public.post_media h on h.post_id = p.id,
      unnest(array[h.full_path, h.middle_path, h.feed_path, h.grid_path, h.media_path]) as key
      where p.user_id = member and p.created_at > now() - interval '1 day' and key is not null
    union all
    select key from public.stories, unnest(array[media_path, poster_path]) as key
      where user_id = member and expires_at > now() and key is not null
    union all
    select key from public.message_media, unnest(array[media_path, poster_path]) as key
      where sender_id = member and created_at > now() - interval '1 day' and key is not null
  );
begin
  return case when of_videos then 0 else inline_bytes end + (
    select s.bytes from private.stored_objects(array(
      select key from unnest(keys) as key where (key ~ '\.(mp4|webm)$') = of_videos
    )) s
  );
end
$$;
comment on function private.media_bytes_of_day(uuid, boolean) is
  'Bytes that a member has stored within a day and not deleted: of videos in Storage, or of pictures there and '
  'of both in rows. Sums the rows, so that deleting frees the quota; other quotas limit their number.';
revoke execute on function private.media_bytes_of_day(uuid, boolean) from public, anon, authenticated;

create or replace function private.check_media_quota() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  quota text;
  most bigint;
  characters bigint := 0;
  keys text[] := '{}';
  of_kind text[];
begin
  if tg_table_name = 'posts' then
    characters := coalesce(octet_length(new.image_url), 0) + coalesce(octet_length(new.thumbnail_url), 0);
  elsif tg_table_name = 'stories' then
    characters := coalesce(octet_length(new.media_url), 0) + coalesce(octet_length(new.thumbnail_url), 0);
    keys := array[new.media_path, new.poster_path];
  elsif tg_table_name = 'message_media' then
    characters := coalesce(octet_length(new.image_url), 0);
    keys := array[new.media_path, new.poster_path];
  else
    keys := array[new.full_path, new.middle_path, new.feed_path, new.grid_path, new.media_path];
  end if;
  foreach quota in array array['media_bytes', 'video_bytes'] loop
    of_kind := array(select key from unnest(keys) as key where (key ~ '\.(mp4|webm)$') = (quota = 'video_bytes'));
    most := (select q.per_day from private.quotas q where q.kind = quota);
    -- The sums of a day are for what this row adds to.
    continue when most is null or cardinality(of_kind) = 0 and characters = 0;
    if private.media_bytes_of_day((select auth.uid()), quota = 'video_bytes') + characters * 3 / 4
      + (select s.bytes from private.stored_objects(of_kind) s) > most
    then
      perform private.raise_quota_exceeded(quota, false);
    end if;
    characters := 0;
  end loop;
  return new;
end
$$;
comment on function private.check_media_quota() is 'Refuses a picture or video with which the caller would store more bytes a day than a quota allows.';

drop function private.media_bytes_of_day(uuid);

-- The policy uses the former one until the next file.
create function private.has_upload_room(key text, new_bytes bigint) returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  most_uploads constant integer := 1000;
  is_video constant boolean := coalesce(key ~ '\.(mp4|webm)$', false);
  most_bytes constant bigint := (
    select q.per_day from private.quotas q
    where q.kind = case when is_video then 'video_upload_bytes' else 'upload_bytes' end
  );
begin
  return most_bytes is null or (
    select count(*) < most_uploads
      and coalesce(sum((o.metadata ->> 'size')::bigint) filter (where (o.name ~ '\.(mp4|webm)$') = is_video), 0)
        + coalesce(new_bytes, 0) <= most_bytes
    from storage.objects o
    where o.bucket_id = 'media'
      -- The folder; '0' follows '/'. Storage has an index in this collation.
      and o.name collate "C" >= me::text || '/' and o.name collate "C" < me::text || '0'
      and o.name not in (select private.used_objects(me))
  );
end
$$;
comment on function private.has_upload_room(text, bigint) is
  'Whether the caller may upload an object of this size under this key: at most 1,000 that no row uses, and of '
  'videos `video_upload_bytes`, of pictures `upload_bytes` of the quotas. Reads the caller''s folder and rows: '
  'about a millisecond for 500 photos.';
revoke execute on function private.has_upload_room(text, bigint) from public, anon, authenticated;
grant execute on function private.has_upload_room(text, bigint) to authenticated, service_role;

create function private.media_limit() returns bigint
  language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.has_session() or private.media_bucket_state() = 'no-storage' then
    return null;
  end if;
  return (select coalesce(b.file_size_limit, private.media_object_bytes()) from storage.buckets b where b.id = 'media');
end
$$;
comment on function private.media_limit() is
  'The most bytes of an object that the bucket `media` takes; null without it, and without a session. A project '
  'may have a lower limit, which only Storage knows.';
revoke execute on function private.media_limit() from public, anon, authenticated;
grant execute on function private.media_limit() to authenticated, service_role;

create function public.media_limit() returns bigint
  language sql stable set search_path = ''
as $$
  select private.media_limit()
$$;
comment on function public.media_limit() is
  'The most bytes of an object that clients can store; null if they store pictures and videos in the rows.';
revoke execute on function public.media_limit() from public, anon, authenticated;
grant execute on function public.media_limit() to authenticated, service_role;

create or replace function private.check_objects() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  written constant jsonb := to_jsonb(new);
  folder constant text := written ->> tg_argv[0];
  keys constant text[] := array(
    select distinct written ->> name from unnest(tg_argv[1:]) as name where written ->> name is not null
  );
begin
  -- Not even whether another member's object exists.
  if exists (select from unnest(keys) as key where split_part(key, '/', 1) <> folder)
    or (select s.objects from private.stored_objects(keys) s) < cardinality(keys)
  then
    raise sqlstate 'PT404' using message = 'This file has not been uploaded.', hint = 'Upload it, then try again.';
  end if;
  if private.has_unfit_picture(tg_table_name, written) then
    raise check_violation using message = 'This picture or video is too large.', schema = tg_table_schema, table = tg_table_name;
  end if;
  return new;
end
$$;
comment on function private.check_objects() is
  'PT404 unless the objects in the columns of a new row exist in the folder of the member in the first column. '
  'Refuses pictures and videos that are too large for their column.';

create or replace function private.has_unfit_picture(table_name text, written jsonb) returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
declare
  -- Ten times what the app makes.
  picture_bytes constant integer := 5000000;
  -- Readers load the video of a story to its end. The bucket has the limit of others.
  story_video_bytes constant integer := 45000000;
begin
  if to_regclass('storage.objects') is null then
    return false;
  end if;
  return exists (
    select from private.media_columns() u
    join storage.objects o on o.bucket_id = 'media' and o.name = written ->> u.of_column
    where u.of_table = has_unfit_picture.table_name
      and case when o.name ~ '\.(mp4|webm)$' then
        u.of_table = 'stories' and (o.metadata ->> 'size')::bigint > story_video_bytes
      else
        (o.metadata ->> 'size')::bigint > picture_bytes
        or greatest((o.metadata ->> 'width')::bigint, (o.metadata ->> 'height')::bigint) > u.side
        or (o.metadata ->> 'width')::bigint * (o.metadata ->> 'height')::bigint > u.pixels
        or o.metadata -> 'checked' = 'false'
      end
  );
end
$$;
comment on function private.has_unfit_picture(text, jsonb) is
  'Whether a row of this table refers to a picture of more than 5 MB, one with more pixels than its column '
  'allows, one whose content the server has found harmful, or a story to a video of more than 45 MB. Objects '
  'without a size in their metadata are not compared.';

create or replace function public.create_post(
  post_id uuid,
  content text default ''::text,
  location text default NULL::text,
  media jsonb default '[]'::jsonb
) returns table (id uuid, created_at timestamptz)
  language plpgsql set search_path = ''
as $$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
begin
  -- A retry after a lost response: the post exists, whatever has changed since.
  return query select p.id, p.created_at from public.posts p where p.id = create_post.post_id and p.user_id = me;
  if found then
    return;
  end if;
  set constraints public.posts_not_empty deferred;
  insert into public.posts (id, user_id, content, location)
    values (create_post.post_id, me, coalesce(create_post.content, ''), create_post.location);
  insert into public.post_media (
      user_id, post_id, position, full_path, middle_path, feed_path, grid_path, width, height, thumbhash, alt_text, camera,
      kind, media_path, duration_ms, has_sound, captions, has_captions
    )
    select me, create_post.post_id, medium.number - 1, medium.full_path, medium.middle_path, medium.feed_path,
      medium.grid_path, medium.width, medium.height, medium.thumbhash, medium.alt_text, medium.camera::jsonb,
      coalesce(medium.kind, 'photo'), medium.media_path, medium.duration_ms, medium.has_sound, medium.captions,
      medium.captions is not null
    from rows from (
      jsonb_to_recordset(create_post.media) as (
        full_path text, middle_path text, feed_path text, grid_path text, width integer, height integer,
        thumbhash text, alt_text text, camera text, kind text, media_path text, duration_ms integer,
        has_sound boolean, captions text
      )
    ) with ordinality as medium (
      full_path, middle_path, feed_path, grid_path, width, height, thumbhash, alt_text, camera, kind, media_path,
      duration_ms, has_sound, captions, number
    );
  set constraints public.posts_not_empty immediate;
  return query select p.id, p.created_at from public.posts p where p.id = create_post.post_id;
exception when unique_violation then
  -- The same call has just been committed by another connection.
  return query select p.id, p.created_at from public.posts p where p.id = create_post.post_id and p.user_id = me;
  if not found then
    raise;
  end if;
end
$$;
comment on function public.create_post(uuid, text, text, jsonb) is
  'Inserts a post with up to ten photos and videos whose objects have been uploaded: an array of {full_path, '
  'middle_path, feed_path, grid_path, width, height, thumbhash, alt_text, camera}, in their order; camera is JSON '
  'text, middle_path may be left out. One of kind video has its cover there, and {media_path, duration_ms, '
  'has_sound, captions}. A second call with the same id changes nothing and returns the same.';

create or replace function private.create_media_policies() returns void
  language plpgsql set search_path = ''
as $$
declare
  look_ups constant text := (
    select string_agg(
      format('exists (select 1 from public.%I t where t.%I = objects.name offset 0)', c.of_table, c.of_column),
      ' or ' order by c.number
    )
    from private.media_columns() with ordinality as c (of_table, of_column, owner_column, side, pixels, number)
  );
begin
  -- A project has the tables before Storage itself completes them.
  if not exists (
    select from pg_catalog.pg_attribute where attrelid = to_regclass('storage.buckets') and attname = 'allowed_mime_types'
  ) then
    raise warning 'Storage is not set up: clients store pictures and videos in rows'
      using hint = 'Once it is there, run: select private.create_media_bucket();';
    return;
  end if;
  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
    values (
      'media', 'media', false, private.media_object_bytes(), private.media_object_types()
    )
    on conflict (id) do update set
      public = excluded.public,
      file_size_limit = excluded.file_size_limit,
      allowed_mime_types = excluded.allowed_mime_types;

  drop policy if exists media_session on storage.objects;
  create policy media_session on storage.objects as restrictive for all to authenticated
    using (
      bucket_id is distinct from 'media'
      or nullif((select private.is_member()), false) is not null
      -- Who is suspended downloads and deletes the own objects.
      or split_part(name, '/', 1) = (select auth.uid())::text and nullif((select private.has_account()), false) is not null
    )
    with check (bucket_id is distinct from 'media' or nullif((select private.is_member()), false) is not null);

  -- One look-up by a unique index for each column that holds keys.
  drop policy if exists media_select on storage.objects;
  execute format($policy$
    create policy media_select on storage.objects for select to authenticated
      using (
        bucket_id = 'media'
        and (
          split_part(name, '/', 1) = (select auth.uid())::text
          or %s
          or name in (select private.my_blocked_avatars())
        )
      )
  $policy$, look_ups);

  -- Not under a key that a row uses: otherwise a member could replace a picture that others have seen.
  drop policy if exists media_insert on storage.objects;
  create policy media_insert on storage.objects for insert to authenticated
    with check (
      bucket_id = 'media'
      and (
        private.is_object_key(name, (select auth.uid()), 'image')
        or private.is_object_key(name, (select auth.uid()), 'video')
      )
      and not private.is_object_used(name)
      -- Storage checks this row before an upload, with the length that the client declares, and knows the size when it ends.
      and private.has_upload_room(
        name, coalesce((metadata ->> 'size')::bigint, (metadata ->> 'contentLength')::bigint)
      )
    );

  -- Rows first, then their objects.
  drop policy if exists media_delete on storage.objects;
  create policy media_delete on storage.objects for delete to authenticated
    using (
      bucket_id = 'media'
      and split_part(name, '/', 1) = (select auth.uid())::text
      and (select private.media_columns_match())
      and not private.is_object_used(name)
    );
end
$$;
comment on function private.create_media_policies() is 'Creates the bucket `media` and its policies, or warns that Storage is not set up.';
