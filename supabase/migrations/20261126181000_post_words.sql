-- The search for posts by the words of their texts: docs/decisions/0078-first-hour-and-search.md.

create table private.post_words (
  post_id uuid not null references public.posts (id) on delete cascade,
  -- In code point order, words with the same beginning are adjacent.
  word text collate "C" not null,
  user_id uuid not null,
  audience text not null,
  created_at timestamptz not null,
  primary key (post_id, word)
);
comment on table private.post_words is
  'The words of each post''s caption, place and alternative texts, as search keys. Author, audience and time are copies of the post''s. '
  'Triggers keep the rows.';
create index post_words_public_idx on private.post_words (word, created_at desc, post_id desc) include (user_id)
  where audience = 'public';
create index post_words_followers_idx on private.post_words (user_id, word, created_at desc, post_id desc)
  where audience = 'followers';
alter table private.post_words enable row level security;
revoke all on table private.post_words from public, anon, authenticated;
grant all on table private.post_words to service_role;

create function private.searched_words(written text) returns setof text
  language sql immutable set search_path = '' rows 20
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
  'The first 500 words of a text, each once and its first twenty characters. In scripts without spaces between words, a word begins at each character.';
revoke execute on function private.searched_words(text) from public, anon, authenticated;

create function private.words_of_post(post public.posts) returns setof text
  language sql stable set search_path = ''
as $$
  select private.searched_words(concat_ws(
    ' ', post.content, post.location, post.alt_text,
    (select string_agg(h.alt_text, ' ' order by h.position) from public.post_photos h where h.post_id = post.id)
  ))
$$;
comment on function private.words_of_post(public.posts) is 'The words of a post''s caption, place and alternative texts.';
revoke execute on function private.words_of_post(public.posts) from public, anon, authenticated;

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
      where w.post_id = changed.id and w.word not in (select private.words_of_post(changed));
  end if;
  insert into private.post_words (post_id, word, user_id, audience, created_at)
    select changed.id, word, changed.user_id, changed.audience, changed.created_at
    from private.words_of_post(changed) as word
    on conflict (post_id, word) do nothing;
  return null;
end
$$;
comment on function private.set_post_words() is 'Keeps the words of a new or changed post, or of one whose photos change.';
revoke execute on function private.set_post_words() from public, anon, authenticated;
create trigger posts_words after insert on public.posts
  for each row execute function private.set_post_words();
create trigger posts_words_change after update of content, location, alt_text on public.posts
  for each row when (
    new.content is distinct from old.content or new.location is distinct from old.location
    or new.alt_text is distinct from old.alt_text
  ) execute function private.set_post_words();
create trigger post_photos_words after insert on public.post_photos
  for each row when (new.alt_text is not null) execute function private.set_post_words();
create trigger post_photos_words_change after update of alt_text on public.post_photos
  for each row when (new.alt_text is distinct from old.alt_text) execute function private.set_post_words();
create trigger post_photos_words_delete after delete on public.post_photos
  for each row when (old.alt_text is not null) execute function private.set_post_words();

create function private.set_post_words_audience() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update private.post_words set audience = new.audience where post_id = new.id;
  return null;
end
$$;
comment on function private.set_post_words_audience() is 'Copies the audience of a post to its words.';
revoke execute on function private.set_post_words_audience() from public, anon, authenticated;
create trigger posts_words_audience after update of audience on public.posts
  for each row when (new.audience <> old.audience) execute function private.set_post_words_audience();

insert into private.post_words (post_id, word, user_id, audience, created_at)
  select p.id, word, p.user_id, p.audience, p.created_at
  from public.posts p cross join lateral private.words_of_post(p) as word;

create function private.found_post_ids(query text, before_at timestamptz, before_id uuid) returns setof uuid
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
    order by c.created_at desc, c.post_id desc limit most;
end
$$;
comment on function private.found_post_ids(text, timestamptz, uuid) is
  'The ids of at most thirty posts that the caller may see and that have a word for each of the query''s first eight words, which it begins; newest '
  'first, older than a given post. Leaves out posts of muted members. Looks through the newest thousand public posts with the rarest '
  'of the words, or the first twenty words that begin with it; of the caller and of the latest hundred private accounts that the caller follows, through a hundred each. '
  'What it may not show never changes what it finds.';
revoke execute on function private.found_post_ids(text, timestamptz, uuid) from public, anon, authenticated;
grant execute on function private.found_post_ids(text, timestamptz, uuid) to authenticated, service_role;

create function public.search_posts(query text, before_at timestamptz default null, before_id uuid default null)
  returns setof public.posts
  language sql stable security invoker rows 30 set search_path = '' set jit = off
as $$
  -- An array: a join may be planned as a scan of all posts in the order of their times.
  select p.* from public.posts p
  where p.id = any (array(select private.found_post_ids(query, before_at, before_id)))
  order by p.created_at desc, p.id desc
$$;
comment on function public.search_posts(text, timestamptz, uuid) is
  'A page of thirty posts that the caller may see, newest first, whose captions, places and alternative texts together have words that begin with '
  'those of the query, older than a given post; without one, the newest.';
revoke execute on function public.search_posts(text, timestamptz, uuid) from public, anon, authenticated;
grant execute on function public.search_posts(text, timestamptz, uuid) to authenticated, service_role;
