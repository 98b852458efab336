-- What a member has deleted, or was written before they joined, is not looked at: policies say so of each message, but not where to begin, so
-- 100,000 of them took half a second.

create or replace function public.search_messages(
  query text,
  in_conversation uuid default NULL::uuid,
  before_at timestamptz default NULL::timestamptz,
  before_id uuid default NULL::uuid
) returns table (
  id uuid,
  conversation_id uuid,
  sender_id uuid,
  content text,
  created_at timestamptz,
  is_match boolean,
  is_last_read boolean
)
  language plpgsql stable set search_path = '' set enable_bitmapscan = off set jit = off
as $$
#variable_conflict use_column
-- Not sql: its plan, of many policies, would be made for each call.
begin
  return query
    with start as (
      select coalesce(before_at, 'infinity') as at, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as id,
        case when char_length(private.composed(t.asked)) between 2 and 100 then private.search_key(t.asked) end as wanted
      from (select btrim(left(query, 4000)) as asked) as t
    ), in_groups as materialized (
      select m.* from private.newest_in_groups((select s.at from start s), (select s.id from start s)) as m
      where in_conversation is null
    ), mine as (
      select v.reads_after, coalesce(v.cleared_at, '-infinity') as cleared_at from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = in_conversation
    ), bound as (
      select case when count(*) >= 2000 then min(m.created_at) else '-infinity' end as at from in_groups m
    ), scanned as (
      select candidates.*, row_number() over newest_first as place,
        sum(octet_length(candidates.content)) over newest_first as octets
      from (
        (
          select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
          where in_conversation is null and m.sender_id = (select auth.uid())
            and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
            and m.created_at >= (select b.at from bound b)
          order by m.created_at desc, m.id desc limit 2000
        )
        union all
        (
          select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
          where in_conversation is null and m.recipient_id = (select auth.uid())
            and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
            and m.created_at >= (select b.at from bound b)
          order by m.created_at desc, m.id desc limit 2000
        )
        union all
        -- Own ones are above.
        select m.* from in_groups m where m.sender_id <> (select auth.uid())
        union all
        (
          select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
          where m.conversation_id = in_conversation
            and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
            and m.created_at >= (select greatest(v.reads_after, v.cleared_at) from mine v)
          order by m.created_at desc, m.id desc limit 2000
        )
        union all
        -- Own ones from before the member joined once more.
        (
          select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
          where m.sender_id = (select auth.uid()) and m.conversation_id = in_conversation
            and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
            and m.created_at < (select v.reads_after from mine v) and m.created_at > (select v.cleared_at from mine v)
          order by m.created_at desc, m.id desc limit 2000
        )
      ) as candidates
      window newest_first as (order by candidates.created_at desc, candidates.id desc)
      order by candidates.created_at desc, candidates.id desc limit 2000
    ), read as (
      select s.*, s.place = 2000 or s.octets >= 200000 as is_last from scanned s
      where s.octets - octet_length(s.content) < 200000
    ), found as (
      select r.*, strpos(private.search_key(r.content), (select t.wanted from start t)) > 0 as is_match from read r
    )
    select f.id, f.conversation_id, f.sender_id, case when f.is_match then f.content else '' end, f.created_at,
      f.is_match, f.is_last
    from found f
    where (select t.wanted from start t) <> '' and (f.is_match or f.is_last)
    order by f.created_at desc, f.id desc limit 20;
end
$$;

-- Own messages from before the member joined once more are read: the mark begins with what they have read since.
create or replace function private.mark_read(conversation uuid, until_at timestamptz, until_id uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
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
      order by m.created_at, m.id limit most for no key update
    );
    if cardinality(read_ids) = most then
      select m.created_at, m.id into shown_at, shown_id from public.messages m where m.id = read_ids[most];
    end if;
  end if;
  if is_shown then
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
$$;
