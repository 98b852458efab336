-- Search for hashtags and places by the beginning of any of their words: docs/decisions/0052-topics.md.

-- The same characters as in src/shared/hashtags.ts. Not by class: what a letter is depends on the locale of the database.
create function private.word_character() returns text
  language sql immutable set search_path = ''
as $$
  select '[^\s!-/:-@\[-^`{-~\u0080-\u00bf\u00d7\u00f7\u02c2-\u02df\u2000-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u30fb\ue000-\uf8ff\ufe00-\ufe4f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\U0001f000-\U0001faff]'
$$;
comment on function private.word_character() is 'A pattern for every character except spaces, punctuation and symbols.';
revoke execute on function private.word_character() from public, anon, authenticated;

create or replace function private.hashtag_pattern() returns text
  language sql immutable set search_path = ''
as $$
  select format('(?<!%1$s|[#&/@])#(%1$s+)', private.word_character())
$$;

create function private.words_of(name text) returns text[]
  language sql immutable set search_path = ''
as $$
  select coalesce(array_agg(found.words[1] order by found.number), array[lower(btrim(name))])
  from regexp_matches(translate(lower(name), '_', ' '), private.word_character() || '+', 'g')
    with ordinality as found (words, number)
$$;
comment on function private.words_of(text) is
  'The words of a name in lower case, without underscores, punctuation and symbols. A name of symbols only is one word.';
revoke execute on function private.words_of(text) from public, anon, authenticated;

-- Not unique, so that members who use a new name at the same time do not wait for each other, and no order of names can deadlock.
create table private.topic_words (
  kind text not null,
  audience text not null,
  is_start boolean not null,
  -- In code point order, words with the same prefix are adjacent.
  words text collate "C" not null,
  topic text collate "C" not null
);
comment on table private.topic_words is
  'The words of each topic from each word on: museum berggruen berlin, berggruen berlin, berlin. Once for all public posts of the '
  'topic and once for all others, of any author. Triggers of post_topics add rows, the cleanup removes those of topics without posts.';
alter table private.topic_words enable row level security;
revoke all on table private.topic_words from public, anon, authenticated;
grant all on table private.topic_words to service_role;

create table private.removed_topics (
  kind text not null,
  audience text not null,
  topic text collate "C" not null
);
comment on table private.removed_topics is
  'Topics that a post no longer has, or no longer with this audience, since the last cleanup, which removes their words if it was the last post.';
alter table private.removed_topics enable row level security;
revoke all on table private.removed_topics from public, anon, authenticated;
grant all on table private.removed_topics to service_role;

create function private.word_rows(kind text, audience text, topic text) returns setof private.topic_words
  language sql immutable rows 3 set search_path = ''
as $$
  select kind, audience, place = 1, array_to_string(words[place:], ' '), topic
  from private.words_of(topic) as words, generate_subscripts(words, 1) as place
$$;
comment on function private.word_rows(text, text, text) is 'The rows of a topic in topic_words.';
revoke execute on function private.word_rows(text, text, text) from public, anon, authenticated;

-- A session that made its plan while the table was small would read all of it for each post.
create function private.add_topic_words() returns trigger
  language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
begin
  insert into private.topic_words
    select w.*
    from (
      select distinct a.kind, a.audience, a.topic from added a
      where not exists (
        select from private.topic_words known
        where known.kind = a.kind and known.audience = a.audience and known.topic = a.topic
        offset 0
      )
    ) as missing
    cross join lateral private.word_rows(missing.kind, missing.audience, missing.topic) as w;
  return null;
end
$$;
comment on function private.add_topic_words() is 'Adds the words of topics that no post had, or none with the same audience.';
revoke execute on function private.add_topic_words() from public, anon, authenticated;

create function private.note_removed_topics() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.removed_topics select distinct kind, audience, topic from removed;
  return null;
end
$$;
comment on function private.note_removed_topics() is 'Tells the cleanup which topics may have no post any more.';
revoke execute on function private.note_removed_topics() from public, anon, authenticated;

create trigger post_topics_words_insert after insert on public.post_topics referencing new table as added
  for each statement execute function private.add_topic_words();
create trigger post_topics_words_update after update on public.post_topics referencing new table as added
  for each statement execute function private.add_topic_words();
create trigger post_topics_removed_update after update on public.post_topics referencing old table as removed
  for each statement execute function private.note_removed_topics();
create trigger post_topics_removed_delete after delete on public.post_topics referencing old table as removed
  for each statement execute function private.note_removed_topics();

