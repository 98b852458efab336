-- Media of posts, and the description of all columns that hold keys of objects: docs/decisions/0107-one-shape-for-media.md.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table public.post_media (
  id uuid not null default private.new_id(),
  user_id uuid not null,
  post_id uuid not null,
  "position" smallint not null,
  full_path text not null,
  feed_path text not null,
  grid_path text not null,
  width integer not null,
  height integer not null,
  thumbhash text not null,
  alt_text text,
  camera jsonb,
  middle_path text,
  kind text not null default 'photo',
  media_path text,
  duration_ms integer,
  has_sound boolean,
  color_space text,
  captions text,
  has_captions boolean not null default false,
  constraint post_media_position check ("position" >= 0 and "position" <= 9),
  constraint post_media_paths check (private.is_object_key(full_path, user_id, 'image') and private.is_object_key(feed_path, user_id, 'image') and private.is_object_key(grid_path, user_id, 'image')),
  constraint post_media_thumbhash check (private.is_thumbhash(thumbhash)),
  constraint post_media_alt_text_length check (char_length(alt_text) <= 1000),
  constraint post_media_pkey primary key (id),
  constraint post_media_full_path_key unique (full_path),
  constraint post_media_feed_path_key unique (feed_path),
  constraint post_media_grid_path_key unique (grid_path),
  constraint post_media_position_key unique (post_id, "position"),
  constraint post_media_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade,
  constraint post_media_post_id_fkey foreign key (post_id) references public.posts (id) on delete cascade,
  constraint post_media_camera check (private.is_camera(camera)),
  constraint post_media_middle_path_key unique (middle_path),
  constraint post_media_middle_path check (private.is_object_key(middle_path, user_id, 'image')),
  constraint post_media_size check (width between 1 and 12288 and height between 1 and 12288 and (width * height) <= (4096 * 4096)),
  constraint post_media_media_path_key unique (media_path),
  constraint post_media_kind check (kind in ('photo', 'video')),
  constraint post_media_media_path check (private.is_object_key(media_path, user_id, 'video') and media_path like '%.mp4'),
  constraint post_media_duration check (duration_ms between 1 and 600000),
  constraint post_media_color_space check (color_space in ('srgb', 'p3')),
  constraint post_media_video check (num_nonnulls(media_path, duration_ms) =
    case kind
      when 'video' then 2
      else 0
    end and (has_sound is null or kind = 'video')),
  constraint post_media_captions check (char_length(captions) <= 30000 and has_captions = (captions is not null)
    and (not has_captions or kind = 'video'))
);
comment on table public.post_media is
  'Photos and videos of posts in Storage: a photo, or the cover of a video, in up to four sizes. Members who see '
  'the post see its media. '
  'create_post() inserts them; only their alternative text can change.';
comment on column public.post_media.feed_path is 'At most 1080 pixels wide.';
comment on column public.post_media.grid_path is '640 pixels on the short side.';
comment on column public.post_media.width is 'Pixels of the object at full_path.';
comment on column public.post_media.camera is
  'What the member shows of camera, lens, focal_length, aperture, exposure_time, iso, flash and film; null for '
  'nothing.';
comment on column public.post_media.captions is 'WebVTT, as the app writes it.';
comment on column public.post_media.has_captions is 'Lists need not read them.';
comment on column public.post_media.middle_path is
  'At most 2048 pixels on the long side. Null if the full picture is no larger, and for photos of before.';
create index post_media_user_idx on public.post_media (user_id);
alter table public.post_media enable row level security;
revoke all on table public.post_media from public, anon, authenticated;
grant select, insert (user_id, post_id, "position", full_path, feed_path, grid_path, width, height, thumbhash, alt_text, camera, middle_path, kind, media_path, duration_ms, has_sound, captions, has_captions), update (alt_text) on table public.post_media to authenticated;
grant all on table public.post_media to service_role;

