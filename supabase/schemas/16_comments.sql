-- Comments, replies and their likes.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table public.comments (
  id uuid not null default private.new_id(),
  user_id uuid not null,
  post_id uuid not null,
  content text not null,
  created_at timestamptz not null default now(),
  parent_id uuid,
  like_count integer not null default 0,
  reply_count integer not null default 0,
  constraint comments_not_blank check (content ~ '\S'),
  constraint comments_content_length check (char_length(content) <= 1000),
  constraint comments_pkey primary key (id),
  constraint comments_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade,
  constraint comments_post_id_fkey foreign key (post_id) references public.posts (id) on delete cascade,
  constraint comments_parent_id_fkey foreign key (parent_id) references public.comments (id) on delete cascade
) with (fillfactor = 90);
comment on table public.comments is 'Members who see the post see its comments. Comments can be deleted, not edited.';
comment on column public.comments.parent_id is
  'The comment that starts the thread; null for that comment. There is one level: a reply to a reply joins its '
  'thread.';
create index comments_post_idx on public.comments (post_id, created_at, id);
create index comments_user_idx on public.comments (user_id, created_at desc, id desc);
create index comments_threads_idx on public.comments (post_id, created_at, id) where (parent_id is null);
create index comments_parent_idx on public.comments (parent_id, created_at, id) where (parent_id is not null);
alter table public.comments enable row level security;
revoke all on table public.comments from public, anon, authenticated;
grant select, insert (id, user_id, post_id, content, parent_id) on table public.comments to authenticated;
grant all on table public.comments to service_role;

create table public.comment_likes (
  user_id uuid not null,
  comment_id uuid not null,
  created_at timestamptz not null default now(),
  constraint comment_likes_pkey primary key (comment_id, user_id),
  constraint comment_likes_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade,
  constraint comment_likes_comment_id_fkey foreign key (comment_id) references public.comments (id) on delete cascade
);
comment on table public.comment_likes is 'One per comment and member. Members who see the comment see its likes.';
create index comment_likes_user_idx on public.comment_likes (user_id, created_at desc, comment_id desc);
alter table public.comment_likes enable row level security;
revoke all on table public.comment_likes from public, anon, authenticated;
grant select, delete, insert (user_id, comment_id) on table public.comment_likes to authenticated;
grant all on table public.comment_likes to service_role;

create function private.count_comments() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform private.count_on_posts(array(
    select (c.post_id, 'comments', step * count(*))::private.count_change from changed c group by c.post_id
  ));
  perform private.count_on_comments(array(
    select (c.parent_id, 'replies', step * count(*))::private.count_change
    from changed c where c.parent_id is not null group by c.parent_id
  ));
  return null;
end
$$;
comment on function private.count_comments() is 'Updates posts.comment_count, which includes replies, and comments.reply_count.';
revoke execute on function private.count_comments() from public, anon, authenticated;

create function private.notify_comment() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, actor_id, type, post_id, comment_id)
    select distinct on (c.id, concerned.member) concerned.member, c.user_id, concerned.type, c.post_id, c.id
    from changed c
    join public.posts p on p.id = c.post_id
    cross join lateral (
      select answered.user_id, 'reply', 1
        from public.comments answered
        where answered.id = c.parent_id
          and private.may_notify(answered.user_id, c.user_id, p.user_id, p.audience)
      union all
      select member, 'mention', 2 from private.mentioned_members(c.content, c.user_id, p.user_id, p.audience) as member
      union all
      select p.user_id, 'comment', 3
    ) as concerned (member, type, place)
    where concerned.member <> c.user_id
    order by c.id, concerned.member, concerned.place;
  return null;
end
$$;
comment on function private.notify_comment() is
  'Notifies the author of the comment that a reply answers, the members that a comment mentions, and the '
  'post''s author: each once, of the most specific event. The foreign key deletes the notifications with the '
  'comment.';
revoke execute on function private.notify_comment() from public, anon, authenticated;

create function private.guard_reply() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  answered record;
begin
  select c.post_id, coalesce(c.parent_id, c.id) as thread into answered
    from public.comments c where c.id = new.parent_id;
  if answered.post_id is distinct from new.post_id then
    raise sqlstate 'PT404' using message = 'This comment was deleted.';
  end if;
  new.parent_id := answered.thread;
  return new;
