-- A group has a picture, in the folder of the member who set it: docs/decisions/0106-members-of-conversations.md. No member can set it yet.

alter table public.conversations
  add column picture_path text,
  add column pictured_by uuid references public.profiles on delete set null,
  add constraint conversations_picture check (
    picture_path is null or kind = 'group' and coalesce(private.is_object_key(picture_path, pictured_by, 'image'), false)
  );
create unique index conversations_picture_path_key on public.conversations (picture_path) where picture_path is not null;
create index conversations_pictured_by_idx on public.conversations (pictured_by) where pictured_by is not null;
comment on column public.conversations.pictured_by is 'Whose folder has the picture of a group. Without them it has none.';

create function private.clear_picture() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.picture_path := null;
  return new;
end
$$;
comment on function private.clear_picture() is 'Takes the picture of a group away with the account in whose folder it is.';
revoke execute on function private.clear_picture() from public, anon, authenticated;
create trigger conversations_clear_picture before update of pictured_by on public.conversations
  for each row when (new.pictured_by is null) execute function private.clear_picture();
create trigger conversations_check_objects before insert or update of picture_path on public.conversations
  for each row when (new.picture_path is not null) execute function private.check_objects('pictured_by', 'picture_path');

create or replace function private.media_columns()
 returns table (of_table text, of_column text, owner_column text, side integer, pixels integer)
 language sql
 immutable rows 10
 set search_path = ''
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

select private.generate_media();
select private.create_media_bucket();

create or replace function private.clear_account()
 returns boolean
 language plpgsql
 security definer
 set search_path = ''
 set lock_timeout = '200ms'
as $$
declare
  me constant uuid := private.require_recent_sign_in();
  -- Leaves time for the last batch: five posts of ten photos and many words take up to 130 ms.
  deadline constant timestamptz := clock_timestamp() + interval '300 milliseconds';
  posts uuid[];
  stories uuid[];
  photos integer;
  groups integer;
  is_held boolean;
begin
  loop
    -- All rows that refer to objects, so that the client may remove the objects. delete_account() removes the rest.
    posts := array(select distinct h.post_id from public.post_media h where h.user_id = me limit 5);
    perform private.remove_items('public.posts', posts);
    stories := array(select s.id from public.stories s where s.user_id = me and s.media_path is not null limit 5);
    perform private.remove_items('public.stories', stories);
    is_held := false;
    photos := 0;
    groups := 0;
    begin
      update public.profiles set avatar_path = null where id = me and avatar_path is not null;
      delete from public.message_media where id in (
        select id from public.message_media where sender_id = me and media_path is not null limit 5
      );
      get diagnostics photos = row_count;
      update public.conversations set picture_path = null, pictured_by = null where id in (
        select id from public.conversations where pictured_by = me limit 5
      );
      get diagnostics groups = row_count;
    exception when lock_not_available then
      is_held := true;
    end;
    if cardinality(posts) + cardinality(stories) + photos + groups = 0 then
      -- What somebody holds would keep the account open for as long as they like: after the deadline its objects become a job.
      if not is_held or clock_timestamp() > deadline then
        return true;
      end if;
    elsif clock_timestamp() > deadline then
      return false;
    end if;
  end loop;
end
$$;