create function private.examine_objects(
  after_name text,
  max_rows integer
) returns table (id uuid, name text, is_unused boolean)
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
comment on function private.examine_objects(text, integer) is
  'The next objects after a key, in the order of their keys, and whether to remove them: no row has used them '
  'for a day, or their member has deleted the account. Start after ''''; there are no more once it returns fewer '
  'than max_rows.';
revoke execute on function private.examine_objects(text, integer) from public, anon, authenticated;

create function private.mark_post_edited() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.posts set edited_at = now() where id = new.post_id;
  return null;
end
$$;
comment on function private.mark_post_edited() is
  'Sets edited_at when the alternative text of a photo changes, as mark_edited() does for the post''s own '
  'columns.';
revoke execute on function private.mark_post_edited() from public, anon, authenticated;

create function private.refuse_empty_post() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  checked constant uuid := to_jsonb(old) ->> 'post_id';
begin
  if exists (
    select from public.posts p
    where p.id = coalesce(checked, new.id) and not private.is_visible(p.content) and p.image_url is null
      and not exists (select from public.post_media h where h.post_id = p.id)
  ) then
    raise check_violation using
      message = 'A post needs a text or a photo.',
      schema = 'public', table = 'posts', constraint = 'posts_not_empty';
  end if;
  return null;
end
$$;
comment on function private.refuse_empty_post() is 'Refuses a post without text, picture and photos.';
revoke execute on function private.refuse_empty_post() from public, anon, authenticated;

create function private.my_blocked_avatars() returns setof text
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select p.avatar_path
    from public.blocks mine
    join public.profiles p on p.id = mine.blocked_id
    where mine.blocker_id = (select auth.uid()) and p.avatar_path is not null
      and not exists (
        select from public.blocks theirs where theirs.blocker_id = mine.blocked_id and theirs.blocked_id = mine.blocker_id
      );
end
$$;
comment on function private.my_blocked_avatars() is 'The pictures that blocked_members() returns: profiles of blocked members are hidden.';
revoke execute on function private.my_blocked_avatars() from public, anon, authenticated;
grant execute on function private.my_blocked_avatars() to authenticated, service_role;

create function private.create_media_policies() returns void
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
revoke execute on function private.create_media_policies() from public, anon, authenticated;

create function private.create_media_bucket() returns void
  language plpgsql set search_path = ''
as $$
begin
  perform private.create_media_policies();
  -- A project has the table before Storage itself completes it.
  if not exists (
    select from pg_catalog.pg_attribute where attrelid = to_regclass('storage.objects') and attname = 'version'
  ) then
    return;
  end if;
  begin
    create or replace trigger media_refuse_replacement before update of version on storage.objects
      for each row when (old.bucket_id = 'media' and new.version is distinct from old.version)
      execute function private.refuse_replacement();
  exception when insufficient_privilege then
    raise warning 'Members can replace pictures for as long as an upload takes: %', sqlerrm
      using hint = 'Update Storage, then run: select private.create_media_bucket();';
  end;
end
$$;
comment on function private.create_media_bucket() is
  'Creates the bucket `media`, its policies and its trigger. Call it again if Storage was set up after the '
  'migrations.';
revoke execute on function private.create_media_bucket() from public, anon, authenticated;

create function private.my_unused_objects() returns table (name text)
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
comment on function private.my_unused_objects() is
  'Objects in the caller''s folder that no row has used for a day, at most 1,000: as many as Storage removes at '
  'once.';
revoke execute on function private.my_unused_objects() from public, anon, authenticated;
grant execute on function private.my_unused_objects() to authenticated, service_role;

create function public.my_unused_objects() returns table (name text)
  language sql stable set search_path = ''
as $$
  select name from private.my_unused_objects()
$$;
comment on function public.my_unused_objects() is 'Uploads of the caller that no row has used for a day, for the client to remove; at most 1,000.';
revoke execute on function public.my_unused_objects() from public, anon, authenticated;
grant execute on function public.my_unused_objects() to authenticated, service_role;

create function private.has_unfit_picture(table_name text, written jsonb) returns boolean
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
revoke execute on function private.has_unfit_picture(text, jsonb) from public, anon, authenticated;

create function private.refuse_blank_detail() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if exists (select from jsonb_each_text(new.camera) as detail where not private.is_visible(detail.value)) then
    raise check_violation using
      message = 'new row for relation "post_media" violates check constraint "post_media_camera"',
      schema = 'public', table = 'post_media', constraint = 'post_media_camera';
  end if;
  return new;
end
$$;
comment on function private.refuse_blank_detail() is 'Refuses details of a camera that have only invisible characters, as blank ones.';
revoke execute on function private.refuse_blank_detail() from public, anon, authenticated;

create function private.media_bucket_state() returns text
  language plpgsql stable security definer set search_path = ''
as $$
declare
  is_right boolean;
begin
  -- A project has the tables before Storage itself completes them.
  if not exists (
    select from pg_catalog.pg_attribute where attrelid = to_regclass('storage.buckets') and attname = 'allowed_mime_types'
  ) then
    return 'no-storage';
  end if;
  select not b.public
      and coalesce(b.file_size_limit, 0) = private.media_object_bytes()
      and coalesce(b.allowed_mime_types, '{}') @> private.media_object_types()
      and b.allowed_mime_types <@ private.media_object_types()
    into is_right
    from storage.buckets b where b.id = 'media';
  return case is_right when true then 'right' when false then 'changed' else 'missing' end;
end
$$;
comment on function private.media_bucket_state() is
  'Whether the bucket `media` is private, with the limit and types of the app: right, changed, missing or '
  'no-storage.';
revoke execute on function private.media_bucket_state() from public, anon, authenticated;

create function public.create_post(
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
revoke execute on function public.create_post(uuid, text, text, jsonb) from public, anon, authenticated;
grant execute on function public.create_post(uuid, text, text, jsonb) to authenticated, service_role;

create function private.media_columns(

) returns table (of_table text, of_column text, owner_column text, side integer, pixels integer)
  language sql immutable rows 10 set search_path = ''
as $$
  values
    ('post_media', 'feed_path', 'user_id', 4096, 2 * 1080 * 2048),
    ('post_media', 'grid_path', 'user_id', 4096, 2 * 640 * 2048),
    ('post_media', 'middle_path', 'user_id', 4096, 4096 * 4096),
    ('post_media', 'full_path', 'user_id', 12288, 4096 * 4096),
    -- Only videos, which has_unfit_picture() does not measure.
    ('post_media', 'media_path', 'user_id', null, null),
    ('profiles', 'avatar_path', 'id', 1024, 1024 * 1024),
    ('message_media', 'poster_path', 'sender_id', 4096, 2 * 640 * 2048),
    ('message_media', 'media_path', 'sender_id', 12288, 4096 * 4096),
    ('stories', 'poster_path', 'user_id', 4096, 2 * 640 * 2048),
    ('stories', 'media_path', 'user_id', 4096, 4096 * 4096),
    ('conversations', 'picture_path', 'pictured_by', 1024, 1024 * 1024)
$$;
comment on function private.media_columns() is
  'The columns that hold keys of objects: whose folder they are in, and the longest side and most pixels of a '
  'picture there. A migration that changes it calls generate_media() and, in the next file, '
  'create_media_bucket().';
revoke execute on function private.media_columns() from public, anon, authenticated;

create function private.generate_media() returns void
  language plpgsql set search_path = ''
as $$
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
$$;
comment on function private.generate_media() is
  'Writes visible_objects(), is_object_used() and used_objects() from media_columns(): one look-up by a unique '
  'index for each column.';
revoke execute on function private.generate_media() from public, anon, authenticated;

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
  'Columns that hold keys of objects by their name or check and are not described by media_columns(), or are '
  'described and missing. While there are any, no object counts as unused.';
revoke execute on function private.unmatched_media_columns() from public, anon, authenticated;

create function private.media_columns_match() returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return cardinality(private.unmatched_media_columns()) = 0;
end
$$;
comment on function private.media_columns_match() is 'Whether each column that holds keys of objects is looked up. Otherwise nothing may be deleted.';
revoke execute on function private.media_columns_match() from public, anon, authenticated;
grant execute on function private.media_columns_match() to authenticated;

create trigger post_media_check_quota before insert on public.post_media
  for each row when (row_security_active('public.post_media')) execute function private.check_media_quota();

-- These name the table in their condition, or its checks or columns in their arguments.
create trigger post_media_allow_change before update of alt_text on public.post_media
  for each row when (row_security_active('public.post_media')) execute function private.count_quota('post_changes');
create trigger post_media_edited after update of alt_text on public.post_media
  for each row when (new.alt_text is distinct from old.alt_text) execute function private.mark_post_edited();

-- Not when the post is being deleted.
create constraint trigger post_media_not_last after delete on public.post_media
  deferrable for each row when (pg_catalog.pg_trigger_depth() = 0)
  execute function private.refuse_empty_post();
create trigger post_media_visible before insert on public.post_media
  for each row when (jsonb_typeof(new.camera) = 'object') execute function private.refuse_blank_detail();
create trigger post_media_clear_blank before insert on public.post_media
  for each row when (not private.is_visible(new.alt_text)) execute function private.clear_blank_alt_text();
create trigger post_media_clear_blank_change before update of alt_text on public.post_media
  for each row when (new.alt_text is distinct from old.alt_text and not private.is_visible(new.alt_text))
  execute function private.clear_blank_alt_text();
create trigger post_media_compose before insert on public.post_media
  for each row when (new.alt_text is not nfc normalized
    or new.camera::text is not nfc normalized)
  execute function private.compose_texts('alt_text', 'camera');
create trigger post_media_compose_change before update of alt_text, camera on public.post_media
  for each row when ((new.alt_text, new.camera) is distinct from (old.alt_text, old.camera) and (
    new.alt_text is not nfc normalized
    or new.camera::text is not nfc normalized
  ))
  execute function private.compose_texts('alt_text', 'camera');
create trigger post_media_check_objects before insert on public.post_media
  for each row execute function private.check_objects('user_id', 'full_path', 'middle_path', 'feed_path', 'grid_path', 'media_path');
create trigger post_media_bound_alt_text before insert or update of alt_text on public.post_media
  for each row when (char_length(new.alt_text) > 2000) execute function private.refuse_blank('post_media_alt_text_length');
create trigger post_media_bound_camera before insert or update of camera on public.post_media
  for each row when (octet_length(new.camera::text) > 20000) execute function private.refuse_blank('post_media_camera');

create constraint trigger posts_not_empty after insert on public.posts
  deferrable initially immediate
  for each row when (new.image_url is null and not private.is_visible(new.content))
  execute function private.refuse_empty_post();
create constraint trigger posts_not_empty_change after update of content, image_url on public.posts
  deferrable initially immediate
  for each row when (
    (new.content, new.image_url) is distinct from (old.content, old.image_url)
    and new.image_url is null and not private.is_visible(new.content)
  )
  execute function private.refuse_empty_post();

create policy post_media_session on public.post_media as restrictive for all to authenticated
  using (
    nullif((select private.is_member()), false) is not null
    or user_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
  )
  with check (nullif((select private.is_member()), false) is not null);
create policy post_media_select on public.post_media for select to authenticated
  using (
    user_id = (select auth.uid())
    or exists (select 1 from public.posts p where p.id = post_id offset 0)
  );

-- Clients cannot set created_at, so a post of this time was inserted by this transaction: nobody adds photos to a post later.
create policy post_media_insert on public.post_media for insert to authenticated
  with check (
    user_id = (select auth.uid())
    and exists (
      select 1 from public.posts p where p.id = post_id and p.user_id = (select auth.uid()) and p.created_at = now()
    )
  );
create policy post_media_update on public.post_media for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));

set check_function_bodies = on;
