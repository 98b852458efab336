-- The searches for members, posts and messages: docs/decisions/0069-search.md.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table private.post_words (
  post_id uuid not null,
  -- In code point order, words with the same beginning are adjacent.
  word text collate "C" not null,
  user_id uuid not null,
  audience text not null,
  created_at timestamptz not null,
  constraint post_words_pkey primary key (post_id, word),
  constraint post_words_post_id_fkey foreign key (post_id) references public.posts (id) on delete cascade
);
comment on table private.post_words is
  'The words of each post''s caption, place and alternative texts, as search keys. Author, audience and time '
  'are copies of the post''s. Triggers keep the rows.';
create index post_words_public_idx on private.post_words (word, created_at desc, post_id desc) include (user_id) where (audience = 'public'::text);
create index post_words_followers_idx on private.post_words (user_id, word, created_at desc, post_id desc) where (audience = 'followers'::text);
alter table private.post_words enable row level security;
revoke all on table private.post_words from public, anon, authenticated;
grant all on table private.post_words to service_role;

create function private.search_profiles(
  query text
) returns table (id uuid, username text, full_name text, avatar_url text, avatar_path text)
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off set jit = off
as $$
declare
  most constant integer := 10;
  left_out constant uuid[] := array(select private.my_hidden_ids()) || (select auth.uid());
  key constant text := private.search_key(btrim(query));
  wanted constant text := regexp_replace(key, '([\\%_])', '\\\1', 'g');
  found_ids uuid[];
begin
  if wanted = '' or wanted is null or not private.is_member() then
    return;
  end if;
  found_ids := array(
    select p.id
    from (
      select f.following_id as member_id from public.follows f
      where f.follower_id = (select auth.uid()) order by f.created_at desc, f.following_id desc limit 1000
    ) as followed
    join public.profiles p on p.id = followed.member_id
    where (p.username like wanted || '%' or private.search_key(p.full_name) like wanted || '%')
      and p.id <> all (left_out)
    order by p.username collate "C" limit most
  );
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where p.username collate "C" like wanted || '%' and p.id <> all (left_out || found_ids)
      order by p.username collate "C" limit most - cardinality(found_ids)
    );
  end if;
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where private.search_key(p.full_name) collate "C" like wanted || '%' and p.id <> all (left_out || found_ids)
      order by private.search_key(p.full_name) collate "C" limit most - cardinality(found_ids)
    );
  end if;
  if cardinality(found_ids) < most and key ~ '[a-z0-9]{3}' then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where (p.username like '%' || wanted || '%' or private.search_key(p.full_name) like '%' || wanted || '%')
        and p.id <> all (left_out || found_ids)
      limit most - cardinality(found_ids)
    );
  elsif cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where (strpos(p.username, key) > 0 or strpos(private.search_key(p.full_name), key) > 0)
        and p.id <> all (left_out || found_ids)
      limit most - cardinality(found_ids)
    );
  end if;
  return query
    select p.id, p.username, p.full_name, p.avatar_url, p.avatar_path
    from unnest(found_ids) with ordinality as hits (id, place)
    join public.profiles p on p.id = hits.id
    order by hits.place;
end
$$;
comment on function private.search_profiles(text) is
  'At most ten members whose username or full name contains the query, ignoring marks and case: followed '
  'members with this prefix first, then usernames with this prefix, then full names with this prefix, then the '
  'others. Stops at ten; reads every member only for one or two characters with fewer prefix hits.';
revoke execute on function private.search_profiles(text) from public, anon, authenticated;
grant execute on function private.search_profiles(text) to authenticated, service_role;

create function public.search_profiles(
  query text
) returns table (id uuid, username text, full_name text, avatar_url text, avatar_path text)
  language sql stable set search_path = ''
as $$
  select id, username, full_name, avatar_url, avatar_path from private.search_profiles(left(query, 4000))
$$;
comment on function public.search_profiles(text) is
  'At most ten members, without the caller and members hidden from them, whose username or full name contains '
  'the query, ignoring case; % _ and \ are literal.';
