-- Walks over follows, topics and words propose posts, and the policy of posts decides: docs/decisions/0108-one-rule-of-visibility.md

drop policy post_topics_select on public.post_topics;
create policy post_topics_select on public.post_topics for select to authenticated
  using (
    -- Only leaves out: a hashtag of many private posts would cost a look-up for each.
    (audience = 'public' or user_id = (select auth.uid()) or user_id in (select private.my_following_ids()))
    and exists (select from public.posts p where p.id = post_topics.post_id offset 0)
  );

create or replace function private.following_post_ids(before_at timestamptz, before_id uuid) returns setof uuid
  language plpgsql stable security definer rows 8 set search_path = '' set jit = off
as $$
declare
  me constant uuid := (select auth.uid());
  most constant integer := 8;
  followed constant bigint := (select count(*) from public.follows f where f.follower_id = me);
  passed_over constant integer := 500;
  missing integer := most;
  from_at timestamptz := coalesce(before_at, 'infinity');
  from_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
begin
  if not private.is_member() then
    return;
  end if;

  -- The newest posts of all members contain those of a member who follows many. Reads at most 500.
  if followed > 50 then
    return query
      select recent.id
      from (
        select p.id, p.user_id, p.audience, p.created_at from public.posts p
        where (p.created_at, p.id) < (from_at, from_id)
        order by p.created_at desc, p.id desc limit passed_over
      ) as recent
      where recent.user_id = me
        or recent.audience <> 'nobody' and recent.user_id not in (select private.my_hidden_ids()) and exists (
          select from public.follows f where f.follower_id = me and f.following_id = recent.user_id offset 0
        )
      order by recent.created_at desc, recent.id desc limit most;
    get diagnostics missing = row_count;
    missing := most - missing;
    if missing > 0 then
      select p.created_at, p.id into from_at, from_id from public.posts p
        where (p.created_at, p.id) < (from_at, from_id)
        order by p.created_at desc, p.id desc offset passed_over - 1 limit 1;
      if not found then
        return;
      end if;
    end if;
  end if;

  -- The newest post of each followed member; the posts searched for are by the authors of the newest among these.
  if missing > 0 then
    return query
      with newest as (
        select author.id as author_id, latest.created_at, latest.id
        from (
          select f.following_id from public.follows f
          where f.follower_id = me and f.following_id not in (select private.my_hidden_ids())
          union all
          select me
        ) as author (id)
        cross join lateral (
          select p.created_at, p.id from public.posts p
          where p.user_id = author.id and (p.created_at, p.id) < (from_at, from_id)
            and (p.audience <> 'nobody' or p.user_id = me)
          order by p.created_at desc, p.id desc limit 1
        ) as latest
        order by latest.created_at desc, latest.id desc limit missing
      )
      select post.id
      from newest
      cross join lateral (
        select p.created_at, p.id from public.posts p
        where p.user_id = newest.author_id and (p.created_at, p.id) < (from_at, from_id)
          and (p.audience <> 'nobody' or p.user_id = me)
        order by p.created_at desc, p.id desc limit missing
      ) as post
      order by post.created_at desc, post.id desc limit missing;
  end if;
end
$$;
comment on function private.following_post_ids(timestamptz, uuid) is
  'Proposes the caller''s newest own posts and those of members they follow. Leaves out what the policy would, because a shorter page is the last one.';

create or replace function private.followed_hashtag_post_ids(before_at timestamptz, before_id uuid) returns setof uuid
  language plpgsql stable security definer rows 8 set search_path = '' set jit = off
as $$
declare
  me constant uuid := (select auth.uid());
  most constant integer := 8;
  from_at constant timestamptz := coalesce(before_at, 'infinity');
  from_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  followed constant text[] := array(
    select f.tag from public.hashtag_follows f where f.follower_id = me order by f.created_at desc limit 200
  );
  walked integer;
  found_ids uuid[];