end
$$;
comment on function private.guard_reply() is
  'Refuses a reply to a comment that the caller does not see, or of another post; a reply to a reply joins its '
  'thread.';
revoke execute on function private.guard_reply() from public, anon, authenticated;

create function private.count_comment_likes() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform private.count_on_comments(array(
    select (c.comment_id, 'comment_likes', step * count(*))::private.count_change from changed c group by c.comment_id
  ));
  return null;
end
$$;
comment on function private.count_comment_likes() is 'Updates comments.like_count.';
revoke execute on function private.count_comment_likes() from public, anon, authenticated;

create function private.notify_comment_like() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(tg_op, array(
    select (c.user_id, o.user_id, 'comment_like', c.comment_id, c.created_at)::private.notification_event
    from changed c
    join public.comments o on o.id = c.comment_id
    join public.posts p on p.id = o.post_id
    where o.user_id <> c.user_id
      and (tg_op = 'DELETE' or private.may_notify(o.user_id, c.user_id, p.user_id, p.audience))
  ));
  return null;
end
$$;
comment on function private.notify_comment_like() is 'Notifies a comment''s author of a like, at most once a day for the same member.';
revoke execute on function private.notify_comment_like() from public, anon, authenticated;

create function private.broadcast_comments() returns trigger
  language plpgsql security definer set search_path = '' set lock_timeout = '1s'
as $$
declare
  -- Embedded servers remove the author before they send a broadcast; hosted servers would store and send it.
  filters_readers constant boolean := private.broadcasts_carry_rows();
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return null;
  end if;
  perform realtime.send(
    jsonb_build_object('table', 'comments', 'type', tg_op, 'ids', told.ids, 'threads', told.threads)
      || case when filters_readers then jsonb_build_object('author', told.user_id) else '{}' end,
    'change', 'post:' || told.post_id, true
  )
  from (
    select
      c.post_id,
      c.user_id,
      -- Embedded servers broadcast at most 8,000 bytes at once.
      (array_agg(c.id order by c.created_at, c.id))[1:80] as ids,
      (array_agg(distinct c.parent_id) filter (where c.parent_id is not null))[1:80] as threads
    from changed c
    -- Not for posts that are deleted with their comments.
    join public.posts p on p.id = c.post_id
    group by c.post_id, c.user_id
    limit 100
  ) as told;
  return null;
exception when others then
  -- The client sees the change when it refetches; a comment that fails would be lost.
  raise warning 'A change of comments was not broadcast: %', sqlerrm;
  return null;
end
$$;
comment on function private.broadcast_comments() is
  'Broadcasts the ids of new and deleted comments of a member, and of the threads that they belong to, in the '
  'private channel of their post. Never fails: a comment does not depend on Realtime.';
revoke execute on function private.broadcast_comments() from public, anon, authenticated;

create function public.shown_like_count(comments) returns integer
  language sql stable set search_path = ''
as $$ select greatest(0, $1.like_count + private.waiting_count($1.id, 'comment_likes')) $$;
comment on function public.shown_like_count(comments) is 'A column of comments for reads: like_count and the changes that wait.';
revoke execute on function public.shown_like_count(comments) from public, anon, authenticated;
grant execute on function public.shown_like_count(comments) to authenticated, service_role;

create function public.shown_reply_count(comments) returns integer
  language sql stable set search_path = ''
as $$ select greatest(0, $1.reply_count + private.waiting_count($1.id, 'replies')) $$;
comment on function public.shown_reply_count(comments) is 'A column of comments for reads: reply_count and the changes that wait.';
revoke execute on function public.shown_reply_count(comments) from public, anon, authenticated;
grant execute on function public.shown_reply_count(comments) to authenticated, service_role;

create trigger comments_allow before insert on public.comments
  for each row when (pg_catalog.row_security_active('public.comments')) execute function private.count_quota('comments');
create trigger comments_count_insert after insert on public.comments
  referencing new table as changed for each statement execute function private.count_comments();
create trigger comments_count_delete after delete on public.comments
  referencing old table as changed for each statement execute function private.count_comments();
create trigger comments_notify after insert on public.comments
  referencing new table as changed for each statement execute function private.notify_comment();
create trigger comments_guard_reply before insert on public.comments
  for each row when (new.parent_id is not null) execute function private.guard_reply();
