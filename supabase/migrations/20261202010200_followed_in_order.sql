-- The private accounts that a member follows are read in the order of the index, so that a search ends with the hundredth. By the id of the
-- other table, a larger community had all thousand read and sorted, or all profiles.

create or replace function private.found_post_ids(query text, before_at timestamptz, before_id uuid) returns setof uuid
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
-- Posts of private accounts are added to the topics that they have, instead of being looked for in each of four hundred proposed ones.
create or replace function private.found_topics(query text) returns table (kind text, topic text, post_ids uuid[])
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
    -- A join may be planned as a scan of all profiles.
    cross join lateral (
      select m.id from public.profiles m where m.id = followed.member_id and m.is_private offset 0
    ) as p
    where p.id <> all (hidden)
    order by followed.created_at desc, followed.member_id desc limit most_authors
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
        post_ids := candidate.posts;
        if candidate.topic = any (own_topics) then
          post_ids := post_ids || array(
            select own.post_id from unnest(own_latest, own_posts) as own (topic, post_id) where own.topic = candidate.topic
          );
        end if;
        continue when cardinality(post_ids) = 0;
        names := names || topic;
        return next;
        exit when cardinality(names) = most;
      end loop;
    end loop;
  end loop;
end
$$;