begin
  if not private.is_member() then
    return;
  end if;
  -- Copies that are older than their post take places: then more of each hashtag, as many as 10,000 of all together.
  foreach walked in array array[most, least(1000, 10000 / greatest(cardinality(followed), 1))] loop
    found_ids := array(
      select c.post_id
      from (
        select latest.post_id, latest.created_at
        from unnest(followed) as tag
        cross join lateral (
          select t.post_id, t.created_at from public.post_topics t
          where t.kind = 'hashtag' and t.topic = tag and (t.created_at, t.post_id) < (from_at, from_id)
            and t.audience = 'public' and t.user_id not in (select private.my_hidden_ids())
          order by t.created_at desc, t.post_id desc limit walked
        ) as latest
        group by latest.post_id, latest.created_at
        order by latest.created_at desc, latest.post_id desc limit walked
      ) as c
      where exists (select from public.posts p where p.id = c.post_id and p.audience = 'public' offset 0)
      order by c.created_at desc, c.post_id desc limit most
    );
    exit when cardinality(found_ids) = most;
  end loop;
  return query select unnest(found_ids);
end
$$;
comment on function private.followed_hashtag_post_ids(timestamptz, uuid) is
  'Proposes the newest public posts with a hashtag that the caller follows. Leaves out what the policy would, because a shorter page is the last one.';

create or replace function private.found_post_ids(query text, before_at timestamptz, before_id uuid) returns setof uuid
  language plpgsql stable security definer rows 1000
  set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off
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
    order by followed.created_at desc, p.id desc limit most_authors
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
    from candidates c
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
comment on function private.found_post_ids(text, timestamptz, uuid) is
  'Proposes the newest thousand posts whose texts have words that begin with each word of the query.';

create or replace function public.search_posts(query text, before_at timestamptz default null, before_id uuid default null)
  returns setof public.posts
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

create or replace function public.popular_hashtags() returns table (topic text, label text)
  -- No bitmap: of a week, 2,000 rows are read.
  language sql stable set search_path = '' set enable_bitmapscan = off set jit = off
as $$
  select recent.topic, (array_agg(recent.label order by recent.created_at desc))[1]
  from (
    select t.topic, t.label, t.user_id, t.created_at from public.post_topics t
    where t.kind = 'hashtag' and t.audience = 'public' and t.created_at > now() - interval '7 days'
      and t.user_id not in (select m.muted_id from public.mutes m where m.muter_id = (select auth.uid()))
    order by t.created_at desc limit 2000
  ) as recent
  group by recent.topic
  order by count(distinct recent.user_id) desc, max(recent.created_at) desc limit 12
$$;

create function private.found_topics(query text) returns table (kind text, topic text, post_ids uuid[])
  language plpgsql stable security definer rows 20 set search_path = '' set jit = off
as $$
#variable_conflict use_column
declare
  most constant integer := 10;
  most_names constant integer := 100;
  most_posts constant integer := 10;
  most_follows constant integer := 1000;
  most_authors constant integer := 100;
  most_topics constant integer := 10;
  me constant uuid := (select auth.uid());
  wanted constant text := array_to_string(private.words_of(query), ' ');
  last_wanted constant text := wanted || U&'\+10FFFF';
  kinds constant text[] := case when btrim(query) like '#%' then '{hashtag}' else '{hashtag,place}' end;
  hidden constant uuid[] := array(
    select private.my_hidden_ids() union all select m.muted_id from public.mutes m where m.muter_id = me
  );
  authors uuid[];
  searched text;
  at_start boolean;
  seen_by text;
  names text[];
  -- Of private accounts: the latest topics with their posts, and of those that the query begins, their words.
  own_latest text[];
  own_posts uuid[];
  own_words text[];
  own_topics text[];
  own_starts boolean[];
  candidate record;
