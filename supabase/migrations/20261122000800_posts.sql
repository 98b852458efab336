-- Posts, and the members who are tagged in them.

create table public.posts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  content text not null default '',
  image_url text,
  thumbnail_url text,
  image_width integer,
  image_height integer,
  location text,
  alt_text text,
  audience text not null default 'public' check (audience in ('public', 'followers')),
  like_count integer not null default 0 check (like_count >= 0),
  comment_count integer not null default 0 check (comment_count >= 0),
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  constraint posts_not_empty check (content ~ '\S' or image_url is not null),
  constraint posts_content_length check (char_length(content) <= 2200),
  constraint posts_location_length check (char_length(location) <= 100),
  constraint posts_alt_text_length check (char_length(alt_text) <= 1000),
  constraint posts_image_length check (char_length(image_url) <= 2100000),
  constraint posts_image_format check (left(image_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'),
  constraint posts_thumbnail_length check (char_length(thumbnail_url) <= 28000),
  constraint posts_thumbnail_format check (left(thumbnail_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'),
  constraint posts_image_size check (image_width between 1 and 4096 and image_height between 1 and 4096),
  constraint posts_image_parts check (
    (image_width is null) = (image_height is null)
    and (image_url is not null or num_nonnulls(thumbnail_url, image_width, image_height) = 0)
  )
);
comment on table public.posts is
  'Posts with a text, a picture or both. Triggers set audience from the author''s privacy and update the counters.';
-- Pictures are already compressed: compressing them again would cost time at every insert and save nothing.
alter table public.posts
  alter column image_url set storage external,
  alter column thumbnail_url set storage external;
create index posts_feed_idx on public.posts (created_at desc, id desc);
create index posts_user_idx on public.posts (user_id, created_at desc, id desc);
alter table public.posts enable row level security;
revoke all on table public.posts from public, anon, authenticated;
grant all on table public.posts to service_role;
grant select, delete on table public.posts to authenticated;
grant insert (
  id, user_id, content, image_url, thumbnail_url, image_width, image_height, location, alt_text
) on table public.posts to authenticated;
grant update (content, location, alt_text) on table public.posts to authenticated;

create trigger posts_allow before insert on public.posts
  for each row when (pg_catalog.row_security_active('public.posts')) execute function private.count_quota('posts');
create trigger posts_allow_change before update of content, location, alt_text on public.posts
  for each row when (pg_catalog.row_security_active('public.posts')) execute function private.count_quota('post_changes');
create trigger posts_allow_media before insert on public.posts
  for each row when (
    num_nonnulls(new.image_url, new.thumbnail_url) > 0 and pg_catalog.row_security_active('public.posts')
  ) execute function private.check_media_quota();
create trigger posts_serialize before insert or update of content on public.posts
  for each statement execute function private.serialize_writes('shared');
create trigger posts_serialize_deletes before delete on public.posts
  for each statement when (not pg_catalog.row_security_active('public.posts'))
  execute function private.serialize_writes('exclusive');

create function private.serialize_post_deletes() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select 1 from public.posts where user_id = (select auth.uid())) then
    perform pg_catalog.pg_advisory_xact_lock(7246001);
  end if;
  return null;
end
$$;
comment on function private.serialize_post_deletes() is
  'Takes the lock of serialize_writes() exclusively for a client that deletes posts. Members without posts delete nothing, '
  'so they block nobody.';
revoke execute on function private.serialize_post_deletes() from public, anon, authenticated;
create trigger posts_serialize_own_deletes before delete on public.posts
  for each statement when (pg_catalog.row_security_active('public.posts'))
  execute function private.serialize_post_deletes();

create function private.set_audience() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- The lock serializes a new post with a change of privacy.
  select case when p.is_private then 'followers' else 'public' end into new.audience
    from public.profiles p where p.id = new.user_id for no key update;
  new.audience := coalesce(new.audience, 'followers');
  return new;
end
$$;
comment on function private.set_audience() is 'Sets the audience of a new post or story from its author''s privacy.';
revoke execute on function private.set_audience() from public, anon, authenticated;
create trigger posts_audience before insert on public.posts
  for each row execute function private.set_audience();

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
comment on function private.mark_edited() is
  'Sets edited_at when the text, location or alternative text of a post changes.';
revoke execute on function private.mark_edited() from public, anon, authenticated;
create trigger posts_edited before update of content, location, alt_text on public.posts
  for each row execute function private.mark_edited();

create function private.count_posts() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.profiles p
    where p.id in (select user_id from changed) order by p.id for no key update;
  update public.profiles p set post_count = p.post_count + step * c.posts
    from (select user_id, count(*)::integer as posts from changed group by user_id) as c
    where p.id = c.user_id;
  return null;
end
$$;
comment on function private.count_posts() is 'Updates post_count.';
revoke execute on function private.count_posts() from public, anon, authenticated;
create trigger posts_count_insert after insert on public.posts
  referencing new table as changed for each statement execute function private.count_posts();
create trigger posts_count_delete after delete on public.posts
  referencing old table as changed for each statement execute function private.count_posts();

create table public.post_tags (
  tagged_user_id uuid not null references public.profiles (id) on delete cascade,
  post_id uuid not null references public.posts (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (post_id, tagged_user_id)
);
comment on table public.post_tags is
  'Members that a post mentions as @username. Triggers insert the rows; tagged members may delete their own.';
create index post_tags_tagged_user_idx on public.post_tags (tagged_user_id, created_at desc, post_id desc);
alter table public.post_tags enable row level security;
revoke all on table public.post_tags from public, anon, authenticated;
grant all on table public.post_tags to service_role;
grant select, delete on table public.post_tags to authenticated;

create function private.mentions(body text) returns setof text
  language sql immutable set search_path = ''
as $$
  select distinct rtrim(lower(found[1]), '.')
  from regexp_matches(body, '(?<![A-Za-z0-9._%+@/-])@([A-Za-z0-9._]+)(?![A-Za-z0-9._@])', 'g') as found
$$;
comment on function private.mentions(text) is
  'Usernames that a text mentions as @username. Ignores words, e-mail addresses, paths and name@server; a full stop '
  'after a name is not part of it.';
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
    where (
        new.audience = 'public'
        or p.id = new.user_id
        or exists (
          select 1 from public.follows f where f.follower_id = p.id and f.following_id = new.user_id
        )
      )
      and not exists (
        select 1 from public.blocks b
        where (b.blocker_id = p.id and b.blocked_id = new.user_id)
          or (b.blocker_id = new.user_id and b.blocked_id = p.id)
      )
    on conflict do nothing;
  return null;
end
$$;
comment on function private.tag_mentioned() is
  'Tags the members that a post newly mentions and who may see it; untags members that it no longer mentions. A tag '
  'that its member deleted does not come back while the text keeps the mention.';
revoke execute on function private.tag_mentioned() from public, anon, authenticated;
create trigger posts_tag after insert or update of content on public.posts
  for each row execute function private.tag_mentioned();

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
create trigger posts_untag_former_names after update of content on public.posts
  for each row execute function private.untag_former_names();

create policy posts_session on public.posts as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy posts_select on public.posts for select to authenticated
  using (
    user_id = (select auth.uid())
    or (
      (audience = 'public' or user_id in (select private.my_following_ids()))
      and user_id not in (select private.my_hidden_ids())
    )
  );
create policy posts_insert on public.posts for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy posts_update on public.posts for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy posts_delete on public.posts for delete to authenticated
  using (user_id = (select auth.uid()));

create policy post_tags_session on public.post_tags as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy post_tags_select on public.post_tags for select to authenticated
  using (
    tagged_user_id = (select auth.uid())
    or (
      exists (select 1 from public.posts p where p.id = post_id offset 0)
      and exists (
        select 1 from public.profiles p
        where p.id = tagged_user_id and (not p.is_private or p.id in (select private.my_following_ids()))
        offset 0
      )
    )
  );
create policy post_tags_delete on public.post_tags for delete to authenticated
  using (tagged_user_id = (select auth.uid()));
