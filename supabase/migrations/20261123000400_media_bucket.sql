-- The bucket and its policies. Keys need not be secret: members who may see a row may read the objects to which it refers, and
-- nobody else may.

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
comment on function private.my_blocked_avatars() is
  'The pictures that blocked_members() returns: profiles of blocked members are hidden.';
revoke execute on function private.my_blocked_avatars() from public, anon, authenticated;
grant execute on function private.my_blocked_avatars() to authenticated, service_role;

-- For servers that serve the objects themselves: the same look-ups as the policy media_select, for many keys at once. PL/pgSQL
-- plans them once per connection; planning the policy takes longer than running it. Row security decides which rows the caller
-- sees, so neither contains rules.
create function private.visible_objects(keys text[]) returns setof text
  language plpgsql stable security invoker set search_path = '' set plan_cache_mode = 'force_generic_plan'
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
comment on function private.visible_objects(text[]) is
  'Which of these keys are in the caller''s folder or in a row that the caller may see; a key may appear twice. One look-up by a '
  'unique index for each column that holds keys.';
revoke execute on function private.visible_objects(text[]) from public, anon, authenticated;
grant execute on function private.visible_objects(text[]) to authenticated, service_role;

create function private.create_media_bucket() returns void
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
      'media', 'media', false, 20 * 1024 * 1024,
      array['image/webp', 'image/jpeg', 'image/png', 'video/mp4', 'video/webm']
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
      and private.has_upload_room((metadata ->> 'size')::bigint)
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
comment on function private.create_media_bucket() is
  'Creates the bucket `media` and its policies. Call it again if Storage was set up after the migrations.';
revoke execute on function private.create_media_bucket() from public, anon, authenticated;

select private.create_media_bucket();
