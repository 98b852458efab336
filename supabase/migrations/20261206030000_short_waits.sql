-- clear_account() waits for 50 ms also where it removes posts and stories, one at a time: who held a like kept it from ending.
CREATE OR REPLACE FUNCTION private.clear_account()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '50ms'
AS $function$
declare
  me constant uuid := private.require_recent_sign_in();
  -- A request has 500 ms. Leaves time for the last batch, which waits for up to 150 ms for what others hold.
  deadline constant timestamptz := clock_timestamp() + interval '100 milliseconds';
  posts uuid[];
  stories uuid[];
  photos integer;
  groups integer;
  is_held boolean;
begin
  loop
    -- All rows that refer to objects, so that the client may remove the objects. delete_account() removes the rest.
    posts := array(select h.post_id from public.post_media h where h.user_id = me limit 1);
    perform private.remove_items('public.posts', posts);
    if cardinality(posts) > 0 and clock_timestamp() > deadline then
      return false;
    end if;
    stories := array(select s.id from public.stories s where s.user_id = me and s.media_path is not null limit 1);
    perform private.remove_items('public.stories', stories);
    if cardinality(stories) > 0 and clock_timestamp() > deadline then
      return false;
    end if;
    is_held := false;
    photos := 0;
    groups := 0;
    begin
      update public.profiles set avatar_path = null where id = me and avatar_path is not null;
      delete from public.message_media where id in (
        select id from public.message_media where sender_id = me and media_path is not null limit 2
      );
      get diagnostics photos = row_count;
      update public.conversations set picture_path = null, pictured_by = null where id in (
        select id from public.conversations where pictured_by = me limit 2
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
$function$;

CREATE OR REPLACE FUNCTION private.delete_comments(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '200ms'
AS $function$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.check_ids(ids);
  perform private.remove_items('public.comments', array(
    select c.id from public.comments c
    where c.id = any (ids) and c.user_id not in (select private.removed_member_ids())
      and (c.user_id = me or exists (select from public.posts p where p.id = c.post_id and p.user_id = me))
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_posts(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '200ms'
AS $function$
begin
  perform private.check_ids(ids);
  perform private.remove_items('public.posts', array(
    select p.id from public.posts p where p.id = any (ids) and p.user_id = (select auth.uid())
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_stories(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '200ms'
AS $function$
begin
  perform private.check_ids(ids);
  perform private.remove_items('public.stories', array(
    select s.id from public.stories s where s.id = any (ids) and s.user_id = (select auth.uid())
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.remove_items(items regclass, ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  if private.weigh(items, ids, 200) < 200 then
    begin
      execute format('delete from %s where id = any ($1)', items) using ids;
      return;
    exception when lock_not_available then
      -- Somebody holds rows of them, for as long as they like.
      null;
    end;
  end if;
  perform private.hold_items(items, ids);
end
$function$;

COMMENT ON FUNCTION "private"."remove_items"(regclass, uuid[]) IS 'Removes posts, comments or stories for everybody: deletes them if fewer than 200 rows depend on them and nobody holds one for longer than the lock_timeout of the caller, otherwise by a holder.';
