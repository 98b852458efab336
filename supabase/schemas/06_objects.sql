-- Keys of stored objects, and what may be uploaded: docs/decisions/0012-media-in-storage.md.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

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

create function private.check_media_quota() returns trigger
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
revoke execute on function private.check_media_quota() from public, anon, authenticated;

create function private.is_object_key(key text, owner uuid, media_type text) returns boolean
  language sql immutable set search_path = ''
as $$
  -- A pattern with the owner in it would be compiled for each row.
  select left(key, 36) = owner::text and case media_type
    when 'image' then substr(key, 37) ~ '^/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(webp|avif|jpg|png)$'
    when 'video' then substr(key, 37) ~ '^/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(mp4|webm)$'
  end
$$;
comment on function private.is_object_key(text, uuid, text) is
  'Whether a text is the key of a picture or a video in the folder of this member. Without this check, a '
  'member could post another member''s key and so get access to the object.';
revoke execute on function private.is_object_key(text, uuid, text) from public, anon, authenticated;
grant execute on function private.is_object_key(text, uuid, text) to authenticated, service_role;

create function private.is_thumbhash(hash text) returns boolean
  language sql immutable set search_path = ''
as $$
  select char_length(hash) <= 64 and hash ~ '^[A-Za-z0-9+/]+={0,2}$'
$$;
comment on function private.is_thumbhash(text) is 'Whether a text is a ThumbHash, a picture of about 30 bytes, in base64.';
revoke execute on function private.is_thumbhash(text) from public, anon, authenticated;
grant execute on function private.is_thumbhash(text) to authenticated, service_role;

create function private.media_in_storage() returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  if to_regclass('storage.buckets') is null or not private.has_session() then
    return false;
  end if;
  return exists (select from storage.buckets where id = 'media');
end
$$;
comment on function private.media_in_storage() is 'Whether the bucket `media` exists. False without a session.';
revoke execute on function private.media_in_storage() from public, anon, authenticated;
grant execute on function private.media_in_storage() to authenticated, service_role;

create function public.media_in_storage() returns boolean
  language sql stable set search_path = ''
as $$
  select private.media_in_storage()
$$;
comment on function public.media_in_storage() is 'Whether clients store pictures and videos in Storage. If not, they store them in the rows.';
revoke execute on function public.media_in_storage() from public, anon, authenticated;
grant execute on function public.media_in_storage() to authenticated, service_role;

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

create function private.stored_objects(keys text[], OUT objects bigint, OUT bytes bigint) returns record
  language plpgsql stable security definer set search_path = ''
as $$
begin
  objects := 0;
  bytes := 0;
  if to_regclass('storage.objects') is not null then
    select count(*), coalesce(sum((o.metadata ->> 'size')::bigint), 0) into objects, bytes
      from storage.objects o where o.bucket_id = 'media' and o.name = any (keys);
  end if;
end
$$;
comment on function private.stored_objects(text[]) is 'How many of these objects exist, and their bytes.';
revoke execute on function private.stored_objects(text[]) from public, anon, authenticated;

create function private.check_objects() returns trigger
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
revoke execute on function private.check_objects() from public, anon, authenticated;

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

create function private.is_camera(details jsonb) returns boolean
  language sql immutable strict set search_path = ''
as $$
  select case when jsonb_typeof(details) = 'object' then
    details <> '{}' and not exists (
      select from jsonb_each(details) as detail (name, value)
      where name not in ('camera', 'lens', 'focal_length', 'aperture', 'exposure_time', 'iso', 'flash', 'film')
        or jsonb_typeof(value) <> 'string'
        or char_length(value #>> '{}') > 100
        or (value #>> '{}') !~ '\S'
    )
  else false end
$$;
comment on function private.is_camera(jsonb) is
  'Whether a value has only details of a camera, as texts: never a location or a serial number, which have no '
  'key.';
revoke execute on function private.is_camera(jsonb) from public, anon, authenticated;
grant execute on function private.is_camera(jsonb) to authenticated, service_role;

create function private.refuse_replacement() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  -- Storage answers 409, as to an upload that begins under the key of an object.
  raise unique_violation using message = 'Objects in this bucket cannot be replaced.';
end
$$;
comment on function private.refuse_replacement() is 'Refuses to replace the content of an object: rows may use it.';
revoke execute on function private.refuse_replacement() from public, anon, authenticated;

create function private.media_object_bytes() returns bigint
  language sql immutable set search_path = ''
as $$
  select 200000000
$$;
comment on function private.media_object_bytes() is 'The largest object in the bucket `media`, in bytes.';
revoke execute on function private.media_object_bytes() from public, anon, authenticated;

create function private.media_object_types() returns text[]
  language sql immutable set search_path = ''
as $$
  select array['image/webp', 'image/jpeg', 'image/png', 'image/avif', 'video/mp4', 'video/webm']
$$;
comment on function private.media_object_types() is 'The types of objects in the bucket `media`.';
revoke execute on function private.media_object_types() from public, anon, authenticated;

create trigger media_refuse_replacement before update of version on storage.objects for each row when (((old.bucket_id = 'media'::text) and (new.version is distinct from old.version))) execute function private.refuse_replacement();

set check_function_bodies = on;