create trigger comments_broadcast after insert on public.comments
  referencing new table as changed for each statement execute function private.broadcast_comments();
create trigger comments_visible before insert on public.comments
  for each row when (not private.is_visible(new.content))
  execute function private.refuse_blank('comments_not_blank');
create trigger comments_visible_change before update of content on public.comments
  for each row when (new.content <> old.content and not private.is_visible(new.content))
  execute function private.refuse_blank('comments_not_blank');
create trigger comments_compose before insert on public.comments
  for each row when (new.content is not nfc normalized)
  execute function private.compose_texts('content');
create trigger comments_compose_change before update of content on public.comments
  for each row when (new.content is distinct from old.content and new.content is not nfc normalized)
  execute function private.compose_texts('content');
create trigger comments_apart after insert on public.comments
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.comments')) execute function private.refuse_apart();
create trigger comments_broadcast_delete after delete on public.comments
  referencing old table as changed
  for each statement when (coalesce(pg_catalog.current_setting('vignette.is_cleaning', true), '') <> 'on')
  execute function private.broadcast_comments();

-- Before the triggers that compose, by their names.
create trigger comments_bound_content before insert or update of content on public.comments
  for each row when (char_length(new.content) > 2000) execute function private.refuse_blank('comments_content_length');

create trigger comment_likes_allow before insert on public.comment_likes
  for each row when (pg_catalog.row_security_active('public.comment_likes')) execute function private.count_quota('likes');
create trigger comment_likes_count_insert after insert on public.comment_likes
  referencing new table as changed for each statement execute function private.count_comment_likes();
create trigger comment_likes_count_delete after delete on public.comment_likes
  referencing old table as changed for each statement execute function private.count_comment_likes();
create trigger comment_likes_notify after insert on public.comment_likes
  referencing new table as changed for each statement execute function private.notify_comment_like();
create trigger comment_likes_notify_delete after delete on public.comment_likes
  referencing old table as changed for each statement execute function private.notify_comment_like();
create trigger comment_likes_apart after insert on public.comment_likes
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.comment_likes')) execute function private.refuse_apart();
create trigger comment_likes_allow_delete before delete on public.comment_likes
  for each statement when (pg_catalog.row_security_active('public.comment_likes')) execute function private.count_quota('removals');

create policy comments_session on public.comments as restrictive for all to authenticated
  using (
    nullif((select private.is_member()), false) is not null
    or user_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
  )
  with check (nullif((select private.is_member()), false) is not null);

-- Members see and can delete their own comments even when they no longer see the post.
create policy comments_select on public.comments for select to authenticated
  using (
    user_id = (select auth.uid())
    or (
      user_id not in (select private.my_hidden_ids())
      and exists (select 1 from public.posts p where p.id = post_id offset 0)
    )
  );
create policy comments_insert on public.comments for insert to authenticated
  with check (
    user_id = (select auth.uid())
    and exists (select 1 from public.posts p where p.id = post_id)
  );
create policy comments_removed on public.comments as restrictive for select to authenticated
  using (
    post_id not in (select private.removed_post_ids())
    and (parent_id is null or parent_id not in (select private.removed_comment_ids()))
  );

create policy comment_likes_session on public.comment_likes as restrictive for all to authenticated
  using (
    nullif((select private.is_member()), false) is not null
    or user_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
  )
  with check (nullif((select private.is_member()), false) is not null);

-- Members see and can delete their own likes even when they no longer see the comment.
create policy comment_likes_select on public.comment_likes for select to authenticated
  using (
    user_id = (select auth.uid())
    or (
      user_id not in (select private.my_hidden_ids())
      -- The policy of comments has asked for the post of everybody else's.
      and exists (
        select 1 from public.comments c
        where c.id = comment_id
          and (c.user_id <> (select auth.uid()) or exists (select 1 from public.posts p where p.id = c.post_id))
        offset 0
      )
    )
  );
create policy comment_likes_insert on public.comment_likes for insert to authenticated
  with check (
    user_id = (select auth.uid())
    and exists (select 1 from public.comments c where c.id = comment_id)
  );
create policy comment_likes_delete on public.comment_likes for delete to authenticated
  using (user_id = (select auth.uid()));
create policy comment_likes_removed on public.comment_likes as restrictive for select to authenticated
  using (comment_id not in (select private.removed_comment_ids()));

set check_function_bodies = on;
