-- Posts and saved posts.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table public.posts (
  id uuid not null default private.new_id(),
  user_id uuid not null,
  content text not null default '',
  -- Pictures are already compressed: compressing them again would cost time at every insert and save nothing.
  image_url text,
  thumbnail_url text,
  image_width integer,
  image_height integer,
  location text,
  alt_text text,
  audience text not null default 'public',
  like_count integer not null default 0,
  comment_count integer not null default 0,
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  state text not null default 'visible',
  constraint posts_content_length check (char_length(content) <= 2200),
  constraint posts_location_length check (char_length(location) <= 100),
  constraint posts_alt_text_length check (char_length(alt_text) <= 1000),
  constraint posts_image_length check (char_length(image_url) <= 2100000),
  constraint posts_image_format check (left(image_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'),
  constraint posts_thumbnail_length check (char_length(thumbnail_url) <= 28000),
  constraint posts_thumbnail_format check (left(thumbnail_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'),
  constraint posts_image_size check (image_width between 1 and 4096 and image_height between 1 and 4096),
  constraint posts_image_parts check ((image_width is null) = (image_height is null) and (image_url is not null or num_nonnulls(thumbnail_url, image_width, image_height) = 0)),
  constraint posts_pkey primary key (id),
  constraint posts_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade,
  constraint posts_state_check check (state in ('visible', 'warned', 'hidden', 'archived')),
  constraint posts_audience_check check (audience in ('public', 'followers', 'nobody'))
) with (fillfactor = 90);
comment on table public.posts is
  'Posts with a text, a picture or both. Triggers set audience from the author''s privacy and the state, and '
  'update the counters.';
alter table public.posts alter column image_url set storage external;
alter table public.posts alter column thumbnail_url set storage external;
create index posts_feed_idx on public.posts (created_at desc, id desc);
create index posts_user_idx on public.posts (user_id, created_at desc, id desc) include (audience);
alter table public.posts enable row level security;
revoke all on table public.posts from public, anon, authenticated;
grant select, insert (id, user_id, content, image_url, thumbnail_url, image_width, image_height, location, alt_text), update (content, location, alt_text) on table public.posts to authenticated;
grant all on table public.posts to service_role;

create table public.saved_posts (
  user_id uuid not null,
  post_id uuid not null,
  created_at timestamptz not null default now(),
  constraint saved_posts_pkey primary key (user_id, post_id),
  constraint saved_posts_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade,
  constraint saved_posts_post_id_fkey foreign key (post_id) references public.posts (id) on delete cascade
);
comment on table public.saved_posts is 'Posts that a member saved. Visible to that member only.';
create index saved_posts_user_idx on public.saved_posts (user_id, created_at desc, post_id desc);
create index saved_posts_post_idx on public.saved_posts (post_id);
alter table public.saved_posts enable row level security;
revoke all on table public.saved_posts from public, anon, authenticated;
grant select, delete, insert (user_id, post_id) on table public.saved_posts to authenticated;
grant all on table public.saved_posts to service_role;

create function private.audience_of(is_private boolean, state text) returns text
  language sql immutable set search_path = ''
as $$
  select case when state in ('hidden', 'archived') then 'nobody' when is_private then 'followers' else 'public' end
$$;
comment on function private.audience_of(boolean, text) is
  'Who may see a post or story of this state by an account of this privacy: public, followers or nobody but '
  'its author.';
revoke execute on function private.audience_of(boolean, text) from public, anon, authenticated;

create function private.set_audience() returns trigger
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
  'Sets the audience of a new post or story, or of one whose state changes, from its author''s privacy and its '
  'state.';
revoke execute on function private.set_audience() from public, anon, authenticated;

create function private.mark_edited() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if (new.content, new.location, new.alt_text) is distinct from (old.content, old.location, old.alt_text) then
    new.edited_at := now();
  end if;
  return new;
end
$$;
comment on function private.mark_edited() is 'Sets edited_at when the text, location or alternative text of a post changes.';
revoke execute on function private.mark_edited() from public, anon, authenticated;

create function private.count_posts() returns trigger
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
revoke execute on function private.count_posts() from public, anon, authenticated;

create function private.mentions(body text) returns setof text
  language sql immutable set search_path = ''
as $$
  select distinct rtrim(lower(found[1]), '.')
  from regexp_matches(body, '(?<![A-Za-z0-9._%+@/-])@([A-Za-z0-9._]+)(?![A-Za-z0-9._@])', 'g') as found
$$;
comment on function private.mentions(text) is
  'Usernames that a text mentions as @username. Ignores words, e-mail addresses, paths and name@server; a full '
  'stop after a name is not part of it.';
revoke execute on function private.mentions(text) from public, anon, authenticated;

create function private.tag_mentioned() returns trigger
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
comment on function private.tag_mentioned() is
  'Tags the members that a post newly mentions and who may see it; untags members that it no longer mentions. '
  'A tag that its member deleted does not come back while the text keeps the mention.';
revoke execute on function private.tag_mentioned() from public, anon, authenticated;

-- tag_mentioned() compares with present usernames; this handles members who were tagged under a former one.
create function private.untag_former_names() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.post_tags t using private.former_usernames f
    where t.post_id = new.id and f.member_id = t.tagged_user_id
      and f.username in (select private.mentions(old.content) except select private.mentions(new.content))
      and not exists (
        select 1 from public.profiles p
        where p.id = t.tagged_user_id and p.username in (select private.mentions(new.content))
      );
  return null;
end
$$;
comment on function private.untag_former_names() is
  'Untags members whose former usernames a post no longer mentions, unless it mentions their current one.';
revoke execute on function private.untag_former_names() from public, anon, authenticated;

create function private.notify_post_mentions() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, actor_id, type, post_id)
    select member, new.user_id, 'mention', new.id
    from private.mentioned_members(new.content, new.user_id, new.user_id, new.audience) as member
    join public.profiles p on p.id = member
    where p.username not in (select private.mentions(old.content))
    on conflict do nothing;
  return null;
end
$$;
comment on function private.notify_post_mentions() is
  'Notifies the members that a post, or an edit of it, newly mentions. Each member is notified once per post.';
revoke execute on function private.notify_post_mentions() from public, anon, authenticated;

create function private.following_post_ids(before_at timestamptz, before_id uuid) returns setof uuid
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
  'Proposes the caller''s newest own posts and those of members they follow. Leaves out what the policy would, '
  'because a shorter page is the last one.';
revoke execute on function private.following_post_ids(timestamptz, uuid) from public, anon, authenticated;
grant execute on function private.following_post_ids(timestamptz, uuid) to authenticated, service_role;

create function public.following_posts(
  before_at timestamptz default NULL::timestamptz,
  before_id uuid default NULL::uuid
) returns setof posts
  language sql stable rows 8 set search_path = ''
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
  'A page of eight posts of the caller, of the members and with the hashtags that the caller follows, older '
  'than a given post; without one, the newest.';
revoke execute on function public.following_posts(timestamptz, uuid) from public, anon, authenticated;
grant execute on function public.following_posts(timestamptz, uuid) to authenticated, service_role;

create function private.set_topics() returns trigger
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
revoke execute on function private.set_topics() from public, anon, authenticated;

create function private.clear_blank_location() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.location := null;
  return new;
end
$$;
comment on function private.clear_blank_location() is 'Removes a place whose name has only invisible characters.';
revoke execute on function private.clear_blank_location() from public, anon, authenticated;

create function private.broadcast_deleted_posts() returns trigger
  language plpgsql security definer set search_path = '' set lock_timeout = '1s'
as $$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return null;
  end if;
  perform realtime.send(
    jsonb_build_object('table', 'posts', 'type', 'DELETE', 'ids', jsonb_build_array(told.id)),
    'change', 'post:' || told.id, true
  )
  from (select c.id from changed c order by c.created_at desc, c.id limit 100) as told;
  return null;
exception when others then
  -- The client sees the change when it refetches; a deletion that fails would be lost.
  raise warning 'A deletion of posts was not broadcast: %', sqlerrm;
  return null;
end
$$;
comment on function private.broadcast_deleted_posts() is
  'Broadcasts that a post was deleted, in its private channel: of at most 100 posts of a statement. Never '
  'fails: a deletion does not depend on Realtime.';
revoke execute on function private.broadcast_deleted_posts() from public, anon, authenticated;

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
  'Gives posts or stories this state. Triggers set their audience, and remove or restore the words and topics '
  'of a post and its place in post_count.';
revoke execute on function private.set_item_state(regclass, uuid[], text) from public, anon, authenticated;

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

create trigger posts_allow before insert on public.posts
  for each row when (pg_catalog.row_security_active('public.posts')) execute function private.count_quota('posts');
create trigger posts_allow_change before update of content, location, alt_text on public.posts
  for each row when (pg_catalog.row_security_active('public.posts')) execute function private.count_quota('post_changes');
create trigger posts_allow_media before insert on public.posts
  for each row when (
    num_nonnulls(new.image_url, new.thumbnail_url) > 0 and pg_catalog.row_security_active('public.posts')
  ) execute function private.check_media_quota();
create trigger posts_edited before update of content, location, alt_text on public.posts
  for each row execute function private.mark_edited();
create trigger posts_count_insert after insert on public.posts
  referencing new table as changed for each statement execute function private.count_posts();
create trigger posts_count_delete after delete on public.posts
  referencing old table as changed for each statement execute function private.count_posts();
create trigger posts_tag after insert or update of content on public.posts
  for each row execute function private.tag_mentioned();
create trigger posts_untag_former_names after update of content on public.posts
  for each row execute function private.untag_former_names();
create trigger posts_notify_mentions after insert or update of content on public.posts
  for each row execute function private.notify_post_mentions();
create trigger posts_topics_change after update of content, location on public.posts
  for each row when ((new.content, new.location) is distinct from (old.content, old.location))
  execute function private.set_topics();
create trigger posts_clear_alt_text before insert on public.posts
  for each row when (not private.is_visible(new.alt_text)) execute function private.clear_blank_alt_text();
create trigger posts_clear_alt_text_change before update of alt_text on public.posts
  for each row when (new.alt_text is distinct from old.alt_text and not private.is_visible(new.alt_text))
  execute function private.clear_blank_alt_text();
create trigger posts_clear_location before insert on public.posts
  for each row when (not private.is_visible(new.location)) execute function private.clear_blank_location();
create trigger posts_clear_location_change before update of location on public.posts
  for each row when (new.location is distinct from old.location and not private.is_visible(new.location))
  execute function private.clear_blank_location();
create trigger posts_topics after insert on public.posts
  for each row when (new.location is not null or new.content ~ '[#\uff03]') execute function private.set_topics();
create trigger posts_broadcast_delete after delete on public.posts
  referencing old table as changed for each statement execute function private.broadcast_deleted_posts();
create trigger posts_compose before insert on public.posts
  for each row when (new.content is not nfc normalized
    or new.location is not nfc normalized
    or new.alt_text is not nfc normalized)
  execute function private.compose_texts('content', 'location', 'alt_text');
create trigger posts_compose_change before update of content, location, alt_text on public.posts
  for each row when ((new.content, new.location, new.alt_text) is distinct from (old.content, old.location, old.alt_text) and (
    new.content is not nfc normalized
    or new.location is not nfc normalized
    or new.alt_text is not nfc normalized
  ))
  execute function private.compose_texts('content', 'location', 'alt_text');
create trigger posts_bound_content before insert or update of content on public.posts
  for each row when (char_length(new.content) > 4400) execute function private.refuse_blank('posts_content_length');
create trigger posts_bound_location before insert or update of location on public.posts
  for each row when (char_length(new.location) > 200) execute function private.refuse_blank('posts_location_length');
create trigger posts_bound_alt_text before insert or update of alt_text on public.posts
  for each row when (char_length(new.alt_text) > 2000) execute function private.refuse_blank('posts_alt_text_length');
create trigger posts_audience before insert on public.posts
  for each row when (not pg_catalog.row_security_active('public.posts') or new.user_id = auth.uid())
  execute function private.set_audience();
create trigger posts_state before update of state on public.posts
  for each row when (new.state <> old.state) execute function private.set_audience();
create trigger posts_state_topics after update of state on public.posts
  for each row when ((new.audience = 'nobody') <> (old.audience = 'nobody')) execute function private.set_topics();
create trigger posts_state_count after update of state on public.posts
  for each row when ((new.audience = 'nobody') <> (old.audience = 'nobody')) execute function private.count_post_state();

create trigger saved_posts_allow before insert on public.saved_posts
  for each row when (pg_catalog.row_security_active('public.saved_posts')) execute function private.count_quota('saved_posts');
create trigger saved_posts_apart after insert on public.saved_posts
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.saved_posts')) execute function private.refuse_apart();
create trigger saved_posts_allow_delete before delete on public.saved_posts
  for each statement when (pg_catalog.row_security_active('public.saved_posts')) execute function private.count_quota('removals');

create policy posts_session on public.posts as restrictive for all to authenticated
  using (
    nullif((select private.is_member()), false) is not null
    or user_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
  )
  with check (nullif((select private.is_member()), false) is not null);
create policy posts_select on public.posts for select to authenticated
  using (
    user_id = (select auth.uid())
    or (audience = 'public' or audience = 'followers' and user_id in (select private.my_following_ids()))
      and user_id not in (select private.my_hidden_ids())
  );
create policy posts_insert on public.posts for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy posts_update on public.posts for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));

create policy saved_posts_session on public.saved_posts as restrictive for all to authenticated
  using (
    nullif((select private.is_member()), false) is not null
    or user_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
  )
  with check (nullif((select private.is_member()), false) is not null);
create policy saved_posts_select on public.saved_posts for select to authenticated
  using (user_id = (select auth.uid()));
create policy saved_posts_insert on public.saved_posts for insert to authenticated
  with check (
    user_id = (select auth.uid())
    and exists (select 1 from public.posts p where p.id = post_id)
  );
create policy saved_posts_delete on public.saved_posts for delete to authenticated
  using (user_id = (select auth.uid()));
create policy saved_posts_removed on public.saved_posts as restrictive for select to authenticated
  using (post_id not in (select private.removed_post_ids()));

set check_function_bodies = on;
