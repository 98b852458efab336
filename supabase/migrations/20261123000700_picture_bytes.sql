-- Members load the pictures of others without asking. An object may have 20 MB, for videos; no row may make all who see it load
-- that much for a picture.

create or replace function private.check_objects() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  -- Ten times what the app makes.
  picture_bytes constant integer := 5000000;
  written constant jsonb := to_jsonb(new);
  folder constant text := written ->> tg_argv[0];
  keys constant text[] := array(
    select distinct written ->> name from unnest(tg_argv[1:]) as name where written ->> name is not null
  );
  stored record;
begin
  select s.objects, s.bytes into stored from private.stored_objects(keys) s;
  -- Not even whether another member's object exists.
  if exists (select from unnest(keys) as key where split_part(key, '/', 1) <> folder)
    or stored.objects < cardinality(keys)
  then
    raise sqlstate 'PT404' using message = 'This file has not been uploaded.', hint = 'Upload it, then try again.';
  end if;
  if stored.bytes > picture_bytes and exists (
    select from unnest(keys) as key, private.stored_objects(array[key]) s
    where key ~ '\.(webp|jpg|png)$' and s.bytes > picture_bytes
  ) then
    raise check_violation using message = 'This picture is too large.', schema = tg_table_schema, table = tg_table_name;
  end if;
  return new;
end
$$;
comment on function private.check_objects() is
  'PT404 unless the objects in the columns of a new row exist in the folder of the member in the first column. Refuses pictures '
  'of more than 5 MB.';
