-- A search in all conversations finds messages of others in groups too. Only pairs say in each message who received it (0106).

create function private.received_in_groups(before_at timestamptz, before_id uuid)
  returns table (id uuid, conversation_id uuid, sender_id uuid, content text, created_at timestamptz)
  language plpgsql stable rows 2000
  set search_path = '' set enable_bitmapscan = 'off' set enable_memoize = 'off' set jit = 'off'
as $$
#variable_conflict use_column
declare
  most constant integer := 2000;
  me constant uuid := (select auth.uid());
  chats uuid[];
  -- The times of the newest messages among those counted; the last one bounds the others.
  times timestamptz[] := '{}';
  bound timestamptz := '-infinity';
  -- Groups that may have more messages after it, and since when the member reads them.
  counted_on uuid[];
  since timestamptz[];
  done integer := 0;
  block integer;
begin
  -- Others' messages are not for a suspended member, who would read all in vain.
  if private.is_member() then
    select array_agg(v.conversation_id), array_agg(greatest(v.reads_after, v.cleared_at)) into chats, since
      from public.conversation_views v
      where v.member_id = me and v.is_group and v.reads_after < 'infinity';
  end if;
  counted_on := chats;
  block := greatest(4, most / greatest(1, cardinality(chats)));
  while cardinality(counted_on) > 0 loop
    with counted as materialized (
      select g.id as chat, g.since, m.created_at
      from unnest(counted_on, since) as g (id, since)
      cross join lateral (
        select x.created_at from public.messages x
        where x.conversation_id = g.id and (x.created_at, x.id) < (before_at, before_id) and x.created_at >= greatest(g.since, bound)
        order by x.created_at desc, x.id desc offset done limit block
      ) as m
    )
    select n.times, o.chats, o.since into times, counted_on, since
      from (
        select array_agg(k.at) as times
        from (
          select u.at from unnest(times) as u (at) union all select c.created_at from counted c
          order by 1 desc limit most
        ) as k
      ) as n
      cross join lateral (
        select array_agg(e.chat) as chats, array_agg(e.since) as since
        from (
          select c.chat, c.since from counted c group by c.chat, c.since
          having count(*) = block and min(c.created_at) >= coalesce(n.times[most], '-infinity')
        ) as e
      ) as o;
    bound := coalesce(times[most], '-infinity');
    done := done + block;
    block := 4 * block;
  end loop;
  return query
    select m.id, m.conversation_id, m.sender_id, m.content, m.created_at
    from unnest(chats) as g (id)
    cross join lateral (
      select * from public.messages x
      where x.conversation_id = g.id and (x.created_at, x.id) < (before_at, before_id) and x.created_at >= bound
      order by x.created_at desc, x.id desc limit most
    ) as m
    where m.sender_id <> me;
end
$$;
comment on function private.received_in_groups(timestamptz, uuid) is
  'Messages of others in the caller''s groups before (before_at, before_id): all of the 2,000 newest messages there. Counts some of each group, then more of those that have newer ones.';
revoke execute on function private.received_in_groups(timestamptz, uuid) from public;
grant execute on function private.received_in_groups(timestamptz, uuid) to authenticated;

create or replace function public.search_messages(query text, in_conversation uuid default null, before_at timestamptz default null, before_id uuid default null)
  returns table (id uuid, conversation_id uuid, sender_id uuid, content text, created_at timestamptz, is_match boolean, is_last_read boolean)
  language sql stable set search_path = '' set enable_bitmapscan = 'off' set jit = 'off'
as $$
  with start as (
    select coalesce(before_at, 'infinity') as at, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as id,
      case when char_length(private.composed(t.asked)) between 2 and 100 then private.search_key(t.asked) end as wanted
    from (select btrim(left(query, 4000)) as asked) as t
  ), scanned as (
    select candidates.*, row_number() over newest_first as place,
      sum(octet_length(candidates.content)) over newest_first as octets
    from (
      (
        select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
        where in_conversation is null and m.sender_id = (select auth.uid())
          and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
        order by m.created_at desc, m.id desc limit 2000
      )
      union all
      (
        select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
        where in_conversation is null and m.recipient_id = (select auth.uid())
          and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
        order by m.created_at desc, m.id desc limit 2000
      )
      union all
      (
        select m.* from private.received_in_groups((select s.at from start s), (select s.id from start s)) as m
        where in_conversation is null
      )
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
  order by f.created_at desc, f.id desc limit 20
$$;
