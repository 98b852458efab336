-- Hashtags and places of posts: docs/decisions/0052-topics.md.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table public.post_topics (
  user_id uuid not null,
  post_id uuid not null,
  kind text not null,
  -- In code point order, topics with the same prefix are adjacent.
  topic text collate "C" not null,
  label text not null,
  audience text not null,
  created_at timestamptz not null,
  constraint post_topics_kind_check check (kind in ('hashtag', 'place')),
  constraint post_topics_audience_check check (audience in ('public', 'followers')),
  constraint post_topics_pkey primary key (post_id, kind, topic),
  constraint post_topics_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade,
  constraint post_topics_post_id_fkey foreign key (post_id) references public.posts (id) on delete cascade
);
comment on table public.post_topics is
  'The hashtags in the texts of posts, and their places. The topic is in lower case, the label as its author '
  'wrote it; author, audience and time are copies of the post''s. Triggers keep the rows.';
create index post_topics_topic_idx on public.post_topics (kind, topic, created_at desc, post_id desc);
create index post_topics_recent_idx on public.post_topics (kind, created_at desc) where (audience = 'public'::text);
create index post_topics_user_idx on public.post_topics (user_id);
-- Serves everything that post_topics_public_idx served, and the look-ups of the search and the cleanup.
create index post_topics_audience_idx on public.post_topics (kind, topic, audience, created_at desc, post_id desc);
-- The latest topics of a private account.
create index post_topics_followers_idx on public.post_topics (user_id, kind, created_at desc) where (audience = 'followers'::text);
alter table public.post_topics enable row level security;
revoke all on table public.post_topics from public, anon, authenticated;
grant select on table public.post_topics to authenticated;
grant all on table public.post_topics to service_role;

create table public.hashtag_follows (
  follower_id uuid not null,
  tag text collate "C" not null,
  created_at timestamptz not null default now(),
  constraint hashtag_follows_tag_length check (char_length(tag) <= 50),
  constraint hashtag_follows_pkey primary key (follower_id, tag),
  constraint hashtag_follows_follower_id_fkey foreign key (follower_id) references public.profiles (id) on delete cascade
);
comment on table public.hashtag_follows is
  'Hashtags that members follow, in lower case: their public posts are in the feed of followed members. '
  'Visible to the follower only.';
create index hashtag_follows_follower_idx on public.hashtag_follows (follower_id, created_at desc);
alter table public.hashtag_follows enable row level security;
revoke all on table public.hashtag_follows from public, anon, authenticated;
grant select, delete, insert (follower_id, tag) on table public.hashtag_follows to authenticated;
grant all on table public.hashtag_follows to service_role;

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
  'The words of each topic from each word on: museum berggruen berlin, berggruen berlin, berlin. Once for all '
  'public posts of the topic and once for all others, of any author. Triggers of post_topics add rows, the '
  'cleanup removes those of topics without posts.';
create index topic_words_topic_idx on private.topic_words (topic, kind, audience);
create index topic_words_search_idx on private.topic_words (is_start, kind, audience, words, topic);
alter table private.topic_words enable row level security;
revoke all on table private.topic_words from public, anon, authenticated;
grant all on table private.topic_words to service_role;

create table private.removed_topics (
  kind text not null,
  audience text not null,
  topic text collate "C" not null
);
comment on table private.removed_topics is
  'Topics that a post no longer has, or no longer with this audience, since the last cleanup, which removes '
  'their words if it was the last post.';
alter table private.removed_topics enable row level security;
revoke all on table private.removed_topics from public, anon, authenticated;
grant all on table private.removed_topics to service_role;

create function private.hashtag_pattern() returns text
  language sql immutable set search_path = ''
as $$
  select format(
    '(?<!%1$s|[#\uff03&/@])[#\uff03](%1$s+(?:%2$s+%1$s+)*)',
    private.word_character(), '[\u00b7\u180b-\u180d\u180f\u200c\u200d\U000e0100-\U000e01ef]'
  )
$$;
comment on function private.hashtag_pattern() is
  'Finds #word, whose characters are letters, marks, digits and _, with joiners and the middle dot inside. Not '
  'inside a word or an address.';
revoke execute on function private.hashtag_pattern() from public, anon, authenticated;

