-- Larger photos: the full picture of a photo may have 12.6 megapixels and sides up to 12,288 pixels (a tall screenshot, a panorama),
-- so there is a middle size of at most 2,048 pixels for screens that show less. Photos of before have none. Pictures may be AVIF.

create or replace function private.is_object_key(key text, owner uuid, media_type text) returns boolean
  language sql immutable set search_path = ''
as $$
  select key ~ ('^' || owner::text || '/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.('
    || case media_type when 'image' then 'webp|avif|jpg|png' when 'video' then 'mp4|webm' end || ')$')
$$;

alter table public.post_photos
  add column middle_path text unique,
  add constraint post_photos_middle_path check (private.is_object_key(middle_path, user_id, 'image')),
  drop constraint post_photos_size,
  add constraint post_photos_size check (
    width between 1 and 12288 and height between 1 and 12288 and width * height <= 4096 * 4096
  );
comment on table public.post_photos is
  'Photos of posts in Storage, each in up to four sizes. Members who see the post see its photos. create_post() inserts them; '
  'only their alternative text can change.';
comment on column public.post_photos.middle_path is
  'At most 2048 pixels on the long side. Null if the full picture is no larger, and for photos of before.';
grant insert (middle_path) on table public.post_photos to authenticated;

alter table public.messages
  drop constraint messages_image_size,
  add constraint messages_image_size check (
    image_width between 1 and 12288 and image_height between 1 and 12288 and image_width * image_height <= 4096 * 4096
  );
