-- Likes and saved posts.

create table public.likes (
  user_id uuid not null references public.profiles (id) on delete cascade,
  post_id uuid not null references public.posts (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (post_id, user_id)
);
comment on table public.likes is 'One per post and member. Members who see the post see its likes.';
create index likes_post_idx on public.likes (post_id, created_at desc, user_id desc);
create index likes_user_idx on public.likes (user_id, created_at desc, post_id desc);
alter table public.likes enable row level security;
revoke all on table public.likes from public, anon, authenticated;
grant all on table public.likes to service_role;
grant select, delete on table public.likes to authenticated;
grant insert (post_id, user_id) on table public.likes to authenticated;

create trigger likes_allow before insert on public.likes
  for each row when (pg_catalog.row_security_active('public.likes')) execute function private.count_quota('likes');
create trigger likes_serialize before insert or delete on public.likes
  for each statement execute function private.serialize_writes('shared');

create function private.count_likes() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.posts p
    where p.id in (select post_id from changed) order by p.id for no key update;
  update public.posts p set like_count = p.like_count + step * c.likes
    from (select post_id, count(*)::integer as likes from changed group by post_id) as c
    where p.id = c.post_id;
  return null;
end
$$;
comment on function private.count_likes() is 'Updates posts.like_count.';
revoke execute on function private.count_likes() from public, anon, authenticated;
create trigger likes_count_insert after insert on public.likes
  referencing new table as changed for each statement execute function private.count_likes();
create trigger likes_count_delete after delete on public.likes
  referencing old table as changed for each statement execute function private.count_likes();

create function private.notify_like() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(tg_op, array(
    select (c.user_id, p.user_id, 'like', c.post_id, c.created_at)::private.notification_event
    from changed c join public.posts p on p.id = c.post_id
    where p.user_id <> c.user_id
  ));
  return null;
end
$$;
comment on function private.notify_like() is
  'Notifies a post''s author of a like, at most once a day for the same member.';
revoke execute on function private.notify_like() from public, anon, authenticated;
create trigger likes_notify after insert on public.likes
  referencing new table as changed for each statement execute function private.notify_like();
create trigger likes_notify_delete after delete on public.likes
  referencing old table as changed for each statement execute function private.notify_like();

create table public.saved_posts (
  user_id uuid not null references public.profiles (id) on delete cascade,
  post_id uuid not null references public.posts (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, post_id)
);
comment on table public.saved_posts is 'Posts that a member saved. Visible to that member only.';
create index saved_posts_user_idx on public.saved_posts (user_id, created_at desc, post_id desc);
create index saved_posts_post_idx on public.saved_posts (post_id);
alter table public.saved_posts enable row level security;
revoke all on table public.saved_posts from public, anon, authenticated;
grant all on table public.saved_posts to service_role;
grant select, delete on table public.saved_posts to authenticated;
grant insert (post_id, user_id) on table public.saved_posts to authenticated;

create trigger saved_posts_allow before insert on public.saved_posts
  for each row when (pg_catalog.row_security_active('public.saved_posts')) execute function private.count_quota('saved_posts');

create policy likes_session on public.likes as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
-- Members see and can delete their own likes even when they no longer see the post.
create policy likes_select on public.likes for select to authenticated
  using (
    user_id = (select auth.uid())
    or (
      user_id not in (select private.my_hidden_ids())
      and exists (select 1 from public.posts p where p.id = post_id offset 0)
    )
  );
create policy likes_insert on public.likes for insert to authenticated
  with check (
    user_id = (select auth.uid())
    and exists (select 1 from public.posts p where p.id = post_id)
  );
create policy likes_delete on public.likes for delete to authenticated
  using (user_id = (select auth.uid()));

create policy saved_posts_session on public.saved_posts as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
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
