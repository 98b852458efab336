-- Hashtags and places of posts, and hashtags that members follow: docs/decisions/0052-topics.md.

create table public.post_topics (
  user_id uuid not null references public.profiles (id) on delete cascade,
  post_id uuid not null references public.posts (id) on delete cascade,
  kind text not null check (kind in ('hashtag', 'place')),
  -- In code point order, topics with the same prefix are adjacent.
  topic text collate "C" not null,
  label text not null,
  audience text not null check (audience in ('public', 'followers')),
  created_at timestamptz not null,
  primary key (post_id, kind, topic)
);
comment on table public.post_topics is
  'The hashtags in the texts of posts, and their places. The topic is in lower case, the label as its author wrote it; author, '
  'audience and time are copies of the post''s. Triggers keep the rows.';
create index post_topics_topic_idx on public.post_topics (kind, topic, created_at desc, post_id desc);
create index post_topics_recent_idx on public.post_topics (kind, created_at desc) where audience = 'public';
create index post_topics_user_idx on public.post_topics (user_id);
alter table public.post_topics enable row level security;
revoke all on table public.post_topics from public, anon, authenticated;
grant all on table public.post_topics to service_role;
grant select on table public.post_topics to authenticated;

-- The same characters as in src/shared/hashtags.ts. Not by class: what a letter is depends on the locale of the database.
create function private.hashtag_pattern() returns text
  language sql immutable set search_path = ''
as $$
  select format('(?<!%1$s|[#&/@])#(%1$s+)', '[^\s!-/:-@\[-^`{-~\u0080-\u00bf\u00d7\u00f7\u02c2-\u02df\u2000-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u30fb\ue000-\uf8ff\ufe00-\ufe4f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\U0001f000-\U0001faff]')
$$;
comment on function private.hashtag_pattern() is
  'Finds #word, whose characters are everything except spaces, punctuation and symbols. Not inside a word or an address.';
revoke execute on function private.hashtag_pattern() from public, anon, authenticated;

create function private.topics_of(content text, location text)
  returns table (kind text, topic text, label text)
  language sql immutable set search_path = ''
as $$
  (
    select 'hashtag', tag.topic, (array_agg(tag.label order by tag.number))[1]
    from (
      select lower(found.words[1]) as topic, found.words[1] as label, found.number
      from regexp_matches(content, private.hashtag_pattern(), 'g') with ordinality as found (words, number)
    ) as tag
    where char_length(tag.topic) <= 50 and tag.topic !~ '^[0-9_]+$'
    group by tag.topic order by min(tag.number) limit 30
  )
  union all
  select 'place', lower(place.name), place.name
  from (select regexp_replace(btrim(location), '\s+', ' ', 'g') as name) as place
  where place.name <> ''
$$;
comment on function private.topics_of(text, text) is
  'The first thirty hashtags of a text, without those of more than fifty characters or without a letter, and its place.';
revoke execute on function private.topics_of(text, text) from public, anon, authenticated;

create function private.set_topics() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    delete from public.post_topics t where t.post_id = new.id and not exists (
      select from private.topics_of(new.content, new.location) as kept where kept.kind = t.kind and kept.topic = t.topic
    );
  end if;
  insert into public.post_topics (user_id, post_id, kind, topic, label, audience, created_at)
    select new.user_id, new.id, found.kind, found.topic, found.label, new.audience, new.created_at
    from private.topics_of(new.content, new.location) as found
    on conflict (post_id, kind, topic) do update set label = excluded.label where post_topics.label <> excluded.label;
  return null;
end
$$;
comment on function private.set_topics() is 'Keeps the hashtags and the place of a new or changed post.';
revoke execute on function private.set_topics() from public, anon, authenticated;
create trigger posts_topics after insert on public.posts
  for each row when (new.location is not null or new.content like '%#%') execute function private.set_topics();
create trigger posts_topics_change after update of content, location on public.posts
  for each row when ((new.content, new.location) is distinct from (old.content, old.location))
  execute function private.set_topics();

create function private.set_topics_audience() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.post_topics set audience = new.audience where post_id = new.id;
  return null;
end
$$;
comment on function private.set_topics_audience() is 'Copies the audience of a post to its topics.';
revoke execute on function private.set_topics_audience() from public, anon, authenticated;
create trigger posts_topics_audience after update of audience on public.posts
  for each row when (new.audience <> old.audience) execute function private.set_topics_audience();

insert into public.post_topics (user_id, post_id, kind, topic, label, audience, created_at)
  select p.user_id, p.id, found.kind, found.topic, found.label, p.audience, p.created_at
  from public.posts p cross join lateral private.topics_of(p.content, p.location) as found
  where p.location is not null or p.content like '%#%';

create table public.hashtag_follows (
  follower_id uuid not null references public.profiles (id) on delete cascade,
  tag text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (follower_id, tag),
  constraint hashtag_follows_tag_length check (char_length(tag) <= 50)
);
comment on table public.hashtag_follows is
  'Hashtags that members follow, in lower case: their public posts are in the feed of followed members. Visible to the follower only.';
create index hashtag_follows_follower_idx on public.hashtag_follows (follower_id, created_at desc);
alter table public.hashtag_follows enable row level security;
revoke all on table public.hashtag_follows from public, anon, authenticated;
grant all on table public.hashtag_follows to service_role;
grant select, delete on table public.hashtag_follows to authenticated;
grant insert (follower_id, tag) on table public.hashtag_follows to authenticated;

insert into private.quotas (kind, per_minute, per_day) values ('hashtag_follows', 60, 500);
create trigger hashtag_follows_allow before insert on public.hashtag_follows
  for each row when (pg_catalog.row_security_active('public.hashtag_follows'))
  execute function private.count_quota('hashtag_follows');

