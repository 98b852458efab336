-- What the database knows of objects in Storage: whether they exist, their size, and which rows refer to them. Some servers have no
-- Storage (`VIGNETTE_MEDIA=inline`, plain PostgreSQL), so functions check for its tables before they read them. On a hosted
-- project, only Storage itself may add triggers to its tables and delete their rows.

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
  language sql stable security invoker set search_path = ''
as $$
  select private.media_in_storage()
$$;
comment on function public.media_in_storage() is
  'Whether clients store pictures and videos in Storage. If not, they store them in the rows.';
revoke execute on function public.media_in_storage() from public, anon, authenticated;
grant execute on function public.media_in_storage() to authenticated, service_role;

create function private.stored_objects(keys text[], out objects bigint, out bytes bigint)
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
  return new;
end
$$;
comment on function private.check_objects() is
  'PT404 unless the objects in the columns of a new row exist in the folder of the member in the first column.';
revoke execute on function private.check_objects() from public, anon, authenticated;

create trigger profiles_check_objects before update of avatar_path on public.profiles
  for each row when (new.avatar_path is not null and new.avatar_path is distinct from old.avatar_path)
  execute function private.check_objects('id', 'avatar_path');
create trigger profiles_touch_avatar before update of avatar_path on public.profiles
  for each row execute function private.touch_profile();
create trigger stories_check_objects before insert on public.stories
  for each row when (num_nonnulls(new.media_path, new.poster_path) > 0)
  execute function private.check_objects('user_id', 'media_path', 'poster_path');
create trigger message_photos_check_objects before insert on public.message_photos
  for each row when (num_nonnulls(new.image_path, new.thumbnail_path) > 0)
  execute function private.check_objects('sender_id', 'image_path', 'thumbnail_path');

-- The bodies name public.post_photos, which the next file creates.

create function private.is_object_used(key text) returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from public.post_photos where grid_path = key)
    or exists (select from public.post_photos where feed_path = key)
    or exists (select from public.post_photos where full_path = key)
    or exists (select from public.stories where media_path = key)
    or exists (select from public.stories where poster_path = key)
    or exists (select from public.message_photos where image_path = key)
    or exists (select from public.message_photos where thumbnail_path = key)
    or exists (select from public.profiles where avatar_path = key);
end
$$;
comment on function private.is_object_used(text) is 'Whether any row refers to this object.';
revoke execute on function private.is_object_used(text) from public, anon, authenticated;
grant execute on function private.is_object_used(text) to authenticated, service_role;

create function private.used_objects(member uuid) returns setof text
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select key from public.post_photos, unnest(array[full_path, feed_path, grid_path]) as key where user_id = member
    union all
    select key from public.stories, unnest(array[media_path, poster_path]) as key
      where user_id = member and key is not null
    union all
    select key from public.message_photos, unnest(array[image_path, thumbnail_path]) as key
      where sender_id = member and key is not null
    union all
    select avatar_path from public.profiles where id = member and avatar_path is not null;
end
$$;
comment on function private.used_objects(uuid) is 'Keys of the objects to which rows of this member refer.';
revoke execute on function private.used_objects(uuid) from public, anon, authenticated;

-- Quotas. Bytes of objects count like the bytes of inline pictures once a row refers to them. Until then they count as
-- uploads, which are removed after a day: `upload_bytes` is how many a member may have at once.

insert into private.quotas (kind, per_minute, per_day) values
  ('upload_bytes', null, 200000000);

create function private.has_upload_room(new_bytes bigint) returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  most constant bigint := (select q.per_day from private.quotas q where q.kind = 'upload_bytes');
begin
  return most is null or most >= coalesce(new_bytes, 0) + (
    select coalesce(sum((o.metadata ->> 'size')::bigint), 0)
    from storage.objects o
    where o.bucket_id = 'media'
      -- The folder; '0' follows '/'. Storage has an index in this collation.
      and o.name collate "C" >= me::text || '/' and o.name collate "C" < me::text || '0'
      and o.name not in (select private.used_objects(me))
  );
end
$$;
comment on function private.has_upload_room(bigint) is
  'Whether the caller may upload this many bytes more. Reads the caller''s folder and rows: about a millisecond for 500 photos.';
revoke execute on function private.has_upload_room(bigint) from public, anon, authenticated;
grant execute on function private.has_upload_room(bigint) to authenticated, service_role;

create or replace function private.media_bytes_of_day(member uuid) returns bigint
  -- Volatile, so that rows which the same statement has just written count.
  language plpgsql volatile security definer set search_path = ''
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
        from public.message_photos where sender_id = member and created_at > now() - interval '1 day'
    ) as stored (characters)
  );
  keys constant text[] := array(
    select key from public.posts p join public.post_photos h on h.post_id = p.id,
      unnest(array[h.full_path, h.feed_path, h.grid_path]) as key
      where p.user_id = member and p.created_at > now() - interval '1 day'
    union all
    select key from public.stories, unnest(array[media_path, poster_path]) as key
      where user_id = member and expires_at > now() and key is not null
    union all
    select key from public.message_photos, unnest(array[image_path, thumbnail_path]) as key
      where sender_id = member and created_at > now() - interval '1 day' and key is not null
  );
begin
  return inline_bytes + (select s.bytes from private.stored_objects(keys) s);
end
$$;
comment on function private.media_bytes_of_day(uuid) is
  'Bytes of pictures and videos that a member has stored within a day and not deleted, in rows and in Storage. Sums the rows, so '
  'that deleting frees the quota; other quotas limit their number.';

create or replace function private.check_media_quota() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  most constant bigint := (select q.per_day from private.quotas q where q.kind = 'media_bytes');
  characters bigint := 0;
  keys text[] := '{}';
begin
  if most is null then
    return new;
  end if;
  if tg_table_name = 'posts' then
    characters := coalesce(octet_length(new.image_url), 0) + coalesce(octet_length(new.thumbnail_url), 0);
  elsif tg_table_name = 'stories' then
    characters := coalesce(octet_length(new.media_url), 0) + coalesce(octet_length(new.thumbnail_url), 0);
    keys := array[new.media_path, new.poster_path];
  elsif tg_table_name = 'message_photos' then
    characters := coalesce(octet_length(new.image_url), 0);
    keys := array[new.image_path, new.thumbnail_path];
  else
    keys := array[new.full_path, new.feed_path, new.grid_path];
  end if;
  if private.media_bytes_of_day((select auth.uid())) + characters * 3 / 4
    + (select s.bytes from private.stored_objects(keys) s) > most
  then
    perform private.raise_quota_exceeded('media_bytes', false);
  end if;
  return new;
end
$$;

-- For a server that removes objects itself; a hosted project's operator finds the SQL in docs/self-hosting.md.
create function private.examine_objects(after_name text, max_rows integer)
  returns table (id uuid, name text, is_unused boolean)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select o.id, o.name, (
        (o.created_at <= now() - interval '1 day' or not exists (
          select from public.profiles p where p.id::text = split_part(o.name, '/', 1)
        ))
        and not private.is_object_used(o.name)
      )
      from storage.objects o
      where o.bucket_id = 'media' and o.name collate "C" > after_name
      order by o.name collate "C" limit max_rows;
end
$$;
comment on function private.examine_objects(text, integer) is
  'The next objects after a key, in the order of their keys, and whether to remove them: no row has used them for a day, or their '
  'member has deleted the account. Start after ''''; there are no more once it returns fewer than max_rows.';
revoke execute on function private.examine_objects(text, integer) from public, anon, authenticated;
