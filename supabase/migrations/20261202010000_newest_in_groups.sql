-- A search over all conversations reads the newest messages of the member's groups first: what is older than 2,000 of them cannot be among
-- the 2,000 newest, so no other list is read further.

-- With the rights of the owner, because policies would look the own view up for each message, and here it is asked once for each group.
create function private.newest_in_groups(
  before_at timestamptz,
  before_id uuid
) returns table (id uuid, conversation_id uuid, sender_id uuid, content text, created_at timestamptz)
  language plpgsql stable security definer rows 2000
  set search_path = '' set enable_seqscan = off set enable_bitmapscan = off set enable_memoize = off set jit = off
as $$
#variable_conflict use_column
declare
  most constant integer := 2000;
  me constant uuid := (select auth.uid());
  removed constant uuid[] := array(select private.removed_member_ids());
  -- Groups that may have more of the newest messages, since when the member reads them, and the last message that was read there.
  chats uuid[];
  since timestamptz[];
  last_at timestamptz[];
  last_id uuid[];
  -- The newest messages among those read, and their places in the table.
  times timestamptz[] := '{}';
  ids uuid[] := '{}';
  places tid[] := '{}';
  bound timestamptz := '-infinity';
  block integer;
begin
  -- Others' messages are not for a suspended member.
  if not private.is_member() then
    return;
  end if;
  select array_agg(v.conversation_id), array_agg(greatest(v.reads_after, v.cleared_at + interval '1 microsecond')),
      array_agg(before_at), array_agg(before_id)
    into chats, since, last_at, last_id
    from public.conversation_views v
    where v.member_id = me and v.is_group and v.reads_after < 'infinity';
  -- A round costs more than reading some messages too many.
  block := greatest(4, 3 * most / 2 / greatest(1, cardinality(chats)));
  while cardinality(chats) > 0 loop
    with read as materialized (
      select g.chat, g.since, m.*
      from unnest(chats, since, last_at, last_id) as g (chat, since, last_at, last_id)
      cross join lateral (
        select array_agg(r.created_at) as times, array_agg(r.id) as ids, array_agg(r.ctid) as places
        from (
          select x.created_at, x.id, x.ctid from public.messages x
          where x.conversation_id = g.chat and (x.created_at, x.id) < (g.last_at, g.last_id)
            and x.created_at >= greatest(g.since, bound) and x.sender_id <> all (removed)
          order by x.created_at desc, x.id desc limit block
        ) as r
      ) as m
    ), newest as (
      select array_agg(k.at) as times, array_agg(k.id) as ids, array_agg(k.place) as places
      from (
        select u.* from unnest(times, ids, places) as u (at, id, place)
        union all
        select u.* from read r cross join lateral unnest(r.times, r.ids, r.places) as u (at, id, place)
        order by at desc, id desc limit most
      ) as k
    )
    select n.*, o.* into times, ids, places, chats, since, last_at, last_id
      from newest n
      cross join lateral (
        select array_agg(r.chat), array_agg(r.since), array_agg(r.times[block]), array_agg(r.ids[block])
        from read r where r.times[block] >= coalesce(n.times[most], '-infinity')
      ) as o;
    bound := coalesce(times[most], '-infinity');
    block := 8 * block;
  end loop;
  -- A statement that only reads sees each row where it was.
  return query
    select x.id, x.conversation_id, x.sender_id, x.content, x.created_at
    from public.messages x where x.ctid = any (places);
end
$$;
comment on function private.newest_in_groups(timestamptz, uuid) is
  'The 2,000 newest messages before (before_at, before_id) that the caller may read in the groups they are in, own '
  'ones from joining on too. Reads some of each group, then more of those that have newer ones.';
revoke execute on function private.newest_in_groups(timestamptz, uuid) from public, anon, authenticated;
grant execute on function private.newest_in_groups(timestamptz, uuid) to authenticated;

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

-- Its rows came with the rights of the caller, whose policies were asked twice for each.
drop function private.received_in_groups(timestamptz, uuid);
