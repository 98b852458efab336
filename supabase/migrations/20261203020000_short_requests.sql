-- What a member writes is held for 500 ms, except by calls that have a right to wait for others; a statement writes messages of one conversation;
-- marks of reading and delivery leave what somebody holds to a later call. docs/decisions/0111-short-writes.md.
DROP POLICY "messages_update" ON "public"."messages";

CREATE OR REPLACE FUNCTION private.before_request()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  -- As it was sent: one that is written in another way, which PostgREST decodes, is none of those below.
  path constant text := current_setting('request.path', true);
begin
  if current_user <> 'authenticated' or current_setting('request.method', true) in ('GET', 'HEAD')
    or path in (
      -- They may wait for what others hold, and hold nothing meanwhile that these others have a right to change.
      '/likes', '/comment_likes', '/posts', '/profiles', '/messages',
      '/rpc/accept_follow_request', '/rpc/end_follow', '/rpc/mark_read', '/rpc/end_session', '/rpc/answer_sign_in',
      -- They have much to do: inline pictures, long lists, all of an account. Nobody else can make them slow.
      '/stories', '/post_media', '/message_media', '/rpc/create_post', '/rpc/mark_delivered', '/rpc/settle', '/rpc/block_members',
      '/rpc/delete_posts', '/rpc/delete_comments', '/rpc/delete_stories', '/rpc/clear_account', '/rpc/delete_account'
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

CREATE OR REPLACE FUNCTION private.mark_delivered()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_sort TO 'off'
AS $function$
declare
  me constant uuid := (select auth.uid());
  received uuid[];
begin
  perform private.require_active();
  if not private.is_member() or not private.shows_activity() then
    return;
  end if;
  received := array(
    select newest.conversation_id
    from (
      select m.conversation_id, m.undelivered from public.conversation_views m
      where m.member_id = me and m.folder = 'inbox' order by m.listed_at desc, m.conversation_id desc limit 1000
    ) as newest
    cross join lateral (
      select case me when c.participant_1 then c.participant_2 else c.participant_1 end as id
      from public.conversations c where c.id = newest.conversation_id offset 0
    ) as sender
    where newest.undelivered
      and sender.id not in (select private.my_hidden_ids())
      and not exists (select 1 from public.profiles p where p.id = sender.id and not p.show_activity_status)
    limit 200
  );
  if cardinality(received) = 0 then
    return;
  end if;
  -- It waits for nobody while it holds what others need: what somebody holds is reported by a later call. A message that is being sent
  -- holds both views, and its own arrival calls again.
  received := array(
    select free.conversation_id
    from (
      select m.conversation_id from public.conversation_views m
      where m.conversation_id = any (received) for no key update skip locked
    ) as free
    group by free.conversation_id
    having count(*) = (select count(*) from public.conversation_views v where v.conversation_id = free.conversation_id)
  );
  update public.conversation_views theirs
    set delivered_at = greatest(theirs.delivered_at, mine.last_message_at)
    from public.conversation_views mine
    where mine.member_id = me and mine.undelivered and mine.conversation_id = any (received)
      and theirs.conversation_id = mine.conversation_id and theirs.member_id <> me;
  update public.conversation_views m set undelivered = false
    where m.member_id = me and m.conversation_id = any (received);
end
$function$;

CREATE OR REPLACE FUNCTION private.mark_read(conversation uuid, until_at timestamp with time zone, until_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most constant integer := 500;
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

CREATE OR REPLACE FUNCTION private.refuse_several_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if (select count(distinct conversation_id) from changed) > 1 then
    raise sqlstate 'PT422' using message = 'Write to one conversation at a time.';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.touch_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  locked public.conversations[];
  pairs uuid[];
  moved uuid[];
begin
  loop
    begin
      locked := array(
        select c from public.conversations c
        where c.id in (select conversation_id from changed) order by c.id for no key update
      );
      pairs := array(select l.id from unnest(locked) as l where l.kind = 'pair');
      -- The sender may hold the own view, by a slow request. Until it ends the other member gets the conversation, and waits for nobody.
      perform 1 from public.conversation_views m
        where m.conversation_id = any (pairs) and m.member_id = (select auth.uid()) for no key update nowait;
      exit;
    exception when lock_not_available then
      perform pg_catalog.pg_sleep(0.02);
    end;
  end loop;
  -- Not in the statement of the lock: who was removed meanwhile is seen by the next one.
  if exists (
    select from changed c where not exists (
      select from public.conversation_views v
      where v.member_id = c.sender_id and v.conversation_id = c.conversation_id and v.writes offset 0
    )
  ) then
    raise sqlstate 'PT403' using message = 'This is not one of your conversations.';
  end if;
  -- created_at is when the transaction began. Imported messages keep their times.
  moved := array(
    select c.id from changed c join unnest(locked) as l on l.id = c.conversation_id
    where c.created_at = now() and c.created_at <= l.last_message_at
  );
  if cardinality(moved) > 0 then
    update public.messages m set created_at = later.at
      from (
        select c.id,
          l.last_message_at + interval '1 microsecond' * row_number() over (partition by c.conversation_id order by c.created_at, c.id) as at
        from changed c join unnest(locked) as l on l.id = c.conversation_id
        where c.id = any (moved)
      ) as later
      where m.id = any (moved) and m.id = later.id;
  end if;
  update public.conversations c
    set last_message_at = greatest(c.last_message_at, m.latest),
        participant_1_wrote = c.participant_1_wrote or coalesce(c.participant_1 = any (m.senders), false),
        participant_2_wrote = c.participant_2_wrote or coalesce(c.participant_2 = any (m.senders), false)
    from (
      select s.conversation_id, array_agg(distinct s.sender_id) as senders,
        max(case when s.id = any (moved) then (select m.created_at from public.messages m where m.id = s.id) else s.created_at end) as latest
      from changed s group by s.conversation_id
    ) as m
    where c.id = m.conversation_id;
  if exists (select from changed c where c.read) then
    -- Imported. Clients send no message as read.
    update public.conversation_members m set read_at = n.created_at, read_id = n.id
      from private.newest_read(array(select c.id from changed c where c.read)) as n
      where m.conversation_id = n.conversation_id and m.member_id = n.member_id and private.shows_reading(m.member_id)
        and (m.read_at is null or (m.read_at, m.read_id) < (n.created_at, n.id));
    update public.conversation_views m set mark_at = n.created_at, mark_id = n.id
      from private.newest_read(array(select c.id from changed c where c.read)) as n
      where m.conversation_id = n.conversation_id and m.member_id = n.member_id
        and (m.mark_at is null or (m.mark_at, m.mark_id) < (n.created_at, n.id));
  end if;
  perform 1 from public.conversation_views m
    where m.conversation_id = any (pairs)
    order by m.conversation_id, m.member_id for no key update;
  update public.conversation_views m
    set last_message_at = greatest(m.last_message_at, n.latest),
        listed_at = case when n.is_below then greatest(m.last_message_at, n.latest) else m.listed_at end,
        accepted = n.accepted,
        folder = case when n.accepted then 'inbox' else 'requests' end,
        unread = m.unread or n.unread,
        undelivered = m.undelivered or n.unread
    from (
      select
        mine.member_id,
        mine.conversation_id,
        (select c.last_message_at from public.conversations c where c.id = mine.conversation_id) as latest,
        bool_or(
          c.sender_id <> mine.member_id and not c.read and c.deleted_at is null
          -- One that was imported may be older than the mark. One that was moved is not.
          and (mine.mark_at is null or c.id = any (moved) or (c.created_at, c.id) > (mine.mark_at, mine.mark_id))
        ) as unread,
        mine.accepted
          or bool_or(c.sender_id = mine.member_id)
          or exists (
            select 1 from public.follows f
            where f.follower_id = mine.member_id and f.following_id = any (array_agg(c.sender_id))
          ) as accepted,
        exists (
          select 1 from public.conversation_views above
          where above.member_id = mine.member_id and above.folder = any ('{inbox,requests,archived,none}')
            and (above.listed_at, above.conversation_id) > (mine.listed_at, mine.conversation_id)
        ) as is_below
      from changed c
      join public.conversation_views mine on mine.conversation_id = c.conversation_id
      where c.conversation_id = any (pairs)
      group by mine.member_id, mine.conversation_id
    ) as n
    where m.member_id = n.member_id and m.conversation_id = n.conversation_id;
  return null;
end
$function$;

CREATE TRIGGER messages_allow_conversation_change AFTER UPDATE ON public.messages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.messages'::text)) EXECUTE FUNCTION private.refuse_several_conversations();

CREATE TRIGGER messages_allow_conversation AFTER INSERT ON public.messages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.messages'::text)) EXECUTE FUNCTION private.refuse_several_conversations();

CREATE POLICY "messages_update" ON "public"."messages" FOR UPDATE TO "authenticated" USING (((sender_id = ( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT
   FROM public.conversation_views v
  WHERE ((v.member_id = ( SELECT auth.uid() AS uid)) AND (v.conversation_id = messages.conversation_id) AND (NOT v.is_group) AND (messages.created_at >= v.reads_after))
 OFFSET 0)))) WITH CHECK (((sender_id = ( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT
   FROM public.conversation_views v
  WHERE ((v.member_id = ( SELECT auth.uid() AS uid)) AND (v.conversation_id = messages.conversation_id) AND (NOT v.is_group) AND (messages.created_at >= v.reads_after))
 OFFSET 0))));

COMMENT ON FUNCTION "private"."before_request"() IS 'PostgREST calls it before the statement of each request. What a member writes is held for 500 ms, except by the calls that it names and those that only read: docs/decisions/0111-short-writes.md.';

COMMENT ON FUNCTION "private"."mark_delivered"() IS 'Reports to the senders of the caller''s new messages that they have arrived, in the latest two hundred conversations with some among the newest thousand. Requests, closed conversations, and conversations in which one of the two has Activity Status off report nothing. Takes no lock if there is nothing to report, and leaves what somebody holds to a later call.';

COMMENT ON FUNCTION "private"."refuse_several_conversations"() IS 'Refuses a statement of a member that writes messages of several conversations, before it locks one of them and waits for another.';

REVOKE ALL ON FUNCTION "private"."refuse_several_conversations"() FROM PUBLIC;