insert into private.topic_words
  select w.*
  from (select distinct kind, audience, topic from public.post_topics) as t
  cross join lateral private.word_rows(t.kind, t.audience, t.topic) as w;
create index topic_words_topic_idx on private.topic_words (topic, kind, audience);
create index topic_words_search_idx on private.topic_words (is_start, kind, audience, words, topic);

-- Serves everything that post_topics_public_idx served, and the look-ups of the search and the cleanup.
create index post_topics_audience_idx on public.post_topics (kind, topic, audience, created_at desc, post_id desc);
drop index public.post_topics_public_idx;

create function private.delete_unused_topics(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  examined integer;
begin
  if not exists (select from private.removed_topics) then
    return 0;
  end if;
  -- A post that is being written may have found the words that would be removed now.
  begin
    lock table public.post_topics in share row exclusive mode nowait;
  exception when lock_not_available then
    return 0;
  end;
  with taken as (
    delete from private.removed_topics where ctid = any (array(select ctid from private.removed_topics limit max_rows))
    returning kind, audience, topic
  ), deleted as (
    delete from private.topic_words w using taken t
    where w.kind = t.kind and w.audience = t.audience and w.topic = t.topic
      and not exists (
        select from public.post_topics p where p.kind = t.kind and p.audience = t.audience and p.topic = t.topic
      )
  )
  select count(*) into examined from taken;
  return examined;
end
$$;
comment on function private.delete_unused_topics(integer) is
  'Examines up to max_rows removed topics and deletes the words of those without posts. Returns how many it examined: none while a post is being written.';
revoke execute on function private.delete_unused_topics(integer) from public, anon, authenticated;

-- The unused topics come last, because members who post wait for their lock.
create or replace function private.cleanup(max_rows integer) returns integer
  language sql security definer set search_path = ''
as $$
  select private.delete_expired_stories(max_rows)
    + private.delete_unsent_photos(max_rows)
    + private.delete_withdrawn_notifications(10 * max_rows)
    + private.delete_quota_usage(10 * max_rows)
    + private.delete_unused_topics(10 * max_rows)
$$;

-- PL/pgSQL, because it stops at five topics of a kind. A security definer function, so that the follows of the caller are read once.
create or replace function private.search_topics(query text)
  returns table (kind text, topic text, label text)
  language plpgsql stable security definer set search_path = '' set jit = off
as $$
#variable_conflict use_column
declare
  most constant integer := 5;
  most_names constant integer := 100;
  most_posts constant integer := 10;
  me constant uuid := (select auth.uid());
  wanted constant text := array_to_string(private.words_of(query), ' ');
  kinds constant text[] := case when btrim(query) like '#%' then '{hashtag}' else '{hashtag,place}' end;
  followed constant uuid[] := array(select private.my_following_ids());
  hidden constant uuid[] := array(
    select private.my_hidden_ids() union all select m.muted_id from public.mutes m where m.muter_id = me
  );
  searched text;
  at_start boolean;
  seen_by text;
  names text[];
  candidate record;
begin
  if wanted = '' or wanted is null or not private.is_member() then
    return;
  end if;
  foreach searched in array kinds loop
    names := '{}';
    for at_start, seen_by in
      values (true, 'public'), (true, 'followers'), (false, 'public'), (false, 'followers')
    loop
      exit when cardinality(names) = most;
      for candidate in
        select n.topic, latest.label
        from (
          select w.words, w.topic from private.topic_words w
          where w.kind = searched and w.audience = seen_by and w.is_start = at_start
            and w.words >= wanted collate "C" and w.words <= (wanted || U&'\+10FFFF') collate "C"
          order by w.words, w.topic limit most_names
        ) as n
        cross join lateral (
          select p.label
          from (
            select t.user_id, t.label from public.post_topics t
            where t.kind = searched and t.topic = n.topic and t.audience = seen_by
            order by t.created_at desc, t.post_id desc limit most_posts
          ) as p
          where p.user_id = me or (
            (seen_by = 'public' or p.user_id in (select unnest(followed))) and p.user_id not in (select unnest(hidden))
          )
          limit 1
        ) as latest
        order by n.words, n.topic
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
  'up to a hundred names and the latest ten posts of each, in both cases for public posts and for those of private accounts.';

comment on function public.search_topics(text) is
  'At most five hashtags and five places of which the query begins a word, and which have posts that the caller may see; only '
  'hashtags if it begins with #.';