create function private.topics_of(content text, location text) returns table (kind text, topic text, label text)
  language sql immutable set search_path = ''
as $$
  (
    select 'hashtag', tag.topic, (array_agg(tag.label order by tag.number))[1]
    from (
      select private.fold_case(found.words[1]) as topic, found.words[1] as label, found.number
      from regexp_matches(private.composed(content), private.hashtag_pattern(), 'g')
        with ordinality as found (words, number)
    ) as tag
    where char_length(tag.topic) <= 50
      and tag.topic !~ '^(?:[\u0030-\u0039\u005f\u0660-\u0669\u06f0-\u06f9\u07c0-\u07c9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0de6-\u0def\u0e50-\u0e59\u0ed0-\u0ed9\u0f20-\u0f29\u1040-\u1049\u1090-\u1099\u17e0-\u17e9\u1810-\u1819\u1946-\u194f\u19d0-\u19d9\u1a80-\u1a89\u1a90-\u1a99\u1b50-\u1b59\u1bb0-\u1bb9\u1c40-\u1c49\u1c50-\u1c59\ua620-\ua629\ua8d0-\ua8d9\ua900-\ua909\ua9d0-\ua9d9\ua9f0-\ua9f9\uaa50-\uaa59\uabf0-\uabf9\uff10-\uff19\U000104a0-\U000104a9\U00010d30-\U00010d39\U00010d40-\U00010d49\U00011066-\U0001106f\U000110f0-\U000110f9\U00011136-\U0001113f\U000111d0-\U000111d9\U000112f0-\U000112f9\U00011450-\U00011459\U000114d0-\U000114d9\U00011650-\U00011659\U000116c0-\U000116c9\U000116d0-\U000116e3\U00011730-\U00011739\U000118e0-\U000118e9\U00011950-\U00011959\U00011bf0-\U00011bf9\U00011c50-\U00011c59\U00011d50-\U00011d59\U00011da0-\U00011da9\U00011de0-\U00011de9\U00011f50-\U00011f59\U00016130-\U00016139\U00016a60-\U00016a69\U00016ac0-\U00016ac9\U00016b50-\U00016b59\U00016d70-\U00016d79\U0001ccf0-\U0001ccf9\U0001d7ce-\U0001d7ff\U0001e140-\U0001e149\U0001e2f0-\U0001e2f9\U0001e4f0-\U0001e4f9\U0001e5f1-\U0001e5fa\U0001e950-\U0001e959\U0001fbf0-\U0001fbf9]|[\u00b7\u180b-\u180d\u180f\u200c\u200d\U000e0100-\U000e01ef])+$'
    group by tag.topic order by min(tag.number) limit 30
  )
  union all
  select 'place', private.fold_case(place.name), place.name
  from (select regexp_replace(btrim(private.composed(location)), '\s+', ' ', 'g') as name) as place
  where place.name <> ''
$$;
comment on function private.topics_of(text, text) is
  'The first thirty hashtags of a text, without those of more than fifty characters or of digits only, and its '
  'place.';
revoke execute on function private.topics_of(text, text) from public, anon, authenticated;

create function private.followed_hashtag_post_ids(before_at timestamptz, before_id uuid) returns setof uuid
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
  'Proposes the newest public posts with a hashtag that the caller follows. Leaves out what the policy would, '
  'because a shorter page is the last one.';
revoke execute on function private.followed_hashtag_post_ids(timestamptz, uuid) from public, anon, authenticated;
grant execute on function private.followed_hashtag_post_ids(timestamptz, uuid) to authenticated, service_role;

create function public.count_topic_posts(topic_kind text, topic_name text) returns integer
  language sql stable set search_path = ''
as $$
  select count(*)::integer
  from (
    select from public.post_topics t
    -- No name of a topic is longer than a place.
    where t.kind = topic_kind and t.topic = private.fold_case(private.composed(left(topic_name, 200)))
    order by t.created_at desc, t.post_id desc limit 1001
  ) as found
$$;
comment on function public.count_topic_posts(text, text) is 'How many posts with a hashtag or of a place the caller may see, at most 1,001.';
revoke execute on function public.count_topic_posts(text, text) from public, anon, authenticated;
grant execute on function public.count_topic_posts(text, text) to authenticated, service_role;

