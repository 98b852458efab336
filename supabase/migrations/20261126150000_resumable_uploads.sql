-- Larger videos: an object may have 45 MB, which is less than the 50 MB that a free project allows. Uploads of more than 6 MB are
-- resumable, on both servers by Storage's own protocol. AVIF is a type of the bucket; no column refers to one yet.

create function private.media_object_bytes() returns bigint
  language sql immutable set search_path = ''
as $$
  select 45000000
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
  'Whether the bucket `media` is private, with the limit and types of the app: right, changed, missing or no-storage.';
revoke execute on function private.media_bucket_state() from public, anon, authenticated;

create or replace function private.setup_status() returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  version text;
begin
  select max(m.version) into version from supabase_migrations.schema_migrations m;
  return json_build_object(
    'version', version,
    'changes', to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null,
    'channels', (
      select count(*) = 4 from pg_catalog.pg_policies
      where schemaname = 'realtime' and tablename = 'messages' and policyname in (
        'conversation_channels_receive', 'conversation_channels_send', 'member_channel_receive', 'post_channels_receive'
      )
    ),
    'bucket', private.media_bucket_state()
  );
end
$$;
comment on function private.setup_status() is
  'The newest migration, whether Realtime can broadcast changes, whether the policies of the private channels exist, and the state of '
  'the bucket for pictures and videos.';

select private.create_media_bucket();
