-- A change of an account's privacy ends in time, whatever its posts contain: docs/decisions/0083-privacy-in-time.md

create table private.word_moves (
  member_id uuid primary key references public.profiles (id) on delete cascade,
  before_at timestamptz not null default 'infinity',
  before_id uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff'
);
comment on table private.word_moves is
  'Members whose privacy has changed and some of whose posts still have words with the former audience: those older than the given post.';
alter table private.word_moves enable row level security;
revoke all on table private.word_moves from public, anon, authenticated;
grant all on table private.word_moves to service_role;

insert into private.quotas (kind, per_minute, per_day) values ('privacy_changes', null, 20);
create trigger profiles_allow_privacy before update of is_private on public.profiles
  for each row when (old.is_private <> new.is_private and row_security_active('public.profiles'))
  execute function private.count_quota('privacy_changes');

drop trigger posts_words_audience on public.posts;
drop function private.set_post_words_audience();

create function private.move_words_of(member uuid, max_words integer) returns integer
  language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  move private.word_moves;
  post record;
  changed integer;
  moved integer := 0;
begin
  select m.* into move from private.word_moves m where m.member_id = member for update;
  for post in
    select p.id, p.created_at, p.audience from public.posts p
    where p.user_id = member and (p.created_at, p.id) < (move.before_at, move.before_id)
    order by p.created_at desc, p.id desc
  loop
    update private.post_words w set audience = post.audience
      where w.post_id = post.id and w.audience <> post.audience;
    get diagnostics changed = row_count;
    moved := moved + changed;
    if moved >= max_words then
      update private.word_moves m set before_at = post.created_at, before_id = post.id where m.member_id = member;
      return moved;
    end if;
  end loop;
  delete from private.word_moves m where m.member_id = member;
  return moved;
end
$$;
comment on function private.move_words_of(uuid, integer) is
  'Gives the words of a member''s posts, the newest first, the audience of their post, and ends after the post with which it has changed the given number. '
  'Returns the number of changed words.';
revoke execute on function private.move_words_of(uuid, integer) from public, anon, authenticated;

create function private.move_words(max_words integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  moved integer := 0;
  member uuid;
begin
  for member in select m.member_id from private.word_moves m for update skip locked loop
    moved := moved + private.move_words_of(member, max_words - moved);
    exit when moved >= max_words;
  end loop;
  return moved;
end
$$;
comment on function private.move_words(integer) is
  'Continues what changes of privacy have left to the cleanup, for about the given number of words. Returns the number of changed words.';
revoke execute on function private.move_words(integer) from public, anon, authenticated;

create or replace function private.set_topics_audience() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.post_topics set audience = new.audience where post_id = new.id and audience <> new.audience;
  return null;
end
$$;

create or replace function private.apply_privacy() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  max_words constant integer := 10000;
  new_audience constant text := case when new.is_private then 'followers' else 'public' end;
  requesters uuid[];
begin
  -- In the order in which likes and comments lock posts.
  perform 1 from public.posts where user_id = new.id and audience <> new_audience order by id for no key update;
  -- In one statement: those of each post take many times as long.
  update public.post_topics set audience = new_audience where user_id = new.id and audience <> new_audience;
  update public.posts set audience = new_audience where user_id = new.id and audience <> new_audience;
  update public.stories set audience = new_audience where user_id = new.id and audience <> new_audience;
  insert into private.word_moves (member_id) values (new.id)
    on conflict (member_id) do update set before_at = default, before_id = default;
  perform private.move_words_of(new.id, max_words);
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
  -- Now private, with words that may still be those of public posts.
  moving constant uuid[] := array(
    select m.member_id from private.word_moves m join public.profiles p on p.id = m.member_id
    where p.is_private and m.member_id <> me
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

-- A hosted project moves 100,000 words in an hour, the embedded server 2,000 at a time between requests, until none is left.
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
    + private.move_words(100 * max_rows)
$$;
