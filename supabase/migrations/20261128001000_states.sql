-- Posts and stories have a state, and audience is derived from it and from the author's privacy: docs/decisions/0108-one-rule-of-visibility.md

alter table public.posts
  add column state text not null default 'visible'
    constraint posts_state_check check (state in ('visible', 'warned', 'hidden', 'archived')),
  drop constraint posts_audience_check,
  add constraint posts_audience_check check (audience in ('public', 'followers', 'nobody'));
alter table public.stories
  add column state text not null default 'visible'
    constraint stories_state_check check (state in ('visible', 'warned', 'hidden')),
  drop constraint stories_audience_check,
  add constraint stories_audience_check check (audience in ('public', 'followers', 'nobody'));
comment on table public.posts is
  'Posts with a text, a picture or both. Triggers set audience from the author''s privacy and the state, and update the counters.';
comment on table public.stories is
  'Pictures and videos that expire. Triggers set audience from the author''s privacy and the state. Clients cannot set created_at or expires_at, so a list newest first can sort by expires_at, which has the index.';

create function private.audience_of(is_private boolean, state text) returns text
  language sql immutable set search_path = ''
as $$
  select case when state in ('hidden', 'archived') then 'nobody' when is_private then 'followers' else 'public' end
$$;
comment on function private.audience_of(boolean, text) is
  'Who may see a post or story of this state by an account of this privacy: public, followers or nobody but its author.';
revoke execute on function private.audience_of(boolean, text) from public, anon, authenticated;

create function private.may_read(reader uuid, author uuid, audience text) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select reader = author
    or (
      audience = 'public'
      or audience = 'followers'
        and exists (select from public.follows f where f.follower_id = reader and f.following_id = author)
    )
    and not exists (
      select from public.blocks b
      where (b.blocker_id = reader and b.blocked_id = author) or (b.blocker_id = author and b.blocked_id = reader)
    )
    and not exists (select from private.jobs j where j.kind = 'account' and j.subject_id = author)
$$;
comment on function private.may_read(uuid, uuid, text) is
  'Whether a member may see a post or story of this author and audience: the rule of posts_select, for a reader who is not the caller.';
revoke execute on function private.may_read(uuid, uuid, text) from public, anon, authenticated;

create or replace function private.may_notify(recipient uuid, actor uuid, owner uuid, audience text) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select recipient <> actor
    and private.may_read(recipient, owner, audience)
    and not exists (
      select from public.blocks b
      where (b.blocker_id = recipient and b.blocked_id = actor) or (b.blocker_id = actor and b.blocked_id = recipient)
    )
    and not exists (select from public.mutes m where m.muter_id = recipient and m.muted_id = actor)
$$;

create or replace function private.tag_mentioned() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.post_tags t using public.profiles p
    where t.post_id = new.id and p.id = t.tagged_user_id
      and p.username in (select private.mentions(old.content) except select private.mentions(new.content));
  insert into public.post_tags (post_id, tagged_user_id)
    select new.id, p.id
    from (select private.mentions(new.content) except select private.mentions(old.content)) as added (name)
    join public.profiles p on p.username = added.name
    where private.may_read(p.id, new.user_id, new.audience)
    order by strpos(lower(new.content), '@' || added.name)
    on conflict do nothing;
  return null;
end
$$;

create or replace function private.set_audience() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- The lock serializes a new post, or a new state of one, with a change of privacy.
  select private.audience_of(p.is_private, new.state) into new.audience
    from public.profiles p where p.id = new.user_id for no key update;
  new.audience := coalesce(new.audience, private.audience_of(true, new.state));
  return new;
end
$$;
comment on function private.set_audience() is
  'Sets the audience of a new post or story, or of one whose state changes, from its author''s privacy and its state.';

create function private.set_item_state(items regclass, ids uuid[], new_state text) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  -- As a change of privacy: the author, then posts in the order of their ids.
  execute format('select from public.profiles where id in (select user_id from %s where id = any ($1)) order by id for no key update', items)
    using ids;
  execute format('select from %s where id = any ($1) order by id for no key update', items) using ids;
  execute format('update %s set state = $2 where id = any ($1) and state <> $2', items) using ids, new_state;