create function public.search_topics(query text) returns table (kind text, topic text, label text)
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
comment on function public.search_topics(text) is
  'At most five hashtags and five places of which the query begins a word, and which have posts that the '
  'caller may see; only hashtags if it begins with #.';
revoke execute on function public.search_topics(text) from public, anon, authenticated;
grant execute on function public.search_topics(text) to authenticated, service_role;

create function public.popular_hashtags() returns table (topic text, label text)
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
comment on function public.popular_hashtags() is
  'The hashtags with the most authors among the latest public posts of a week that the caller may see. Reads '
  'at most 2,000 rows.';
revoke execute on function public.popular_hashtags() from public, anon, authenticated;
grant execute on function public.popular_hashtags() to authenticated, service_role;

create function public.explore_posts(
  before_at timestamptz default NULL::timestamptz,
  before_id uuid default NULL::uuid
) returns setof posts
  language sql stable rows 30 set search_path = '' set jit = off
as $$
  select p.* from public.posts p
  where p.audience = 'public' and p.user_id <> (select auth.uid())
    and (p.created_at, p.id) < (
      (select coalesce(before_at, 'infinity')), (select coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    )
    and (
      p.image_width is not null or p.thumbnail_url is not null
      or exists (select from public.post_media h where h.post_id = p.id offset 0)
    )
  order by p.created_at desc, p.id desc limit 30
$$;
comment on function public.explore_posts(timestamptz, uuid) is
  'A page of thirty public photographs of others that the caller may see, older than a given post; without '
  'one, the newest.';
revoke execute on function public.explore_posts(timestamptz, uuid) from public, anon, authenticated;
grant execute on function public.explore_posts(timestamptz, uuid) to authenticated, service_role;

-- The same characters as WORD_CHARACTER in src/shared/hashtags.ts; scripts/character-class.mjs prints the ranges.
create function private.word_character() returns text
  language sql immutable set search_path = ''
as $$
  select '[\u0030-\u0039\u0041-\u005a\u005f\u0061-\u007a\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02c1\u02c6-\u02d1\u02e0-\u02e4\u02ec\u02ee\u0300-\u034e\u0350-\u0374\u0376-\u037d\u037f\u0386\u0388-\u03f5\u03f7-\u0481\u0483-\u0487\u048a-\u0559\u0560-\u0588\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7-\u05f2\u0610-\u061a\u0620-\u0669\u066e-\u06d3\u06d5-\u06dc\u06df-\u06e8\u06ea-\u06fc\u06ff\u0710-\u07f5\u07fa-\u07fd\u0800-\u082d\u0840-\u085b\u0860-\u0887\u0889-\u088f\u0897-\u08e1\u08e3-\u0963\u0966-\u096f\u0971-\u09f1\u09fc\u09fe-\u0a75\u0a81-\u0aef\u0af9-\u0b6f\u0b71\u0b82-\u0bef\u0c00-\u0c6f\u0c80-\u0c83\u0c85-\u0d4e\u0d54-\u0d57\u0d5f-\u0d6f\u0d7a-\u0df3\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e81-\u0f00\u0f18-\u0f19\u0f20-\u0f29\u0f35\u0f37\u0f39\u0f3e-\u0f84\u0f86-\u0fbc\u0fc6\u1000-\u1049\u1050-\u109d\u10a0-\u10fa\u10fc-\u115e\u1161-\u135f\u1380-\u138f\u13a0-\u13fd\u1401-\u166c\u166f-\u167f\u1681-\u169a\u16a0-\u16ea\u16ee-\u1734\u1740-\u17b3\u17b6-\u17d3\u17d7\u17dc-\u17e9\u1810-\u193b\u1946-\u19d9\u1a00-\u1a1b\u1a20-\u1a99\u1aa7\u1ab0-\u1abd\u1abf-\u1b4c\u1b50-\u1b59\u1b6b-\u1b73\u1b80-\u1bf3\u1c00-\u1c37\u1c40-\u1c7d\u1c80-\u1cbf\u1cd0-\u1cd2\u1cd4-\u1fbc\u1fbe\u1fc2-\u1fcc\u1fd0-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ffc\u2071\u207f\u2090-\u209c\u20d0-\u20dc\u20e1\u20e5-\u20f0\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-\u2139\u213c-\u213f\u2145-\u2149\u214e\u2160-\u2188\u2c00-\u2ce4\u2ceb-\u2cf3\u2d00-\u2d6f\u2d7f-\u2dff\u2e2f\u3005-\u3007\u3021-\u302f\u3031-\u3035\u3038-\u303c\u3041-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u3163\u3165-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\ua48c\ua4d0-\ua4fd\ua500-\ua60c\ua610-\ua66f\ua674-\ua67d\ua67f-\ua6f1\ua717-\ua71f\ua722-\ua788\ua78b-\ua827\ua82c\ua840-\ua873\ua880-\ua8c5\ua8d0-\ua8f7\ua8fb\ua8fd-\ua92d\ua930-\ua953\ua960-\ua9c0\ua9cf-\ua9d9\ua9e0-\uaa59\uaa60-\uaa76\uaa7a-\uaadd\uaae0-\uaaef\uaaf2-\uab5a\uab5c-\uab69\uab70-\uabea\uabec-\ud7fb\uf900-\ufb28\ufb2a-\ufbb1\ufbd3-\ufd3d\ufd50-\ufd8f\ufd92-\ufdc7\ufdf0-\ufdfb\ufe20-\ufe2f\ufe70-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f\uffa1-\uffdc\U00010000-\U000100fa\U00010140-\U00010174\U000101fd-\U000102e0\U00010300-\U0001031f\U0001032d-\U0001039d\U000103a0-\U000103cf\U000103d1-\U00010563\U00010570-\U00010855\U00010860-\U00010876\U00010880-\U0001089e\U000108e0-\U000108f5\U00010900-\U00010915\U00010920-\U00010939\U00010940-\U000109b7\U000109be-\U000109bf\U00010a00-\U00010a3f\U00010a60-\U00010a7c\U00010a80-\U00010a9c\U00010ac0-\U00010ac7\U00010ac9-\U00010ae6\U00010b00-\U00010b35\U00010b40-\U00010b55\U00010b60-\U00010b72\U00010b80-\U00010b91\U00010c00-\U00010cf2\U00010d00-\U00010d6d\U00010d6f-\U00010d85\U00010e80-\U00010eac\U00010eb0-\U00010ec7\U00010efa-\U00010f1c\U00010f27-\U00010f50\U00010f70-\U00010f85\U00010fb0-\U00010fc4\U00010fe0-\U00011046\U00011066-\U000110ba\U000110c2\U000110d0-\U0001113f\U00011144-\U00011173\U00011176-\U000111c4\U000111c9-\U000111cc\U000111ce-\U000111da\U000111dc\U00011200-\U00011237\U0001123e-\U000112a8\U000112b0-\U000113d3\U000113e1-\U0001144a\U00011450-\U00011459\U0001145e-\U000114c5\U000114c7-\U000115c0\U000115d8-\U00011640\U00011644-\U00011659\U00011680-\U000116b8\U000116c0-\U00011739\U00011740-\U0001183a\U000118a0-\U000118e9\U000118ff-\U00011943\U00011950-\U000119e1\U000119e3-\U00011a3e\U00011a47-\U00011a99\U00011a9d\U00011ab0-\U00011af8\U00011b60-\U00011be0\U00011bf0-\U00011c40\U00011c50-\U00011c59\U00011c72-\U00011ef6\U00011f00-\U00011f42\U00011f50-\U00011fb0\U00012000-\U0001246e\U00012480-\U00012ff0\U00013000-\U0001342f\U00013440-\U00016a69\U00016a70-\U00016af4\U00016b00-\U00016b36\U00016b40-\U00016b43\U00016b50-\U00016b59\U00016b63-\U00016d6c\U00016d70-\U00016e7f\U00016ea0-\U00016fe1\U00016fe3-\U0001bc99\U0001bc9d-\U0001bc9e\U0001ccf0-\U0001ccf9\U0001cf00-\U0001cf46\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001d400-\U0001d6c0\U0001d6c2-\U0001d6da\U0001d6dc-\U0001d6fa\U0001d6fc-\U0001d714\U0001d716-\U0001d734\U0001d736-\U0001d74e\U0001d750-\U0001d76e\U0001d770-\U0001d788\U0001d78a-\U0001d7a8\U0001d7aa-\U0001d7c2\U0001d7c4-\U0001d7ff\U0001da00-\U0001da36\U0001da3b-\U0001da6c\U0001da75\U0001da84\U0001da9b-\U0001e14e\U0001e290-\U0001e2f9\U0001e4d0-\U0001e5fa\U0001e6c0-\U0001e8c4\U0001e8d0-\U0001e959\U0001ee00-\U0001eebb\U0001fbf0-\U0001fbf9\U00020000-\U00033479]'
$$;
comment on function private.word_character() is
  'A pattern for the letters, marks and digits of all scripts, and _. Code points that Unicode has not '
  'assigned may be among them.';
revoke execute on function private.word_character() from public, anon, authenticated;

create function private.words_of(name text) returns text[]
  language sql immutable set search_path = ''
as $$
  select coalesce(array_agg(found.words[1] order by found.number), array[private.search_key(btrim(name))])
  from regexp_matches(translate(private.search_key(name), '_', ' '), private.word_character() || '+', 'g')
    with ordinality as found (words, number)
$$;
comment on function private.words_of(text) is
  'The words of a name as search keys, without underscores, punctuation and symbols. A name of symbols only is '
  'one word.';
revoke execute on function private.words_of(text) from public, anon, authenticated;

-- A member chooses how many words a topic has: their number bounds what it costs to add one.
create function private.word_rows(kind text, audience text, topic text) returns setof private.topic_words
  language sql immutable rows 3 set search_path = ''
as $$
  select kind, audience, place = 1, array_to_string(words[place:], ' '), topic
  from private.words_of(topic) as words, generate_subscripts(words[:8], 1) as place
$$;
comment on function private.word_rows(text, text, text) is 'The rows of a topic in topic_words: from each of its first eight words on.';
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
  'Examines up to max_rows removed topics and deletes the words of those without posts. Returns how many it '
  'examined: none while a post is being written.';
revoke execute on function private.delete_unused_topics(integer) from public, anon, authenticated;

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
comment on function private.found_topics(text) is
  'Proposes ten hashtags and ten places with words that begin with those of the query, and for each the posts '
  'that may show it, those of most readers first.';
revoke execute on function private.found_topics(text) from public, anon, authenticated;
grant execute on function private.found_topics(text) to authenticated, service_role;

create trigger post_topics_words_insert after insert on public.post_topics referencing new table as added
  for each statement execute function private.add_topic_words();
create trigger post_topics_words_update after update on public.post_topics referencing new table as added
  for each statement execute function private.add_topic_words();
create trigger post_topics_removed_update after update on public.post_topics referencing old table as removed
  for each statement execute function private.note_removed_topics();
create trigger post_topics_removed_delete after delete on public.post_topics referencing old table as removed
  for each statement execute function private.note_removed_topics();

create trigger hashtag_follows_allow before insert on public.hashtag_follows
  for each row when (pg_catalog.row_security_active('public.hashtag_follows'))
  execute function private.count_quota('hashtag_follows');
create trigger hashtag_follows_allow_delete before delete on public.hashtag_follows
  for each statement when (pg_catalog.row_security_active('public.hashtag_follows')) execute function private.count_quota('removals');

create policy post_topics_session on public.post_topics as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy post_topics_select on public.post_topics for select to authenticated
  using (
    -- Only leaves out: a hashtag of many private posts would cost a look-up for each.
    (audience = 'public' or user_id = (select auth.uid()) or user_id in (select private.my_following_ids()))
    and exists (select from public.posts p where p.id = post_topics.post_id offset 0)
  );

create policy hashtag_follows_session on public.hashtag_follows as restrictive for all to authenticated
  using (
    nullif((select private.is_member()), false) is not null
    or follower_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
  )
  with check (nullif((select private.is_member()), false) is not null);
create policy hashtag_follows_select on public.hashtag_follows for select to authenticated
  using (follower_id = (select auth.uid()));
create policy hashtag_follows_insert on public.hashtag_follows for insert to authenticated
  with check (follower_id = (select auth.uid()));
create policy hashtag_follows_delete on public.hashtag_follows for delete to authenticated
  using (follower_id = (select auth.uid()));

set check_function_bodies = on;