begin
  if wanted = '' or wanted is null or not private.is_member() then
    return;
  end if;
  -- Private posts: from their authors to the names, so that posts that the caller may not see change nothing.
  authors := me || array(
    select p.id
    from (
      select f.following_id as member_id, f.created_at from public.follows f
      where f.follower_id = me order by f.created_at desc, f.following_id desc limit most_follows
    ) as followed
    join public.profiles p on p.id = followed.member_id
    where p.is_private and p.id <> all (hidden)
    order by followed.created_at desc, p.id desc limit most_authors
  );
  foreach searched in array kinds loop
    names := '{}';
    select array_agg(latest.topic order by latest.created_at desc), array_agg(latest.post_id order by latest.created_at desc)
      into own_latest, own_posts
      from unnest(authors) as author (id)
      cross join lateral (
        select t.topic, t.post_id, t.created_at from public.post_topics t
        where t.user_id = author.id and t.kind = searched and t.audience = 'followers'
        order by t.created_at desc limit most_topics
      ) as latest;
    select array_agg(w.words), array_agg(seen.topic), array_agg(w.is_start) into own_words, own_topics, own_starts
      from (select distinct latest.topic from unnest(own_latest) as latest (topic)) as seen
      -- By the topic: many names of accounts that the caller does not follow may begin with the words.
      cross join lateral (
        select w.words, w.is_start from private.topic_words w
        where w.topic = seen.topic and w.kind = searched and w.audience = 'followers'
          and w.words >= wanted collate "C" and w.words <= last_wanted collate "C"
        offset 0
      ) as w;
    for at_start, seen_by in
      values (true, 'public'), (true, 'followers'), (false, 'public'), (false, 'followers')
    loop
      exit when cardinality(names) = most;
      for candidate in
        (
          select n.topic, array(
              select t.post_id
              from (
                select t.post_id, t.user_id from public.post_topics t
                where t.kind = searched and t.topic = n.topic and t.audience = 'public'
                order by t.created_at desc, t.post_id desc limit most_posts
              ) as t
              where t.user_id = me or t.user_id <> all (hidden)
            ) as posts
          from (
            select w.words, w.topic from private.topic_words w
            where w.kind = searched and w.audience = 'public' and w.is_start = at_start
              and w.words >= wanted collate "C" and w.words <= last_wanted collate "C"
            order by w.words, w.topic limit most_names
          ) as n
          where seen_by = 'public'
        )
        union all
        (
          select own.topic, '{}'
          from unnest(own_words, own_topics, own_starts) as own (words, topic, is_start)
          where seen_by = 'followers' and own.is_start = at_start
          order by own.words, own.topic
        )
      loop
        continue when candidate.topic = any (names);
        kind := searched;
        topic := candidate.topic;
        post_ids := candidate.posts || array(
          select own.post_id from unnest(own_latest, own_posts) as own (topic, post_id) where own.topic = candidate.topic
        );
        continue when cardinality(post_ids) = 0;
        names := names || topic;
        return next;
        exit when cardinality(names) = most;
      end loop;
    end loop;
  end loop;
end
$$;
comment on function private.found_topics(text) is
  'Proposes ten hashtags and ten places with words that begin with those of the query, and for each the posts that may show it, those of most readers first.';
revoke execute on function private.found_topics(text) from public, anon, authenticated;
grant execute on function private.found_topics(text) to authenticated, service_role;

create or replace function public.search_topics(query text) returns table (kind text, topic text, label text)
  language sql stable set search_path = '' set jit = off
as $$
  select shown.kind, shown.topic, shown.label
  from (
    select found.kind, found.topic, written.label, found.place,
      row_number() over (partition by found.kind order by found.place) as of_kind
    from private.found_topics(left(query, 4000)) with ordinality as found (kind, topic, post_ids, place)
    cross join lateral (
      select t.label
      from unnest(found.post_ids) with ordinality as post (id, place)
      cross join lateral (
        select label from public.post_topics where post_id = post.id and kind = found.kind and topic = found.topic offset 0
      ) as t
      order by post.place limit 1
    ) as written
  ) as shown
  where shown.of_kind <= 5
  order by shown.place
$$;

drop function private.search_topics(text);
drop function private.moving_ids();
