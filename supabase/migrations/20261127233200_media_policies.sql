-- Replacing policies of storage.objects locks auth.users on hosted projects until the file ends: nothing else is in it.

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
        coalesce((metadata ->> 'size')::bigint, (metadata ->> 'contentLength')::bigint)
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

select private.create_media_bucket();
