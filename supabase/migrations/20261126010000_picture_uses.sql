-- A picture that is far larger than its use shows takes all who see it time and memory. A server that looks into uploads keeps their
-- width and height in the metadata of the objects; a hosted project's Storage does not, so nothing is compared there and the app looks.

create function private.picture_uses() returns table (of_table text, of_column text, side integer, pixels integer)
  language sql immutable rows 8 set search_path = ''
as $$
  values
    ('profiles', 'avatar_path', 1024, 1024 * 1024),
    ('post_photos', 'grid_path', 4096, 2 * 640 * 2048),
    ('post_photos', 'feed_path', 4096, 2 * 1080 * 2048),
    ('post_photos', 'full_path', 4096, 4096 * 4096),
    ('stories', 'poster_path', 4096, 2 * 640 * 2048),
    ('stories', 'media_path', 4096, 4096 * 4096),
    ('message_photos', 'thumbnail_path', 4096, 2 * 640 * 2048),
    ('message_photos', 'image_path', 4096, 4096 * 4096)
$$;
comment on function private.picture_uses() is
  'The columns that refer to objects, and the longest side and most pixels of a picture there.';
revoke execute on function private.picture_uses() from public, anon, authenticated;

create function private.has_unfit_picture(table_name text, written jsonb) returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
declare
  -- Ten times what the app makes.
  picture_bytes constant integer := 5000000;
begin
  if to_regclass('storage.objects') is null then
    return false;
  end if;
  return exists (
    select from private.picture_uses() u
    join storage.objects o on o.bucket_id = 'media' and o.name = written ->> u.of_column
    where u.of_table = has_unfit_picture.table_name and o.name !~ '\.(mp4|webm)$'
      and (
        (o.metadata ->> 'size')::bigint > picture_bytes
        or greatest((o.metadata ->> 'width')::bigint, (o.metadata ->> 'height')::bigint) > u.side
        or (o.metadata ->> 'width')::bigint * (o.metadata ->> 'height')::bigint > u.pixels
        or o.metadata -> 'checked' = 'false'
      )
  );
end
$$;
comment on function private.has_unfit_picture(text, jsonb) is
  'Whether a row of this table refers to a picture of more than 5 MB, one with more pixels than its column allows, or one whose '
  'content the server has found harmful. Objects without a size in their metadata are not compared.';
revoke execute on function private.has_unfit_picture(text, jsonb) from public, anon, authenticated;

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
    raise check_violation using message = 'This picture is too large.', schema = tg_table_schema, table = tg_table_name;
  end if;
  return new;
end
$$;
comment on function private.check_objects() is
  'PT404 unless the objects in the columns of a new row exist in the folder of the member in the first column. Refuses pictures '
  'that are too large for their column.';
