-- media_select asks post_media.media_path too. Replacing policies of storage.objects locks auth.users on hosted projects until the file
-- ends: nothing else is in it.

select private.create_media_bucket();
