-- The middle size of photos (20261126160000): the functions and policies that look up the objects of rows.

drop trigger post_photos_check_objects on public.post_photos;
create trigger post_photos_check_objects before insert on public.post_photos
  for each row execute function private.check_objects('user_id', 'full_path', 'middle_path', 'feed_path', 'grid_path');

create or replace function private.picture_uses()
  returns table (of_table text, of_column text, side integer, pixels integer)
  language sql immutable rows 9 set search_path = ''
as $$
  values
    ('profiles', 'avatar_path', 1024, 1024 * 1024),
    ('post_photos', 'grid_path', 4096, 2 * 640 * 2048),
    ('post_photos', 'feed_path', 4096, 2 * 1080 * 2048),
    ('post_photos', 'middle_path', 4096, 4096 * 4096),
    ('post_photos', 'full_path', 12288, 4096 * 4096),
    ('stories', 'poster_path', 4096, 2 * 640 * 2048),
    ('stories', 'media_path', 4096, 4096 * 4096),
    ('message_photos', 'thumbnail_path', 4096, 2 * 640 * 2048),
    ('message_photos', 'image_path', 12288, 4096 * 4096)
$$;

create or replace function private.is_object_used(key text) returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from public.post_photos where grid_path = key)
    or exists (select from public.post_photos where feed_path = key)
    or exists (select from public.post_photos where middle_path = key)
    or exists (select from public.post_photos where full_path = key)
    or exists (select from public.stories where media_path = key)
    or exists (select from public.stories where poster_path = key)
    or exists (select from public.message_photos where image_path = key)
    or exists (select from public.message_photos where thumbnail_path = key)
    or exists (select from public.profiles where avatar_path = key);
end
$$;

create or replace function private.used_objects(member uuid) returns setof text
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select key from public.post_photos, unnest(array[full_path, middle_path, feed_path, grid_path]) as key
      where user_id = member and key is not null
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

create or replace function private.visible_objects(keys text[]) returns setof text
  language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan
as $$
declare
  is_single constant boolean := cardinality(keys) = 1;
begin
  if not private.is_member() then
    return;
  end if;
  return query select key from unnest(keys) as key where split_part(key, '/', 1) = (select auth.uid())::text;
  if found and is_single then return; end if;
  return query select h.feed_path from public.post_photos h where h.feed_path = any (keys);
  if found and is_single then return; end if;
  return query select h.grid_path from public.post_photos h where h.grid_path = any (keys);
  if found and is_single then return; end if;
  return query select h.middle_path from public.post_photos h where h.middle_path = any (keys);
  if found and is_single then return; end if;
  return query select h.full_path from public.post_photos h where h.full_path = any (keys);
  if found and is_single then return; end if;
  return query select p.avatar_path from public.profiles p where p.avatar_path = any (keys);
  if found and is_single then return; end if;
  return query select m.thumbnail_path from public.message_photos m where m.thumbnail_path = any (keys);
  if found and is_single then return; end if;
  return query select m.image_path from public.message_photos m where m.image_path = any (keys);
  if found and is_single then return; end if;
  return query select s.poster_path from public.stories s where s.poster_path = any (keys);
  if found and is_single then return; end if;
  return query select s.media_path from public.stories s where s.media_path = any (keys);
  if found and is_single then return; end if;
  return query select avatar from private.my_blocked_avatars() as avatar where avatar = any (keys);
end
$$;

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
    keys := array[new.full_path, new.middle_path, new.feed_path, new.grid_path];
  end if;
  if private.media_bytes_of_day((select auth.uid())) + characters * 3 / 4
    + (select s.bytes from private.stored_objects(keys) s) > most
  then
    perform private.raise_quota_exceeded('media_bytes', false);
  end if;
  return new;
end
$$;

create or replace function private.media_bytes_of_day(member uuid) returns bigint
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
        from public.message_photos where sender_id = member and created_at > now() - interval '1 day'
    ) as stored (characters)
  );
  keys constant text[] := array(
    select key from public.posts p join public.post_photos h on h.post_id = p.id,
      unnest(array[h.full_path, h.middle_path, h.feed_path, h.grid_path]) as key
      where p.user_id = member and p.created_at > now() - interval '1 day' and key is not null
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

create or replace function public.create_post(
  post_id uuid, content text default '', location text default null, photos jsonb default '[]'
)
  returns table (id uuid, created_at timestamptz)
  language plpgsql security invoker set search_path = ''
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
  insert into public.post_photos (
      user_id, post_id, position, full_path, middle_path, feed_path, grid_path, width, height, thumbhash, alt_text, camera
    )
    select me, create_post.post_id, photo.number - 1, photo.full_path, photo.middle_path, photo.feed_path,
      photo.grid_path, photo.width, photo.height, photo.thumbhash, photo.alt_text, photo.camera::jsonb
    from rows from (
      jsonb_to_recordset(create_post.photos) as (
        full_path text, middle_path text, feed_path text, grid_path text, width integer, height integer,
        thumbhash text, alt_text text, camera text
      )
    ) with ordinality as photo (
      full_path, middle_path, feed_path, grid_path, width, height, thumbhash, alt_text, camera, number
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
  'Inserts a post with up to ten photos whose objects have been uploaded: an array of {full_path, middle_path, feed_path, grid_path, '
  'width, height, thumbhash, alt_text, camera}, in their order; camera is JSON text, middle_path may be left out. A second call with '
  'the same id changes nothing and returns the same.';

create or replace function private.create_media_policies() returns void
  language plpgsql set search_path = ''
as $$
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
    using (bucket_id is distinct from 'media' or nullif((select private.is_member()), false) is not null)
    with check (bucket_id is distinct from 'media' or nullif((select private.is_member()), false) is not null);

  -- One look-up by a unique index for each column that holds keys.
  drop policy if exists media_select on storage.objects;
  create policy media_select on storage.objects for select to authenticated
    using (
      bucket_id = 'media'
      and (
        split_part(name, '/', 1) = (select auth.uid())::text
        or exists (select 1 from public.post_photos h where h.feed_path = objects.name offset 0)
        or exists (select 1 from public.post_photos h where h.grid_path = objects.name offset 0)
        or exists (select 1 from public.post_photos h where h.middle_path = objects.name offset 0)
        or exists (select 1 from public.post_photos h where h.full_path = objects.name offset 0)
        or exists (select 1 from public.profiles p where p.avatar_path = objects.name offset 0)
        or exists (select 1 from public.message_photos m where m.thumbnail_path = objects.name offset 0)
        or exists (select 1 from public.message_photos m where m.image_path = objects.name offset 0)
        or exists (select 1 from public.stories s where s.poster_path = objects.name offset 0)
        or exists (select 1 from public.stories s where s.media_path = objects.name offset 0)
        or name in (select private.my_blocked_avatars())
      )
    );

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
        coalesce((metadata ->> 'size')::bigint, (metadata ->> 'contentLength')::bigint)
      )
    );

  -- Rows first, then their objects.
  drop policy if exists media_delete on storage.objects;
  create policy media_delete on storage.objects for delete to authenticated
    using (
      bucket_id = 'media'
      and split_part(name, '/', 1) = (select auth.uid())::text
      and not private.is_object_used(name)
    );
end
$$;

select private.create_media_bucket();
