-- One description of the columns that hold keys of objects. private.generate_media() writes from it what looks keys up in each of them
-- (0107). Before, a column that one of five texts had forgotten lost its objects to the cleanup.

drop function private.picture_uses();

create function private.media_columns()
  returns table (of_table text, of_column text, owner_column text, side integer, pixels integer)
  language sql immutable rows 9 set search_path = ''
as $$
  values
    ('post_photos', 'feed_path', 'user_id', 4096, 2 * 1080 * 2048),
    ('post_photos', 'grid_path', 'user_id', 4096, 2 * 640 * 2048),
    ('post_photos', 'middle_path', 'user_id', 4096, 4096 * 4096),
    ('post_photos', 'full_path', 'user_id', 12288, 4096 * 4096),
    ('profiles', 'avatar_path', 'id', 1024, 1024 * 1024),
    ('message_photos', 'thumbnail_path', 'sender_id', 4096, 2 * 640 * 2048),
    ('message_photos', 'image_path', 'sender_id', 12288, 4096 * 4096),
    ('stories', 'poster_path', 'user_id', 4096, 2 * 640 * 2048),
    ('stories', 'media_path', 'user_id', 4096, 4096 * 4096)
$$;
comment on function private.media_columns() is
  'The columns that hold keys of objects: whose folder they are in, and the longest side and most pixels of a picture there. A migration that changes it calls generate_media() and, in the next file, create_media_bucket().';
revoke execute on function private.media_columns() from public;

create function private.generate_media() returns void
  language plpgsql set search_path = ''
as $generate$
declare
  visible text;
  used text;
  own text;
begin
  select
    string_agg(format($body$
  return query select %2$I from public.%1$I where %2$I = any (keys);
  if found and is_single then return; end if;$body$, c.of_table, c.of_column), '' order by c.number),
    string_agg(format('exists (select from public.%I where %I = key)', c.of_table, c.of_column), E'\n    or ' order by c.number)
    into visible, used
    from private.media_columns() with ordinality as c (of_table, of_column, owner_column, side, pixels, number);
  select string_agg(format(
      E'select t.key from (select unnest(array[%s]) as key from public.%I where %I = member) as t where t.key is not null',
      c.columns, c.of_table, c.owner_column
    ), E'\n    union all\n    ' order by c.of_table)
    into own
    from (
      select m.of_table, m.owner_column, string_agg(quote_ident(m.of_column), ', ') as columns
      from private.media_columns() as m group by m.of_table, m.owner_column
    ) as c;

  execute format($define$
    create or replace function private.visible_objects(keys text[]) returns setof text
      language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan'
    as %L$define$, $body$
declare
  is_single constant boolean := cardinality(keys) = 1;
begin
  -- Written by private.generate_media().
  if not private.has_account() then
    return;
  end if;
  return query select key from unnest(keys) as key where split_part(key, '/', 1) = (select auth.uid())::text;
  if found and is_single or not private.is_member() then return; end if;$body$ || visible || $body$
  return query select avatar from private.my_blocked_avatars() as avatar where avatar = any (keys);
end
$body$);

  execute format($define$
    create or replace function private.is_object_used(key text) returns boolean
      language plpgsql stable security definer set search_path = ''
    as %L$define$, $body$
begin
  -- Written by private.generate_media().
  return $body$ || used || $body$;
end
$body$);

  execute format($define$
    create or replace function private.used_objects(member uuid) returns setof text
      language plpgsql stable security definer set search_path = ''
    as %L$define$, $body$
begin
  -- Written by private.generate_media().
  return query
    $body$ || own || $body$;
end
$body$);
end
$generate$;
comment on function private.generate_media() is
  'Writes visible_objects(), is_object_used() and used_objects() from media_columns(): one look-up by a unique index for each column.';
revoke execute on function private.generate_media() from public;

select private.generate_media();

