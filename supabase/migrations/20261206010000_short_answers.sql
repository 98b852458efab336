-- Answers that a member's filter can make slow have 500 ms, and batches that fit: mark_read(), settle(), clear_account(). A name of a group that draws nothing is none.
CREATE OR REPLACE FUNCTION private.before_request()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  -- As it was sent: one that is written in another way, which PostgREST decodes, is none of those below.
  path constant text := current_setting('request.path', true);
  method constant text := current_setting('request.method', true);
begin
  perform set_config('vignette.before_request', 'called', true);
  if current_user <> 'authenticated' or method in ('GET', 'HEAD')
    -- Only new ones: an update takes a filter.
    or path = '/messages' and method = 'POST'
    -- Functions of these return nothing, so that no filter of their answer is slow, or only rows that nobody else needs.
    or path in (
      -- They may wait for what others hold, and hold nothing meanwhile that these others have a right to change.
      '/likes', '/comment_likes', '/posts', '/profiles', '/rpc/accept_follow_request', '/rpc/end_follow', '/rpc/edit_message',
      '/rpc/unsend_message', '/rpc/end_session', '/rpc/answer_sign_in',
      -- They have much to do: inline pictures, long lists, all of an account. Nobody else can make them slow.
      '/stories', '/post_media', '/message_media', '/rpc/create_post', '/rpc/mark_delivered', '/rpc/block_members',
      '/rpc/delete_posts', '/rpc/delete_comments', '/rpc/delete_stories', '/rpc/delete_account'
    )
    -- What only reads holds nothing.
    or (
      select bool_and(p.provolatile <> 'v') from pg_catalog.pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.proname = substr(path, 6) and starts_with(path, '/rpc/')
    )
  then
    return;
  end if;
  perform set_config('statement_timeout', '500ms', true);
end
$function$;

CREATE OR REPLACE FUNCTION private.clear_account()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '50ms'
AS $function$
declare
  me constant uuid := private.require_recent_sign_in();
  -- A request has 500 ms. Leaves time for the last batch, which waits for up to 250 ms for what others hold.
  deadline constant timestamptz := clock_timestamp() + interval '100 milliseconds';
  posts uuid[];
  stories uuid[];
  photos integer;
  groups integer;
  is_held boolean;
begin
  loop
    -- All rows that refer to objects, so that the client may remove the objects. delete_account() removes the rest.
    posts := array(select distinct h.post_id from public.post_media h where h.user_id = me limit 2);
    perform private.remove_items('public.posts', posts);
    if cardinality(posts) > 0 and clock_timestamp() > deadline then
      return false;
    end if;
    stories := array(select s.id from public.stories s where s.user_id = me and s.media_path is not null limit 2);
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

