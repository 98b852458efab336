-- A search or a list of names may be as long as a request, 20 MB on a hosted project, and each step over it made a copy.

create or replace function public.known_usernames(names text) returns table(username text)
  language sql stable set search_path = ''
as $$
  select username from private.known_usernames(left(names, 4000))
$$;

create or replace function public.renamed_to(name text) returns text
  language sql stable set search_path = ''
as $$
  select private.renamed_to(left(name, 31))
$$;

create or replace function public.username_available(name text) returns boolean
  language sql stable set search_path = ''
as $$
  select private.username_available(left(name, 31))
$$;

create or replace function public.search_posts(query text, before_at timestamptz default null, before_id uuid default null) returns setof public.posts
  language sql stable rows 30 set search_path = '' set jit = off
as $$
  -- An array: a join may be planned as a scan of all posts in the order of their times.
  select p.* from public.posts p
  where p.id = any (array(select private.found_post_ids(left(query, 4000), before_at, before_id)))
  order by p.created_at desc, p.id desc
$$;

create or replace function public.search_profiles(query text) returns table(id uuid, username text, full_name text, avatar_url text, avatar_path text)
  language sql stable set search_path = ''
as $$
  select id, username, full_name, avatar_url, avatar_path from private.search_profiles(left(query, 4000))
$$;

create or replace function public.search_topics(query text) returns table(kind text, topic text, label text)
  language sql stable set search_path = ''
as $$
  select kind, topic, label from private.search_topics(left(query, 4000))
$$;

create or replace function public.search_messages(query text, in_conversation uuid default null, before_at timestamptz default null, before_id uuid default null)
  returns table(id uuid, conversation_id uuid, sender_id uuid, content text, created_at timestamptz, is_match boolean, is_last_read boolean)
  language sql stable set search_path = '' set enable_bitmapscan = off set jit = off
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