create function private.followed_hashtag_post_ids(before_at timestamptz, before_id uuid) returns setof uuid
  language plpgsql stable security definer rows 8
  set search_path = '' set jit = off
as $$
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
      order by t.created_at desc, t.post_id desc limit most
    ) as latest
    group by latest.post_id, latest.created_at
    order by latest.created_at desc, latest.post_id desc limit most;
end
$$;
comment on function private.followed_hashtag_post_ids(timestamptz, uuid) is
  'The next eight public posts, older than a given one, with the latest two hundred hashtags that the caller follows. Reads eight '
  'posts of each.';
revoke execute on function private.followed_hashtag_post_ids(timestamptz, uuid) from public, anon, authenticated;
grant execute on function private.followed_hashtag_post_ids(timestamptz, uuid) to authenticated, service_role;

create or replace function public.following_posts(before_at timestamptz default null, before_id uuid default null)
  returns setof public.posts
  language sql stable security invoker rows 8 set search_path = ''
as $$
  select p.*
  from (
    select private.following_post_ids(before_at, before_id)
    union
    select private.followed_hashtag_post_ids(before_at, before_id)
  ) as found (id)
  join public.posts p on p.id = found.id
  order by p.created_at desc, p.id desc limit 8
$$;
comment on function public.following_posts(timestamptz, uuid) is
  'A page of eight posts of the caller, of the members and with the hashtags that the caller follows, older than a given post; '
  'without one, the newest.';

create function public.count_topic_posts(topic_kind text, topic_name text) returns integer
  language sql stable security invoker set search_path = ''
as $$
  select count(*)::integer
  from (
    select from public.post_topics t
    where t.kind = topic_kind and t.topic = lower(topic_name) limit 1001
  ) as found
$$;
comment on function public.count_topic_posts(text, text) is
  'How many posts with a hashtag or of a place the caller may see, at most 1,001.';
revoke execute on function public.count_topic_posts(text, text) from public, anon, authenticated;
grant execute on function public.count_topic_posts(text, text) to authenticated, service_role;

-- PL/pgSQL, because each topic begins a new look-up in the index: the rows of a topic are as many as its posts.
create function public.search_topics(query text)
  returns table (kind text, topic text, label text)
  language plpgsql stable security invoker set search_path = '' set jit = off
as $$
#variable_conflict use_column
declare
  most constant integer := 5;
  wanted constant text := lower(regexp_replace(ltrim(btrim(query), '#'), '\s+', ' ', 'g'));
  kinds constant text[] := case when btrim(query) like '#%' then '{hashtag}' else '{hashtag,place}' end;
  searched text;
  found_topic record;
  reached text;
begin
  if wanted = '' or wanted is null then
    return;
  end if;
  foreach searched in array kinds loop
    reached := null;
    for _ in 1..most loop
      select t.kind, t.topic, t.label into found_topic
        from public.post_topics t
        where t.kind = searched
          and t.topic >= wanted collate "C"
          and t.topic > coalesce(reached, '') collate "C"
          and t.topic <= (wanted || U&'\+10FFFF') collate "C"
        order by t.topic, t.created_at desc, t.post_id desc limit 1;
      exit when not found;
      kind := found_topic.kind;
      topic := found_topic.topic;
      label := found_topic.label;
      return next;
      reached := topic;
    end loop;
  end loop;
end
$$;
comment on function public.search_topics(text) is
  'At most five hashtags and five places that begin with the query and have posts that the caller may see; only hashtags if '
  'it begins with #.';
revoke execute on function public.search_topics(text) from public, anon, authenticated;
grant execute on function public.search_topics(text) to authenticated, service_role;

create function public.popular_hashtags()
  returns table (topic text, label text)
  language sql stable security invoker set search_path = '' set jit = off
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
  'The hashtags with the most authors among the latest public posts of a week that the caller may see. Reads at most 2,000 rows.';
revoke execute on function public.popular_hashtags() from public, anon, authenticated;
grant execute on function public.popular_hashtags() to authenticated, service_role;

create function public.explore_posts(before_at timestamptz default null, before_id uuid default null)
  returns setof public.posts
  language sql stable security invoker rows 30 set search_path = '' set jit = off
as $$
  select p.* from public.posts p
  where p.audience = 'public' and p.user_id <> (select auth.uid())
    and (p.created_at, p.id) < (
      coalesce(before_at, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    )
    and (
      p.image_width is not null or p.thumbnail_url is not null
      or exists (select from public.post_photos h where h.post_id = p.id offset 0)
    )
  order by p.created_at desc, p.id desc limit 30
$$;
comment on function public.explore_posts(timestamptz, uuid) is
  'A page of thirty public photographs of others that the caller may see, older than a given post; without one, the newest.';
revoke execute on function public.explore_posts(timestamptz, uuid) from public, anon, authenticated;
grant execute on function public.explore_posts(timestamptz, uuid) to authenticated, service_role;

create policy post_topics_session on public.post_topics as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy post_topics_select on public.post_topics for select to authenticated
  using (
    user_id = (select auth.uid())
    or (
      (audience = 'public' or user_id in (select private.my_following_ids()))
      and user_id not in (select private.my_hidden_ids())
    )
  );

create policy hashtag_follows_session on public.hashtag_follows as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy hashtag_follows_select on public.hashtag_follows for select to authenticated
  using (follower_id = (select auth.uid()));
create policy hashtag_follows_insert on public.hashtag_follows for insert to authenticated
  with check (follower_id = (select auth.uid()));
create policy hashtag_follows_delete on public.hashtag_follows for delete to authenticated
  using (follower_id = (select auth.uid()));
