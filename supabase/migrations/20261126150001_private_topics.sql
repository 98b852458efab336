-- A search for names read up to a hundred names of private posts, and the latest ten posts of each, before it looked who may see them. So
-- whether a member found a name told whether anybody uses a hidden name before it: with a few accounts, letter by letter.

-- The latest topics of a private account.
create index post_topics_followers_idx on public.post_topics (user_id, kind, created_at desc) where audience = 'followers';

create or replace function private.search_topics(query text)
  returns table (kind text, topic text, label text)
  language plpgsql stable security definer set search_path = '' set jit = off
as $$
#variable_conflict use_column
declare
  most constant integer := 5;
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
  -- Of private accounts: the words of each topic that the query begins.
  own_words text[];
  own_topics text[];
  own_labels text[];
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
    select array_agg(w.words), array_agg(seen.topic), array_agg(seen.label), array_agg(w.is_start)
      into own_words, own_topics, own_labels, own_starts
      from (
        select latest.topic, (array_agg(latest.label order by latest.created_at desc))[1] as label
        from unnest(authors) as author (id)
        cross join lateral (
          select t.topic, t.label, t.created_at from public.post_topics t
          where t.user_id = author.id and t.kind = searched and t.audience = 'followers'
          order by t.created_at desc limit most_topics
        ) as latest
        group by latest.topic
      ) as seen
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
          select n.words, n.topic, latest.label
          from (
            select w.words, w.topic from private.topic_words w
            where w.kind = searched and w.audience = 'public' and w.is_start = at_start
              and w.words >= wanted collate "C" and w.words <= last_wanted collate "C"
            order by w.words, w.topic limit most_names
          ) as n
          cross join lateral (
            select p.label
            from (
              select t.user_id, t.label from public.post_topics t
              where t.kind = searched and t.topic = n.topic and t.audience = 'public'
              order by t.created_at desc, t.post_id desc limit most_posts
            ) as p
            where p.user_id = me or p.user_id <> all (hidden)
            limit 1
          ) as latest
          where seen_by = 'public'
        )
        union all
        (
          select own.words, own.topic, own.label
          from unnest(own_words, own_topics, own_labels, own_starts) as own (words, topic, label, is_start)
          where seen_by = 'followers' and own.is_start = at_start
        )
        order by words, topic
      loop
        continue when candidate.topic = any (names);
        names := names || candidate.topic;
        kind := searched;
        topic := candidate.topic;
        label := candidate.label;
        return next;
        exit when cardinality(names) = most;
      end loop;
    end loop;
  end loop;
end
$$;
comment on function private.search_topics(text) is
  'At most five hashtags and five places of which the query begins a word, and which have posts that the caller may see: first the names that '
  'begin with it; only hashtags if the query begins with #. Checks posts as the policy of post_topics does, and leaves out muted members. Reads '
  'up to a hundred names of public posts and the latest ten posts of each; of private accounts, the latest ten topics of each kind of the caller and of '
  'the latest hundred that the caller follows. What it may not show never changes what it finds.';
