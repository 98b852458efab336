-- Search in a member's messages: docs/decisions/0054-message-search.md.

create index messages_sender_time_idx on public.messages (sender_id, created_at desc, id desc);
create index messages_recipient_time_idx on public.messages (recipient_id, created_at desc, id desc);
-- The first of them serves the foreign key too.
drop index public.messages_sender_idx;

create function public.search_messages(
  query text, in_conversation uuid default null, before_at timestamptz default null, before_id uuid default null
)
  returns table (
    id uuid, conversation_id uuid, sender_id uuid, content text, created_at timestamptz, is_match boolean,
    is_last_read boolean
  )
  language sql stable security invoker set search_path = '' set enable_bitmapscan = off set jit = off
as $$
  with start as (
    select coalesce(before_at, 'infinity') as at, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as id
  ), scanned as (
    select candidates.*, row_number() over (order by candidates.created_at desc, candidates.id desc) as place
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
        select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
        where m.conversation_id = in_conversation
          and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
        order by m.created_at desc, m.id desc limit 2000
      )
    ) as candidates
    order by candidates.created_at desc, candidates.id desc limit 2000
  ), found as (
    select s.*, strpos(lower(s.content), lower(btrim(query))) > 0 as is_match from scanned s
  )
  select f.id, f.conversation_id, f.sender_id, case when f.is_match then f.content else '' end, f.created_at,
    f.is_match, f.place = 2000
  from found f
  where char_length(btrim(query)) between 2 and 100 and (f.is_match or f.place = 2000)
  order by f.created_at desc, f.id desc limit 20
$$;
comment on function public.search_messages(text, uuid, timestamptz, uuid) is
  'At most twenty of the caller''s messages whose text contains the query, ignoring case, newest first, from before (before_at, '
  'before_id); in one conversation if one is given. Reads 2,000 messages at most; the last one read is the last row, whether or not it matches.';
revoke execute on function public.search_messages(text, uuid, timestamptz, uuid) from public, anon, authenticated;
grant execute on function public.search_messages(text, uuid, timestamptz, uuid) to authenticated, service_role;
