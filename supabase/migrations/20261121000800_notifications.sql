-- Notifications: made here and nowhere else, in the transaction of what they tell of.

create table public.notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  actor_id uuid not null references public.profiles (id) on delete cascade,
  type text not null check (type in ('like', 'comment', 'follow', 'story_view', 'other')),
  post_id uuid references public.posts (id) on delete cascade,
  comment_id uuid references public.comments (id) on delete cascade,
  story_id uuid references public.stories (id) on delete cascade,
  message text,
  read boolean not null default false,
  created_at timestamptz not null default now(),
  constraint notifications_not_oneself check (user_id <> actor_id),
  constraint notifications_subject check (
    case type
      when 'like' then post_id is not null
      when 'comment' then post_id is not null and comment_id is not null
      when 'story_view' then story_id is not null
      when 'other' then message is not null
      else true
    end
  )
);
comment on table public.notifications is
  'What happened to a member. `other` says it in message; so far that is a request to follow.';
create index notifications_user_idx on public.notifications (user_id, created_at desc, id desc);
create index notifications_unread_idx on public.notifications (user_id) where not read;
create index notifications_actor_idx on public.notifications (actor_id);
create index notifications_post_idx on public.notifications (post_id);
create index notifications_story_idx on public.notifications (story_id);
create unique index notifications_comment_key on public.notifications (comment_id);
create unique index notifications_like_key on public.notifications (post_id, actor_id) where type = 'like';
create unique index notifications_follow_key on public.notifications (user_id, actor_id) where type = 'follow';
create unique index notifications_view_key on public.notifications (story_id, actor_id) where type = 'story_view';

alter table public.notifications enable row level security;
revoke all on table public.notifications from public, anon, authenticated;
grant select, delete on table public.notifications to authenticated;
grant update (read) on table public.notifications to authenticated;
grant all on table public.notifications to service_role;

create policy notifications_select on public.notifications for select to authenticated
  using (user_id = (select auth.uid()));
create policy notifications_update on public.notifications for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy notifications_delete on public.notifications for delete to authenticated
  using (user_id = (select auth.uid()));

create function private.notify_like() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, actor_id, type, post_id)
    select p.user_id, c.user_id, 'like', c.post_id
    from changed c join public.posts p on p.id = c.post_id
    where p.user_id <> c.user_id
    on conflict do nothing;
  return null;
end
$$;
comment on function private.notify_like() is 'Tells a post''s author who liked it.';

create function private.forget_like() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notifications n using changed c
    where n.type = 'like' and n.post_id = c.post_id and n.actor_id = c.user_id;
  return null;
end
$$;
comment on function private.forget_like() is 'A like taken back takes its notification with it.';

create function private.notify_comment() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, actor_id, type, post_id, comment_id)
    select p.user_id, c.user_id, 'comment', c.post_id, c.id
    from changed c join public.posts p on p.id = c.post_id
    where p.user_id <> c.user_id;
  return null;
end
$$;
comment on function private.notify_comment() is
  'Tells a post''s author of a comment; the notification goes with its comment by foreign key.';

create function private.notify_follow() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, actor_id, type)
    select c.following_id, c.follower_id, 'follow' from changed c
    on conflict do nothing;
  return null;
end
$$;
comment on function private.notify_follow() is 'Tells a member who follows them now.';

create function private.forget_follow() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notifications n using changed c
    where n.type = 'follow' and n.user_id = c.following_id and n.actor_id = c.follower_id;
  return null;
end
$$;
comment on function private.forget_follow() is 'A follow taken back takes its notification with it.';

create function private.notify_follow_request() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, actor_id, type, message)
    select c.target_id, c.requester_id, 'other', 'asked to follow you' from changed c;
  return null;
end
$$;
comment on function private.notify_follow_request() is 'Tells a private account who asks to follow it.';

create function private.forget_follow_request() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notifications n using changed c
    where n.type = 'other' and n.user_id = c.target_id and n.actor_id = c.requester_id
      and n.message = 'asked to follow you';
  return null;
end
$$;
comment on function private.forget_follow_request() is
  'A request that is withdrawn or answered takes its notification with it.';

create function private.notify_story_view() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, actor_id, type, story_id)
    select s.user_id, c.viewer_id, 'story_view', c.story_id
    from changed c join public.stories s on s.id = c.story_id
    where s.user_id <> c.viewer_id
    on conflict do nothing;
  return null;
end
$$;
comment on function private.notify_story_view() is 'Tells a story''s owner who has seen it.';

revoke execute on function
  private.notify_like(), private.forget_like(), private.notify_comment(), private.notify_follow(),
  private.forget_follow(), private.notify_follow_request(), private.forget_follow_request(),
  private.notify_story_view()
  from public, anon, authenticated;

create trigger likes_notify after insert on public.likes
  referencing new table as changed for each statement execute function private.notify_like();
create trigger likes_forget after delete on public.likes
  referencing old table as changed for each statement execute function private.forget_like();
create trigger comments_notify after insert on public.comments
  referencing new table as changed for each statement execute function private.notify_comment();
create trigger follows_notify after insert on public.follows
  referencing new table as changed for each statement execute function private.notify_follow();
create trigger follows_forget after delete on public.follows
  referencing old table as changed for each statement execute function private.forget_follow();
create trigger follow_requests_notify after insert on public.follow_requests
  referencing new table as changed for each statement execute function private.notify_follow_request();
create trigger follow_requests_forget after delete on public.follow_requests
  referencing old table as changed for each statement execute function private.forget_follow_request();
create trigger story_views_notify after insert on public.story_views
  referencing new table as changed for each statement execute function private.notify_story_view();

create function public.unread_notifications() returns integer
  language sql stable security invoker set search_path = ''
as $$
  select count(*)::integer
  from (
    select 1 from public.notifications where user_id = (select auth.uid()) and not read limit 10
  ) as unread
$$;
comment on function public.unread_notifications() is
  'Unread notifications of the caller, 0 to 10: the badge says 9+ above nine, so ten rows are all it reads.';
revoke execute on function public.unread_notifications() from public, anon, authenticated;
grant execute on function public.unread_notifications() to authenticated, service_role;
