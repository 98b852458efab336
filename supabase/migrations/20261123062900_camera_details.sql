-- How a photo was taken, as far as its member wants to show it. The client reads it from the original, whose metadata is not uploaded.

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
  'Whether a value has only details of a camera, as texts: never a location or a serial number, which have no key.';
revoke execute on function private.is_camera(jsonb) from public, anon, authenticated;
grant execute on function private.is_camera(jsonb) to authenticated, service_role;

alter table public.post_photos
  add column camera jsonb,
  add constraint post_photos_camera check (private.is_camera(camera));
comment on column public.post_photos.camera is
  'What the member shows of camera, lens, focal_length, aperture, exposure_time, iso, flash and film; null for nothing.';
grant insert (camera) on table public.post_photos to authenticated;

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
      user_id, post_id, position, full_path, feed_path, grid_path, width, height, thumbhash, alt_text, camera
    )
    select me, create_post.post_id, photo.number - 1, photo.full_path, photo.feed_path, photo.grid_path,
      photo.width, photo.height, photo.thumbhash, photo.alt_text, photo.camera::jsonb
    from rows from (
      jsonb_to_recordset(create_post.photos) as (
        full_path text, feed_path text, grid_path text, width integer, height integer, thumbhash text, alt_text text,
        camera text
      )
    ) with ordinality as photo (
      full_path, feed_path, grid_path, width, height, thumbhash, alt_text, camera, number
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
  'Inserts a post with up to ten photos whose objects have been uploaded: an array of {full_path, feed_path, grid_path, width, '
  'height, thumbhash, alt_text, camera}, in their order; camera is JSON text. A second call with the same id changes nothing and '
  'returns the same.';