revoke execute on function public.search_profiles(text) from public, anon, authenticated;
grant execute on function public.search_profiles(text) to authenticated, service_role;

create function private.known_usernames(names text) returns table (username text)
  language sql stable security definer rows 20 set search_path = ''
as $$
  select distinct wanted.name
  from unnest((string_to_array(lower(names), ' '))[1:100]) as wanted (name)
  where (select private.is_member())
    and (
      exists (
        select 1 from public.profiles p
        where p.username = wanted.name and p.id not in (select private.my_hidden_ids())
      )
      or exists (
        select 1 from private.former_usernames f
        where f.username = wanted.name and f.member_id not in (select private.my_hidden_ids())
      )
    )
$$;
comment on function private.known_usernames(text) is
  'Which of these usernames, separated by spaces, lead to a member that the caller may see, now or by a former '
  'name; at most 100.';
revoke execute on function private.known_usernames(text) from public, anon, authenticated;
grant execute on function private.known_usernames(text) to authenticated, service_role;

create function public.known_usernames(names text) returns table (username text)
  language sql stable set search_path = ''
as $$
  select username from private.known_usernames(left(names, 4000))
$$;
comment on function public.known_usernames(text) is
  'Which of these usernames, separated by spaces, lead to a member that the caller may see; at most 100.';
revoke execute on function public.known_usernames(text) from public, anon, authenticated;
grant execute on function public.known_usernames(text) to authenticated, service_role;

-- The newest messages of the member's groups are read first: what is older than 2,000 of them cannot be among the 2,000 newest, so no
-- other list is read further.
create function public.search_messages(
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
comment on function public.search_messages(text, uuid, timestamptz, uuid) is
  'At most twenty of the caller''s messages whose text contains the query, ignoring marks and case, newest '
  'first, from before (before_at, before_id); in one conversation if one is given. Reads 2,000 messages or '
  '200,000 bytes of text; the last one read is the last row, whether or not it matches.';
revoke execute on function public.search_messages(text, uuid, timestamptz, uuid) from public, anon, authenticated;
grant execute on function public.search_messages(text, uuid, timestamptz, uuid) to authenticated, service_role;

create function private.searched_words(written text) returns setof text
  language sql immutable rows 20 set search_path = ''
as $$
  select found.word collate "C"
  from (
    select substr(w.word, start.place, 20) as word, min(w.number) as number, min(start.place) as place
    from unnest(private.words_of(written)) with ordinality as w (word, number)
    cross join lateral (
      select 1
      union all
      select place from generate_series(2, least(char_length(w.word), 500)) as place
      -- Thai, Lao, Myanmar, Khmer, kana, ideographs.
      where octet_length(w.word) > char_length(w.word)
        and substr(w.word, place, 1) ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]'
    ) as start (place)
    where w.word <> ''
    group by 1
  ) as found
  order by found.number, found.place limit 500
$$;
comment on function private.searched_words(text) is
  'The first 500 words of a text, each once and its first twenty characters. In scripts without spaces between '
  'words, a word begins at each character.';
revoke execute on function private.searched_words(text) from public, anon, authenticated;

create function private.words_of_post(post posts) returns setof text
  language sql stable set search_path = ''
as $$
  select private.searched_words(concat_ws(
    ' ', post.content, post.location, post.alt_text,
    (select string_agg(h.alt_text, ' ' order by h.position) from public.post_media h where h.post_id = post.id)
  ))
$$;
comment on function private.words_of_post(posts) is 'The words of a post''s caption, place and alternative texts.';
revoke execute on function private.words_of_post(posts) from public, anon, authenticated;

