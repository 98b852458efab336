-- Replies to comments, and likes of comments: docs/decisions/0049-mentions-and-replies.md. Rights and channels: comment_rights.sql.

alter table public.comments
  add column parent_id uuid references public.comments (id) on delete cascade,
  add column like_count integer not null default 0 check (like_count >= 0),
  add column reply_count integer not null default 0 check (reply_count >= 0);
comment on column public.comments.parent_id is
  'The comment that starts the thread; null for that comment. There is one level: a reply to a reply joins its thread.';
create index comments_parent_idx on public.comments (parent_id, created_at, id);
create index comments_threads_idx on public.comments (post_id, created_at, id) where parent_id is null;
grant insert (parent_id) on table public.comments to authenticated;

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
  'Refuses a reply to a comment that the caller does not see, or of another post; a reply to a reply joins its thread.';
revoke execute on function private.guard_reply() from public, anon, authenticated;
create trigger comments_guard_reply before insert on public.comments
  for each row when (new.parent_id is not null) execute function private.guard_reply();

create or replace function private.count_comments() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.posts p
    where p.id in (select post_id from changed) order by p.id for no key update;
  update public.posts p set comment_count = p.comment_count + step * c.comments
    from (select post_id, count(*)::integer as comments from changed group by post_id) as c
    where p.id = c.post_id;
  perform 1 from public.comments p
    where p.id in (select parent_id from changed) order by p.id for no key update;
  update public.comments p set reply_count = p.reply_count + step * c.replies
    from (select parent_id, count(*)::integer as replies from changed where parent_id is not null group by parent_id) as c
    where p.id = c.parent_id;
  return null;
end
$$;
comment on function private.count_comments() is 'Updates posts.comment_count, which includes replies, and comments.reply_count.';