end
$$;
comment on function private.set_item_state(regclass, uuid[], text) is
  'Gives posts or stories this state. Triggers set their audience, and remove or restore the words and topics of a post and its place in post_count.';
revoke execute on function private.set_item_state(regclass, uuid[], text) from public, anon, authenticated;

create or replace function private.apply_privacy() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  max_cost constant integer := 10000;
  most constant integer := 200;
  -- What nobody but its author sees stays so.
  right_audiences constant text[] := array[private.audience_of(new.is_private, 'visible'), 'nobody'];
begin
  -- In the order in which likes and comments lock posts.
  perform 1 from public.posts where user_id = new.id and audience <> all (right_audiences) order by id for no key update;
  update public.posts set audience = private.audience_of(new.is_private, state)
    where user_id = new.id and audience <> all (right_audiences);
  update public.stories set audience = private.audience_of(new.is_private, state)
    where user_id = new.id and audience <> all (right_audiences);
  insert into private.post_moves (member_id) values (new.id)
    on conflict (member_id) do update set before_at = default, before_id = default;
  perform private.move_posts_of(new.id, max_cost);
  if not new.is_private then
    for attempt in 1..5 loop
      exit when private.accept_waiting(new.id, most) = most;
      if not exists (select from public.follow_requests where target_id = new.id) then
        return null;
      end if;
      perform pg_catalog.pg_sleep(0.02 + 0.08 * random());
    end loop;
    insert into private.jobs (kind, subject_id) values ('requests', new.id) on conflict do nothing;
  end if;
  return null;
end
$$;

create or replace function private.move_posts_of(member uuid, max_cost integer) returns integer
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
    -- Those of `nobody` have no words and topics.
    where p.user_id = member and p.audience <> 'nobody' and (p.created_at, p.id) < (move.before_at, move.before_id)
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

create or replace function private.set_topics() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    delete from public.post_topics t where t.post_id = new.id and (new.audience = 'nobody' or not exists (
      select from private.topics_of(new.content, new.location) as kept where kept.kind = t.kind and kept.topic = t.topic
    ));
  end if;
  if new.audience = 'nobody' then
    return null;
  end if;
  insert into public.post_topics (user_id, post_id, kind, topic, label, audience, created_at)
    select new.user_id, new.id, found.kind, found.topic, found.label, new.audience, new.created_at
    from private.topics_of(new.content, new.location) as found
    on conflict (post_id, kind, topic) do update set label = excluded.label where post_topics.label <> excluded.label;
  return null;
end
$$;
comment on function private.set_topics() is
  'Keeps the hashtags and the place of a new or changed post. One that nobody but its author sees has none.';

create or replace function private.set_post_words() returns trigger
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
  'Keeps the words of a new or changed post, or of one whose photos change. One that nobody but its author sees has none.';

create or replace function private.count_posts() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform private.count_on_profiles(array(
    select (c.user_id, 'posts', step * count(*))::private.count_change from changed c
    where c.audience <> 'nobody' group by c.user_id
  ));
  return null;
end
$$;
comment on function private.count_posts() is 'Updates post_count, which leaves out what nobody but its author sees.';

create function private.count_post_state() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.count_on_profiles(array[
    (new.user_id, 'posts', case new.audience when 'nobody' then -1 else 1 end)::private.count_change
  ]);
  return null;
end
$$;
comment on function private.count_post_state() is
  'Updates post_count when a post becomes one that nobody but its author sees, or is such a post no longer.';
revoke execute on function private.count_post_state() from public, anon, authenticated;