create function private.set_post_words() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  changed public.posts;
begin
  if tg_table_name = 'posts' then
    changed := new;
  else
    select p.* into changed from public.posts p
      where p.id = case when tg_op = 'DELETE' then old.post_id else new.post_id end;
  end if;
  if changed.id is null then
    return null;
  end if;
  if tg_op <> 'INSERT' then
    delete from private.post_words w
      where w.post_id = changed.id
        and (changed.audience = 'nobody' or w.word not in (select private.words_of_post(changed)));
  end if;
  if changed.audience = 'nobody' then
    return null;
  end if;
  insert into private.post_words (post_id, word, user_id, audience, created_at)
    select changed.id, word, changed.user_id, changed.audience, changed.created_at
    from private.words_of_post(changed) as word
    on conflict (post_id, word) do nothing;
  return null;
end
$$;
comment on function private.set_post_words() is
  'Keeps the words of a new or changed post, or of one whose photos change. One that nobody but its author '
  'sees has none.';
revoke execute on function private.set_post_words() from public, anon, authenticated;

create function private.found_post_ids(query text, before_at timestamptz, before_id uuid) returns setof uuid
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
declare
  most_words constant integer := 8;
  most_endings constant integer := 20;
  most_posts constant integer := 1000;
  most_hidden constant integer := 2000;
  most_follows constant integer := 1000;
  most_authors constant integer := 100;
  most_private constant integer := 100;
  me constant uuid := (select auth.uid());
  from_at constant timestamptz := coalesce(before_at, 'infinity');
  from_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  last_character constant text := U&'\+10FFFF';
  hidden constant uuid[] := array(
    select private.my_hidden_ids() union all select m.muted_id from public.mutes m where m.muter_id = me
  );
  wanted constant text[] := array(
    select distinct left(word, 20) from unnest((private.words_of(query))[:most_words]) as word where word <> ''
  );
  rarest text;
  others text[];
  endings text[];
  authors uuid[];
begin
  if cardinality(wanted) = 0 or not private.is_member() then
    return;
  end if;
  select t.term into rarest
    from unnest(wanted) as t (term)
    order by (
      select count(*)
      from (
        select from private.post_words w
        where w.audience = 'public' and w.word >= t.term collate "C" and w.word <= t.term || last_character collate "C"
        limit most_posts
      ) as counted
    ), t.term collate "C" limit 1;
  others := array_remove(wanted, rarest);
  endings := array(
    with recursive ending (word) as (
      (
        select w.word from private.post_words w
        where w.audience = 'public' and w.word >= rarest collate "C" and w.word <= rarest || last_character collate "C"
        order by w.word limit 1
      )
      union all
      select (
        select w.word from private.post_words w
        where w.audience = 'public' and w.word > e.word and w.word <= rarest || last_character collate "C"
        order by w.word limit 1
      )
      from ending e where e.word is not null
    )
    select e.word from ending e where e.word is not null limit most_endings
  );
  -- Private posts: from their authors to the words, so that posts that the caller may not see change nothing.
  authors := me || array(
    select p.id
    from (
      select f.following_id as member_id, f.created_at from public.follows f
      where f.follower_id = me order by f.created_at desc, f.following_id desc limit most_follows
    ) as followed
    -- A join may be planned as a scan of all profiles.
    cross join lateral (
      select m.id from public.profiles m where m.id = followed.member_id and m.is_private offset 0
    ) as p
    where p.id <> all (hidden)
    order by followed.created_at desc, followed.member_id desc limit most_authors
  );
  return query
    with candidates as (
      (
        select distinct latest.created_at, latest.post_id
        from unnest(endings) as ending (word)
        cross join lateral (
          select walked.created_at, walked.post_id
          from (
            select w.created_at, w.post_id, w.user_id from private.post_words w
            where w.audience = 'public' and w.word = ending.word and (w.created_at, w.post_id) < (from_at, from_id)
            order by w.created_at desc, w.post_id desc limit most_hidden
          ) as walked
          where walked.user_id <> all (hidden)
          limit most_posts
        ) as latest
        order by latest.created_at desc, latest.post_id desc limit most_posts
      )
      union
      (
        select own.created_at, own.post_id
        from unnest(authors) as author (id)
        cross join lateral (
          select w.created_at, w.post_id from private.post_words w
          where w.audience = 'followers' and w.user_id = author.id
            and w.word >= rarest collate "C" and w.word <= rarest || last_character collate "C"
            and (w.created_at, w.post_id) < (from_at, from_id)
          order by w.word, w.created_at desc, w.post_id desc limit most_private
        ) as own
        order by own.created_at desc, own.post_id desc limit most_posts
      )
    )
    select c.post_id
    -- In order, so that the thousandth found one is the last whose words are looked up.
    from (select * from candidates order by created_at desc, post_id desc offset 0) as c
    where not exists (
      select from unnest(others) as other (word)
      where not exists (
        select from private.post_words w
        where w.post_id = c.post_id and w.word >= other.word collate "C" and w.word <= other.word || last_character collate "C"
        offset 0
      )
    )
    order by c.created_at desc, c.post_id desc limit most_posts;
