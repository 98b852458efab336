-- Pictures and videos in Storage: docs/decisions/0012-media-in-storage.md. A row refers to an object of the bucket `media` by its
-- key. The inline columns stay: a row has the one or the other.

create function private.is_object_key(key text, owner uuid, media_type text) returns boolean
  language sql immutable set search_path = ''
as $$
  select key ~ ('^' || owner::text || '/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.('
    || case media_type when 'image' then 'webp|jpg|png' when 'video' then 'mp4|webm' end || ')$')
$$;
comment on function private.is_object_key(text, uuid, text) is
  'Whether a text is the key of a picture or a video in the folder of this member. Without this check, a member could post '
  'another member''s key and so get access to the object.';
revoke execute on function private.is_object_key(text, uuid, text) from public, anon, authenticated;
grant execute on function private.is_object_key(text, uuid, text) to authenticated, service_role;

create function private.is_thumbhash(hash text) returns boolean
  language sql immutable set search_path = ''
as $$
  select char_length(hash) <= 64 and hash ~ '^[A-Za-z0-9+/]+={0,2}$'
$$;
comment on function private.is_thumbhash(text) is 'Whether a text is a ThumbHash, a picture of about 30 bytes, in base64.';
revoke execute on function private.is_thumbhash(text) from public, anon, authenticated;
grant execute on function private.is_thumbhash(text) to authenticated, service_role;

alter table public.profiles
  add column avatar_path text unique,
  add constraint profiles_avatar_path check (private.is_object_key(avatar_path, id, 'image')),
  add constraint profiles_one_avatar check (num_nonnulls(avatar_url, avatar_path) <= 1);
grant update (avatar_path) on table public.profiles to authenticated;

alter table public.stories
  alter column media_url drop not null,
  add column media_path text unique,
  add column poster_path text unique,
  add column thumbhash text,
  add constraint stories_one_media check (num_nonnulls(media_url, media_path) = 1),
  add constraint stories_media_path check (private.is_object_key(media_path, user_id, media_type)),
  add constraint stories_poster_path check (private.is_object_key(poster_path, user_id, 'image')),
  add constraint stories_thumbhash check (private.is_thumbhash(thumbhash)),
  add constraint stories_media_parts check (
    case when media_path is null then num_nonnulls(poster_path, thumbhash) = 0 else thumbnail_url is null end
  );
comment on column public.stories.poster_path is 'A smaller picture, or a frame of the video, with media_path.';
comment on column public.stories.thumbnail_url is 'A smaller picture, or a frame of the video, with media_url.';
grant insert (media_path, poster_path, thumbhash) on table public.stories to authenticated;

alter table public.message_photos
  alter column image_url drop not null,
  add column image_path text unique,
  add column thumbnail_path text unique,
  add constraint message_photos_one_image check (num_nonnulls(image_url, image_path) = 1),
  add constraint message_photos_image_path check (private.is_object_key(image_path, sender_id, 'image')),
  add constraint message_photos_thumbnail_path check (private.is_object_key(thumbnail_path, sender_id, 'image')),
  add constraint message_photos_path_parts check ((image_path is null) = (thumbnail_path is null));
grant insert (image_path, thumbnail_path) on table public.message_photos to authenticated;

alter table public.messages
  add column thumbhash text,
  drop constraint messages_photo_complete,
  add constraint messages_photo_complete check (
    num_nonnulls(image_width, image_height) = case when photo_id is null then 0 else 2 end
    and num_nonnulls(thumbnail_url, thumbhash) = case when photo_id is null then 0 else 1 end
  ),
  add constraint messages_thumbhash check (private.is_thumbhash(thumbhash));
grant insert (thumbhash) on table public.messages to authenticated;
