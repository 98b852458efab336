-- The embedded server ends a call after a second of processor time and rolls it back. A call of clear_account() began another batch until a
-- second had gone, so on an idle machine it was always ended: nothing of a large account was ever removed.

create or replace function private.clear_account() returns boolean
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  me constant uuid := private.require_recent_sign_in();
  -- Leaves time for the last batch: five posts of ten photos and many words take up to 130 ms.
  deadline constant timestamptz := clock_timestamp() + interval '300 milliseconds';
  posts uuid[];
  stories uuid[];
  photos integer;
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
    begin
      update public.profiles set avatar_path = null where id = me and avatar_path is not null;
      delete from public.message_media where id in (
        select id from public.message_media where sender_id = me and media_path is not null limit 5
      );
      get diagnostics photos = row_count;
    exception when lock_not_available then
      is_held := true;
    end;
    if cardinality(posts) + cardinality(stories) + photos = 0 then
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
comment on function private.clear_account() is
  'Removes a part of what of the caller''s refers to objects, for about 300 ms. Returns whether the caller may go on: nothing is left, or only what others hold. PT401, PT428.';