create or replace function private.recount(ids uuid[]) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  -- The lock first, then one statement: its snapshot has every change either in the rows that it counts or, uncommitted, not in the queue.
  perform 1 from public.posts p where p.id = any (ids) order by p.id for no key update;
  with waiting as (
    delete from private.count_changes w where w.item = any (ids) and w.counter in ('likes', 'comments')
  )
  update public.posts p set
    like_count = (select count(*) from public.likes l where l.post_id = p.id),
    comment_count = (select count(*) from public.comments c where c.post_id = p.id)
    where p.id = any (ids);
  perform 1 from public.comments o where o.id = any (ids) order by o.id for no key update;
  with waiting as (
    delete from private.count_changes w where w.item = any (ids) and w.counter in ('comment_likes', 'replies')
  )
  update public.comments o set
    like_count = (select count(*) from public.comment_likes l where l.comment_id = o.id),
    reply_count = (select count(*) from public.comments r where r.parent_id = o.id)
    where o.id = any (ids);
  perform 1 from public.profiles p where p.id = any (ids) order by p.id for no key update;
  with waiting as (
    delete from private.count_changes w where w.item = any (ids) and w.counter in ('posts', 'followers', 'following')
  )
  update public.profiles p set
    post_count = (select count(*) from public.posts o where o.user_id = p.id and o.audience <> 'nobody'),
    follower_count = (select count(*) from public.follows f where f.following_id = p.id),
    following_count = (select count(*) from public.follows f where f.follower_id = p.id)
    where p.id = any (ids);
end
$$;

create or replace function private.hold_items(items regclass, ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '10s'
as $$
declare
  holder constant uuid := gen_random_uuid();
  held uuid[];
begin
  -- The order in which a change of privacy takes them. Those who count hold them for milliseconds; no member's filter does.
  if items = 'public.posts'::regclass then
    perform 1 from public.profiles where id in (select p.user_id from public.posts p where p.id = any (ids)) order by id for no key update;
  end if;
  execute format('select array(select id from %s where id = any ($1) order by id for no key update)', items) into held using ids;
  if cardinality(held) = 0 then
    return;
  end if;
  perform private.tell_removed(items, held);
  insert into private.jobs (kind, subject_id, items) values ('account', holder, held);
  insert into public.profiles (id, username, is_private)
    values (holder, 'removed.' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 22), true);
  if items = 'public.posts'::regclass then
    update public.profiles p set post_count = p.post_count - c.posts
      from (
        select user_id, count(*)::integer as posts from public.posts
        where id = any (held) and audience <> 'nobody' group by user_id
      ) as c
      where p.id = c.user_id;
    update public.profiles set post_count = cardinality(held) where id = holder;
    -- Nobody follows a holder, so the audience alone hides them too. A picture keeps a post from being empty.
    update public.posts set user_id = holder, audience = 'followers', image_url = 'data:image/webp;base64,', thumbnail_url = null where id = any (held);
    delete from public.post_photos where post_id = any (held);
    delete from public.post_topics where post_id = any (held);
    delete from private.post_words where post_id = any (held);
  elsif items = 'public.comments'::regclass then
    update public.comments set user_id = holder where id = any (held);
    -- Tells their recipients. What one of them holds is hidden, and left to work_job().
    delete from public.notifications where id = any (array(
      select id from public.notifications
      where comment_id = any (held) and type in ('comment', 'reply', 'mention')
      for update skip locked
    ));
  else
    update public.stories set user_id = holder, audience = 'followers', media_path = null, poster_path = null, thumbhash = null, thumbnail_url = null,
        media_url = case media_type when 'image' then 'data:image/webp;base64,' else 'data:video/webm;base64,' end
      where id = any (held);
  end if;
end
$$;

create trigger posts_state before update of state on public.posts
  for each row when (new.state <> old.state) execute function private.set_audience();
create trigger posts_state_topics after update of state on public.posts
  for each row when ((new.audience = 'nobody') <> (old.audience = 'nobody')) execute function private.set_topics();
create trigger posts_state_words after update of state on public.posts
  for each row when ((new.audience = 'nobody') <> (old.audience = 'nobody')) execute function private.set_post_words();
create trigger posts_state_count after update of state on public.posts
  for each row when ((new.audience = 'nobody') <> (old.audience = 'nobody')) execute function private.count_post_state();
create trigger stories_state before update of state on public.stories
  for each row when (new.state <> old.state) execute function private.set_audience();
