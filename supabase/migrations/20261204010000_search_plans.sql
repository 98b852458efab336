-- The newest messages of groups are found by generic plans: one made for a member read all views of conversations, depending on the order of their ids.
CREATE OR REPLACE FUNCTION private.newest_in_groups(before_at timestamp with time zone, before_id uuid)
 RETURNS TABLE(id uuid, conversation_id uuid, sender_id uuid, content text, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 2000
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_memoize TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
-- Generic: for a member with many conversations, few of them groups, a plan of their own may read an index from end to end.
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
$function$;
