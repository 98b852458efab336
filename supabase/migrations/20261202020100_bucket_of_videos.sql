-- Before the policies, whose locks last until the end of this file.
alter table public.post_media
  validate constraint post_media_kind,
  validate constraint post_media_duration,
  validate constraint post_media_media_path,
  validate constraint post_media_captions;

select private.create_media_bucket();
drop function private.has_upload_room(bigint);
