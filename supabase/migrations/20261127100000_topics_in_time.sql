-- Topics of posts, as their words, follow a change of privacy in steps: docs/decisions/0083-privacy-in-time.md

alter table private.word_moves rename to post_moves;
alter table private.post_moves rename constraint word_moves_pkey to post_moves_pkey;
alter table private.post_moves rename constraint word_moves_member_id_fkey to post_moves_member_id_fkey;
comment on table private.post_moves is
  'Members whose privacy has changed and some of whose posts still have words and topics with the former audience: those older than the given post.';

drop trigger posts_topics_audience on public.posts;
drop function private.set_topics_audience();
drop function private.move_words_of(uuid, integer);

create function private.moving_ids() returns setof uuid
  language plpgsql stable security definer rows 1 set search_path = ''
as $$
begin
  return query
    select m.member_id from private.post_moves m join public.profiles p on p.id = m.member_id
    where p.is_private and m.member_id <> (select auth.uid());
end
$$;
comment on function private.moving_ids() is
  'Members other than the caller who are now private, and whose words and topics may still be those of public posts.';
revoke execute on function private.moving_ids() from public, anon;
grant execute on function private.moving_ids() to authenticated;

alter policy post_topics_select on public.post_topics using (
  user_id = (select auth.uid())
  or (
    user_id in (select private.my_following_ids())
    or (audience = 'public' and user_id not in (select private.moving_ids()))
  ) and user_id not in (select private.my_hidden_ids())
);

-- A member chooses how many words a topic has: their number bounds what it costs to add one.
create or replace function private.word_rows(kind text, audience text, topic text) returns setof private.topic_words
  language sql immutable rows 3 set search_path = ''
as $$
  select kind, audience, place = 1, array_to_string(words[place:], ' '), topic
  from private.words_of(topic) as words, generate_subscripts(words[:8], 1) as place
$$;
comment on function private.word_rows(text, text, text) is 'The rows of a topic in topic_words: from each of its first eight words on.';

create function private.move_posts_of(member uuid, max_cost integer) returns integer
  language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  -- Of one topic, with its indexes and the words of its name, in words of a text.
  topic_cost constant integer := 10;
  move private.post_moves;
  post record;
  changed integer;
  cost integer := 0;
begin
  select m.* into move from private.post_moves m where m.member_id = member for update;
  for post in
    select p.id, p.created_at, p.audience from public.posts p
    where p.user_id = member and (p.created_at, p.id) < (move.before_at, move.before_id)
    order by p.created_at desc, p.id desc
  loop
    update public.post_topics t set audience = post.audience
      where t.post_id = post.id and t.audience <> post.audience;
    get diagnostics changed = row_count;
    cost := cost + 1 + changed * topic_cost;
    update private.post_words w set audience = post.audience
      where w.post_id = post.id and w.audience <> post.audience;
    get diagnostics changed = row_count;
    cost := cost + changed;
    if cost >= max_cost then
      update private.post_moves m set before_at = post.created_at, before_id = post.id where m.member_id = member;
      return cost;
    end if;
  end loop;
  delete from private.post_moves m where m.member_id = member;
  return cost;
end
$$;
comment on function private.move_posts_of(uuid, integer) is
  'Gives the words and topics of a member''s posts, the newest first, the audience of their post, and ends after the post with which it has cost as much as '
  'changing the given number of words. Returns what it cost.';
revoke execute on function private.move_posts_of(uuid, integer) from public, anon, authenticated;

drop function private.move_words(integer);
create function private.move_posts(max_cost integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  cost integer := 0;
  member uuid;
begin
  for member in select m.member_id from private.post_moves m for update skip locked loop
    cost := cost + private.move_posts_of(member, max_cost - cost);
    exit when cost >= max_cost;
  end loop;
  return cost;
end
$$;
comment on function private.move_posts(integer) is
  'Continues what changes of privacy have left to the cleanup, for about as long as it takes to change the given number of words. Returns what it cost.';
revoke execute on function private.move_posts(integer) from public, anon, authenticated;

create or replace function private.apply_privacy() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  max_cost constant integer := 10000;
  new_audience constant text := case when new.is_private then 'followers' else 'public' end;
  requesters uuid[];
begin
  -- In the order in which likes and comments lock posts.
  perform 1 from public.posts where user_id = new.id and audience <> new_audience order by id for no key update;
  update public.posts set audience = new_audience where user_id = new.id and audience <> new_audience;
  update public.stories set audience = new_audience where user_id = new.id and audience <> new_audience;
  insert into private.post_moves (member_id) values (new.id)
    on conflict (member_id) do update set before_at = default, before_id = default;
  perform private.move_posts_of(new.id, max_cost);
  if not new.is_private then
    with accepted as (
      delete from public.follow_requests where target_id = new.id returning requester_id
    )
    select array_agg(requester_id) into requesters from accepted;
    perform private.accept_requests(requesters, new.id);
  end if;
  return null;
end
$$;

create or replace function private.followed_hashtag_post_ids(before_at timestamp with time zone, before_id uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 8
 SET search_path TO ''
 SET jit TO 'off'
AS $$
declare
  me constant uuid := (select auth.uid());
  most constant integer := 8;
  tags constant integer := 200;
  from_at constant timestamptz := coalesce(before_at, 'infinity');
  from_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
begin
  if not private.is_member() then
    return;
  end if;
  return query
    select latest.post_id
    from (
      select f.tag from public.hashtag_follows f
      where f.follower_id = me order by f.created_at desc limit tags
    ) as followed
    cross join lateral (
      select t.post_id, t.created_at from public.post_topics t
      where t.kind = 'hashtag' and t.topic = followed.tag and (t.created_at, t.post_id) < (from_at, from_id)
        and t.audience = 'public' and t.user_id not in (select private.my_hidden_ids())
        and t.user_id not in (select private.moving_ids())
      order by t.created_at desc, t.post_id desc limit most
    ) as latest
    group by latest.post_id, latest.created_at
    order by latest.created_at desc, latest.post_id desc limit most;
end
$$;

create or replace function private.search_topics(query text)
 RETURNS TABLE(kind text, topic text, label text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $$
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
  moving constant uuid[] := array(select private.moving_ids());
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
            where p.user_id = me or p.user_id <> all (hidden || moving)
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

create or replace function private.found_post_ids(query text, before_at timestamptz, before_id uuid) returns setof uuid
  language plpgsql stable security definer rows 30
  set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
declare
  most constant integer := 30;
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
  moving constant uuid[] := array(select private.moving_ids());
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
          where walked.user_id <> all (hidden || moving)
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
    order by c.created_at desc, c.post_id desc limit most;
end
$$;

-- A hosted project moves as much as 100,000 words in an hour, the embedded server 2,000 at a time between requests, until none is left.
create or replace function private.cleanup(max_rows integer) returns integer
  language sql security definer set search_path = ''
as $$
  select private.delete_expired_stories(max_rows)
    + private.delete_unsent_photos(max_rows)
    + private.delete_withdrawn_notifications(10 * max_rows)
    + private.delete_quota_usage(10 * max_rows)
    + private.delete_expired_usernames(10 * max_rows)
    + private.delete_unused_topics(10 * max_rows)
    + private.end_unused_sessions(10 * max_rows)
    + private.delete_old_sign_ins(10 * max_rows)
    + private.move_posts(100 * max_rows)
$$;