create table public.comment_likes (
  user_id uuid not null references public.profiles (id) on delete cascade,
  comment_id uuid not null references public.comments (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (comment_id, user_id)
);
comment on table public.comment_likes is 'One per comment and member. Members who see the comment see its likes.';
create index comment_likes_user_idx on public.comment_likes (user_id, created_at desc, comment_id desc);
alter table public.comment_likes enable row level security;
revoke all on table public.comment_likes from public, anon, authenticated;
grant all on table public.comment_likes to service_role;
grant select, delete on table public.comment_likes to authenticated;
grant insert (comment_id, user_id) on table public.comment_likes to authenticated;

create trigger comment_likes_allow before insert on public.comment_likes
  for each row when (pg_catalog.row_security_active('public.comment_likes')) execute function private.count_quota('likes');
create trigger comment_likes_serialize before insert or delete on public.comment_likes
  for each statement execute function private.serialize_writes('shared');

create function private.count_comment_likes() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.comments o
    where o.id in (select comment_id from changed) order by o.id for no key update;
  update public.comments o set like_count = o.like_count + step * c.likes
    from (select comment_id, count(*)::integer as likes from changed group by comment_id) as c
    where o.id = c.comment_id;
  return null;
end
$$;
comment on function private.count_comment_likes() is 'Updates comments.like_count.';
revoke execute on function private.count_comment_likes() from public, anon, authenticated;
create trigger comment_likes_count_insert after insert on public.comment_likes
  referencing new table as changed for each statement execute function private.count_comment_likes();
create trigger comment_likes_count_delete after delete on public.comment_likes
  referencing old table as changed for each statement execute function private.count_comment_likes();

-- Notifications of replies and of likes of comments.

alter table public.notifications
  drop constraint notifications_type_check,
  add constraint notifications_type_check check (
    type in ('like', 'comment', 'mention', 'reply', 'comment_like', 'follow', 'story_view', 'other')
  ),
  drop constraint notifications_subject,
  add constraint notifications_subject check (
    case
      when type = 'like' then post_id is not null
      when type in ('comment', 'reply', 'comment_like') then post_id is not null and comment_id is not null
      when type = 'mention' then num_nonnulls(post_id, story_id) = 1
      when type = 'story_view' then story_id is not null
      when type = 'other' then message is not null
      else true
    end
  );

alter table private.withdrawn_notifications
  drop constraint withdrawn_notifications_kind_check,
  add constraint withdrawn_notifications_kind_check check (kind in ('like', 'comment_like', 'follow', 'follow_request'));
comment on column private.withdrawn_notifications.subject_id is 'The post or comment of a like, else the recipient.';

create or replace function private.add_notifications(events private.notification_event[]) returns void
  language sql security definer set search_path = ''
as $$
  insert into public.notifications (id, user_id, actor_id, type, about, message, post_id, comment_id, read, created_at)
    select
      coalesce(t.notification_id, gen_random_uuid()),
      e.recipient_id,
      e.actor_id,
      case when m.message is null then e.kind else 'other' end,
      case when m.message is not null then e.kind end,
      m.message,
      case e.kind when 'like' then e.subject_id when 'comment_like' then c.post_id end,
      c.id,
      coalesce(t.read, false),
      coalesce(t.notified_at, now())
    from unnest(events) as e
    left join (values
      ('follow_request', 'asked to follow you'),
      ('follow_accepted', 'accepted your request to follow')
    ) as m (kind, message) on m.kind = e.kind
    left join public.comments c on e.kind = 'comment_like' and c.id = e.subject_id
    left join private.withdrawn_notifications t
      on t.actor_id = e.actor_id and t.kind = e.kind and t.subject_id = e.subject_id and t.notified_at > now() - interval '1 day'
    where t.actor_id is null or t.notification_id is not null
    on conflict do nothing
$$;

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
comment on function private.notify_comment_like() is
  'Notifies a comment''s author of a like, at most once a day for the same member.';
revoke execute on function private.notify_comment_like() from public, anon, authenticated;
create trigger comment_likes_notify after insert on public.comment_likes
  referencing new table as changed for each statement execute function private.notify_comment_like();
create trigger comment_likes_notify_delete after delete on public.comment_likes
  referencing old table as changed for each statement execute function private.notify_comment_like();

create or replace function private.notify_comment() returns trigger
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
  'Notifies the author of the comment that a reply answers, the members that a comment mentions, and the post''s author: each '
  'once, of the most specific event. The foreign key deletes the notifications with the comment.';

create or replace function private.on_block() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  pair constant uuid[] := array[new.blocker_id, new.blocked_id];
begin
  delete from public.follows where follower_id = any (pair) and following_id = any (pair);
  delete from public.follow_requests where requester_id = any (pair) and target_id = any (pair);
  delete from public.likes l using public.posts p
    where p.id = l.post_id and l.user_id = any (pair) and p.user_id = any (pair) and p.user_id <> l.user_id;
  delete from public.comment_likes l using public.comments c, public.posts p
    where c.id = l.comment_id and p.id = c.post_id and l.user_id = any (pair)
      and (
        (c.user_id = any (pair) and c.user_id <> l.user_id) or (p.user_id = any (pair) and p.user_id <> l.user_id)
      );
  delete from public.comments c using public.posts p
    where p.id = c.post_id and c.user_id = any (pair) and p.user_id = any (pair) and p.user_id <> c.user_id;
  delete from public.saved_posts s using public.posts p
    where p.id = s.post_id and s.user_id = any (pair) and p.user_id = any (pair) and p.user_id <> s.user_id;
  delete from public.post_tags t using public.posts p
    where p.id = t.post_id and t.tagged_user_id = any (pair) and p.user_id = any (pair)
      and p.user_id <> t.tagged_user_id;
  delete from public.story_views v using public.stories s
    where s.id = v.story_id and v.viewer_id = any (pair) and s.user_id = any (pair);
  delete from public.notifications where user_id = any (pair) and actor_id = any (pair);
  return null;
end
$$;
comment on function private.on_block() is
  'Ends follows and requests between the two members of a new block and deletes what each left on the other''s '
  'posts, comments and stories. Their conversation stays.';