end
$$;
comment on function private.found_post_ids(text, timestamptz, uuid) is 'Proposes the newest thousand posts whose texts have words that begin with each word of the query.';
revoke execute on function private.found_post_ids(text, timestamptz, uuid) from public, anon, authenticated;
grant execute on function private.found_post_ids(text, timestamptz, uuid) to authenticated, service_role;

create function public.search_posts(
  query text,
  before_at timestamptz default NULL::timestamptz,
  before_id uuid default NULL::uuid
) returns setof posts
  language sql stable rows 30 set search_path = '' set jit = off
as $$
  select shown.*
  from (
    select p.*
    from unnest(array(select private.found_post_ids(left(query, 4000), before_at, before_id))) with ordinality as found (id, place)
    -- A look-up for each until there are enough. A join may be planned as a scan of all posts in the order of their times.
    cross join lateral (select * from public.posts where id = found.id offset 0) as p
    order by found.place limit 30
  ) as shown
  order by shown.created_at desc, shown.id desc
$$;
comment on function public.search_posts(text, timestamptz, uuid) is
  'A page of thirty posts that the caller may see, newest first, whose captions, places and alternative texts '
  'together have words that begin with those of the query, older than a given post; without one, the newest.';
revoke execute on function public.search_posts(text, timestamptz, uuid) from public, anon, authenticated;
grant execute on function public.search_posts(text, timestamptz, uuid) to authenticated, service_role;

-- With the rights of the owner, because policies would look the own view up for each message, and here it is asked once for each group.
create function private.newest_in_groups(
  before_at timestamptz,
  before_id uuid
) returns table (id uuid, conversation_id uuid, sender_id uuid, content text, created_at timestamptz)
  language plpgsql stable security definer rows 2000
  set search_path = '' set enable_seqscan = off set enable_bitmapscan = off set enable_memoize = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
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
$$;
comment on function private.newest_in_groups(timestamptz, uuid) is
  'The 2,000 newest messages before (before_at, before_id) that the caller may read in the groups they are in, own '
  'ones from joining on too. Reads some of each group, then more of those that have newer ones.';
revoke execute on function private.newest_in_groups(timestamptz, uuid) from public, anon, authenticated;
grant execute on function private.newest_in_groups(timestamptz, uuid) to authenticated;

create trigger post_media_words after insert on public.post_media
  for each row when (new.alt_text is not null) execute function private.set_post_words();
create trigger post_media_words_change after update of alt_text on public.post_media
  for each row when (new.alt_text is distinct from old.alt_text) execute function private.set_post_words();
create trigger post_media_words_delete after delete on public.post_media
  for each row when (old.alt_text is not null) execute function private.set_post_words();

create trigger posts_words after insert on public.posts
  for each row execute function private.set_post_words();
create trigger posts_words_change after update of content, location, alt_text on public.posts
  for each row when (
    new.content is distinct from old.content or new.location is distinct from old.location
    or new.alt_text is distinct from old.alt_text
  ) execute function private.set_post_words();
create trigger posts_state_words after update of state on public.posts
  for each row when ((new.audience = 'nobody') <> (old.audience = 'nobody')) execute function private.set_post_words();

set check_function_bodies = on;