CREATE OR REPLACE FUNCTION private.clear_blank_name()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.name := null;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.mark_read(conversation uuid, until_at timestamp with time zone, until_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most constant integer := 100;
  me constant uuid := (select auth.uid());
  mine public.conversation_views;
  is_shown boolean;
  has_moved boolean;
  last_at timestamptz;
  last_id uuid;
  from_at timestamptz;
  from_id uuid;
  shown_at timestamptz;
  shown_id uuid;
  held_at timestamptz;
  held_id uuid;
  read_ids uuid[];
begin
  perform private.require_active();
  if not private.is_member() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  select * into mine from public.conversation_views v where v.member_id = me and v.conversation_id = conversation;
  if mine.reads_after is null or mine.reads_after = 'infinity' or num_nulls(until_at, until_id) > 0 then
    return false;
  end if;
  select m.created_at, m.id into last_at, last_id from public.messages m
    where m.conversation_id = conversation
      and m.created_at >= mine.reads_after and m.created_at > coalesce(mine.cleared_at, '-infinity')
    order by m.created_at desc, m.id desc limit 1;
  if last_at is null then
    return false;
  end if;
  if (until_at, until_id) < (last_at, last_id) then
    last_at := until_at;
    last_id := until_id;
  end if;
  -- A block ends what one of the two learns of the other's activity.
  is_shown := mine.accepted and not coalesce(private.is_apart(me, private.other_participant(conversation, me)), false)
    and private.shows_reading(me);

  shown_at := last_at;
  shown_id := last_id;
  -- Messages, the row of the member, the view: the order of all writers.
  if is_shown and not mine.is_group then
    -- Those up to the shown mark are read already.
    select coalesce(m.read_at, '-infinity'), coalesce(m.read_id, '00000000-0000-0000-0000-000000000000') into from_at, from_id
      from public.conversation_members m where m.conversation_id = conversation and m.member_id = me;
    read_ids := array(
      select m.id from public.messages m
      where m.conversation_id = conversation and m.sender_id <> me and not m.read
        and (m.created_at, m.id) > (from_at, from_id) and (m.created_at, m.id) <= (last_at, last_id)
      order by m.created_at, m.id limit most for no key update skip locked
    );
    -- One that its sender holds, by a slow edit, is shown as read by a later call, and those after it too.
    select m.created_at, m.id into held_at, held_id from public.messages m
      where m.conversation_id = conversation and m.sender_id <> me and not m.read
        and (m.created_at, m.id) > (from_at, from_id) and (m.created_at, m.id) <= (last_at, last_id)
        and m.id <> all (read_ids)
      order by m.created_at, m.id limit 1;
    if held_id is not null then
      read_ids := array(
        select m.id from public.messages m
        where m.id = any (read_ids) and (m.created_at, m.id) < (held_at, held_id) order by m.created_at, m.id
      );
      -- Null if the first one is held.
      select m.created_at, m.id into shown_at, shown_id from public.messages m where m.id = read_ids[cardinality(read_ids)];
    end if;
  end if;
  if is_shown and shown_id is not null then
    update public.conversation_members m set read_at = shown_at, read_id = shown_id
      where m.conversation_id = conversation and m.member_id = me and m.state = 'in'
        and (m.read_at is null or (m.read_at, m.read_id) < (shown_at, shown_id));
  end if;
  update public.conversation_views v set mark_at = last_at, mark_id = last_id
    where v.member_id = me and v.conversation_id = conversation and v.reads_after < 'infinity'
      and (v.mark_at is null or (v.mark_at, v.mark_id) < (last_at, last_id));
  has_moved := found;
  -- After the marks, which its triggers would raise without counting.
  if cardinality(read_ids) > 0 then
    update public.messages m set read = true where m.id = any (read_ids) and not m.read;
  end if;
  -- A message that arrives meanwhile waits for this lock, or is seen by the next statement.
  perform 1 from public.conversation_views v
    where v.member_id = me and v.conversation_id = conversation for no key update;
  update public.conversation_views v set unread = false, undelivered = false
    where v.member_id = me and v.conversation_id = conversation and v.unread
      and not exists (
        select from public.messages m
        where m.conversation_id = conversation and m.sender_id <> me and m.deleted_at is null
          and (m.created_at, m.id) > (v.mark_at, v.mark_id) and m.created_at > coalesce(v.cleared_at, '-infinity')
      );
  if (found or has_moved) and coalesce(cardinality(read_ids), 0) in (0, most) then
    -- Other devices of the member learn it from the messages that got read, unless there are none, or not all of them are.
    perform private.broadcast_change('conversation_views', 'UPDATE', me, array[conversation]);
  end if;
  return coalesce(cardinality(read_ids), 0) = most;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_waiting()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A member's request has 500 ms.
  last constant timestamptz := clock_timestamp() + interval '150 milliseconds';
  kind text;
  is_cleaning boolean := false;
  is_counting boolean;
begin
  -- One at a time: a second one would find held what the first adds up, and hold the rest from their writers.
  if not pg_catalog.pg_try_advisory_xact_lock(7246005) then
    return 1000 + (1000 * random())::integer;
  end if;
  -- First, because it takes longest: counters are held at the end only.
  for kind in select k from unnest(array['account', 'blocks', 'requests', 'receipts']) as k order by random() loop
    if clock_timestamp() > last then
      is_cleaning := true;
      exit;
    end if;
    is_cleaning := case kind
      when 'account' then private.work_job(50)
      when 'blocks' then private.finish_blocks(50)
      when 'requests' then private.accept_left_requests(50)
      else private.clear_left_marks(200)
    end > 0 or is_cleaning;
  end loop;
  is_counting := private.settle_counts();
  -- Least ignores what is null.
  return least(case when is_cleaning or is_counting then 200 end, private.settle_announcements());
end
$function$;

CREATE TRIGGER conversations_clear_blank_name BEFORE INSERT OR UPDATE OF name ON public.conversations FOR EACH ROW WHEN ((NOT private.is_visible(new.name))) EXECUTE FUNCTION private.clear_blank_name();

COMMENT ON FUNCTION "private"."clear_account"() IS 'Removes a part of what of the caller''s refers to objects, for about 100 ms. Returns whether the caller may go on: nothing is left, or only what others hold. PT401, PT428.';

COMMENT ON FUNCTION "private"."clear_blank_name"() IS 'Removes a name of a group that has only invisible characters.';

COMMENT ON FUNCTION "private"."mark_read"(uuid, timestamp with time zone, uuid) IS 'Raises the caller''s mark of a conversation, never beyond the newest message that they may read; others see it if receipts are on and the request is accepted. Then up to 100 messages of a pair get read, the oldest first; returns whether more may be left. PT401, PT403, PT429.';

COMMENT ON FUNCTION "private"."settle_waiting"() IS 'Does what writers have written down instead of waiting for each other, and for some 150 ms a batch of each kind of what is removed, unless another call does. Returns after how many milliseconds to call it again; null if nothing is left that is free.';

COMMENT ON FUNCTION "public"."mark_read"(uuid, timestamp with time zone, uuid) IS 'Raises the caller''s mark of a conversation, never beyond the newest message that they may read; others see it if receipts are on and the request is accepted. Then up to 100 messages of a pair get read, the oldest first; returns whether more may be left. PT401, PT403, PT429.';

REVOKE ALL ON FUNCTION "private"."clear_blank_name"() FROM PUBLIC;

update public.conversations set name = null where kind = 'group' and not private.is_visible(name);