create function private.unmatched_media_columns() returns text[]
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return array(
    with found as (
      -- A column whose check was forgotten is found by its name.
      select format('%s.%s', r.relname, a.attname) as name
      from pg_catalog.pg_class r join pg_catalog.pg_attribute a on a.attrelid = r.oid
      where r.relnamespace in (to_regnamespace('public'), to_regnamespace('private')) and r.relkind in ('r', 'p')
        and a.attnum > 0 and not a.attisdropped and a.attname like '%\_path'
      union
      select format('%s.%s', r.relname, checked[1])
      from pg_catalog.pg_depend d
      join pg_catalog.pg_constraint k on k.oid = d.objid
      join pg_catalog.pg_class r on r.oid = k.conrelid
      cross join regexp_matches(pg_catalog.pg_get_constraintdef(k.oid), 'is_object_key\(\(?"?(\w+)', 'g') as checked
      where d.classid = to_regclass('pg_catalog.pg_constraint') and d.refclassid = to_regclass('pg_catalog.pg_proc')
        and d.refobjid = to_regprocedure('private.is_object_key(text, uuid, text)') and k.conrelid <> 0
    ),
    described as (
      select format('%s.%s', c.of_table, c.of_column) as name from private.media_columns() c
    )
    select coalesce(f.name, d.name) from found f full join described d on d.name = f.name
    where f.name is null or d.name is null
    order by 1
  );
end
$$;
comment on function private.unmatched_media_columns() is
  'Columns that hold keys of objects by their name or check and are not described by media_columns(), or are described and missing. While there are any, no object counts as unused.';
revoke execute on function private.unmatched_media_columns() from public;

create function private.media_columns_match() returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return cardinality(private.unmatched_media_columns()) = 0;
end
$$;
comment on function private.media_columns_match() is 'Whether each column that holds keys of objects is looked up. Otherwise nothing may be deleted.';
revoke execute on function private.media_columns_match() from public;
grant execute on function private.media_columns_match() to authenticated;

create or replace function private.has_unfit_picture(table_name text, written jsonb) returns boolean
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
    select from private.media_columns() u
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

create or replace function private.examine_objects(after_name text, max_rows integer)
  returns table (id uuid, name text, is_unused boolean)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  is_complete constant boolean := private.media_columns_match();
begin
  return query
    select o.id, o.name, (
        is_complete
        and (o.created_at <= now() - interval '1 day' or not exists (
          select from public.profiles p where p.id::text = split_part(o.name, '/', 1)
        ))
        and not private.is_object_used(o.name)
      )
      from storage.objects o
      where o.bucket_id = 'media' and o.name collate "C" > after_name
      order by o.name collate "C" limit max_rows;
end
$$;

create or replace function private.my_unused_objects() returns table (name text)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if to_regclass('storage.objects') is null or not private.has_account() or not private.media_columns_match() then
    return;
  end if;
  return query
    select o.name from storage.objects o
    where o.bucket_id = 'media'
      -- The folder; '0' follows '/'. Storage has an index in this collation.
      and o.name collate "C" >= me::text || '/' and o.name collate "C" < me::text || '0'
      and o.created_at <= now() - interval '1 day'
      and o.name not in (select private.used_objects(me))
    limit 1000;
end
$$;

create or replace function private.waiting_objects(most integer) returns table (name text)
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.end_empty_folders(1000);
  if to_regclass('storage.objects') is null or not private.media_columns_match() then
    return;
  end if;
  return query
    select waiting.name
    from private.jobs j
    cross join lateral (
      select o.name from storage.objects o
      where o.bucket_id = 'media'
        and o.name collate "C" >= j.subject_id::text || '/' and o.name collate "C" < j.subject_id::text || '0'
        and not private.is_object_used(o.name)
      limit most
    ) as waiting
    where j.kind = 'objects' and not exists (select from auth.users u where u.id = j.subject_id)
    limit most;
end
$$;
