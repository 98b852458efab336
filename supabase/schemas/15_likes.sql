-- Likes of posts.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table public.likes (
  user_id uuid not null,
  post_id uuid not null,
  created_at timestamptz not null default now(),
  constraint likes_pkey primary key (post_id, user_id),
  constraint likes_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade,
  constraint likes_post_id_fkey foreign key (post_id) references public.posts (id) on delete cascade
);
comment on table public.likes is 'One per post and member. Members who see the post see its likes.';
create index likes_post_idx on public.likes (post_id, created_at desc, user_id desc);
create index likes_user_idx on public.likes (user_id, created_at desc, post_id desc);
alter table public.likes enable row level security;
revoke all on table public.likes from public, anon, authenticated;
grant select, delete, insert (user_id, post_id) on table public.likes to authenticated;
grant all on table public.likes to service_role;

create function private.count_likes() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform private.count_on_posts(array(
    select (c.post_id, 'likes', step * count(*))::private.count_change from changed c group by c.post_id
  ));
  return null;
end
$$;
comment on function private.count_likes() is 'Updates posts.like_count.';
revoke execute on function private.count_likes() from public, anon, authenticated;

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
comment on function private.notify_like() is 'Notifies a post''s author of a like, at most once a day for the same member.';
revoke execute on function private.notify_like() from public, anon, authenticated;

create function private.broadcast_own_likes() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.announce('likes', tg_op, told.user_id, told.ids)
    from (
      select c.user_id, (array_agg(c.post_id order by c.created_at desc, c.post_id))[1:100] as ids
      from changed c
      -- Not for likes that are deleted with their post or member.
      join public.posts p on p.id = c.post_id
      join public.profiles m on m.id = c.user_id
      group by c.user_id
      limit 100
    ) as told;
  return null;
end
$$;
comment on function private.broadcast_own_likes() is 'Broadcasts the ids of posts that a member liked, or no longer likes, to their other devices.';
revoke execute on function private.broadcast_own_likes() from public, anon, authenticated;

create trigger likes_allow before insert on public.likes
  for each row when (pg_catalog.row_security_active('public.likes')) execute function private.count_quota('likes');
create trigger likes_count_insert after insert on public.likes
  referencing new table as changed for each statement execute function private.count_likes();
create trigger likes_count_delete after delete on public.likes
  referencing old table as changed for each statement execute function private.count_likes();
create trigger likes_notify after insert on public.likes
  referencing new table as changed for each statement execute function private.notify_like();
create trigger likes_notify_delete after delete on public.likes
  referencing old table as changed for each statement execute function private.notify_like();
create trigger likes_broadcast after insert on public.likes
  referencing new table as changed for each statement execute function private.broadcast_own_likes();
create trigger likes_apart after insert on public.likes
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.likes')) execute function private.refuse_apart();
create trigger likes_allow_delete before delete on public.likes
  for each statement when (pg_catalog.row_security_active('public.likes')) execute function private.count_quota('removals');
create trigger likes_broadcast_delete after delete on public.likes
  referencing old table as changed
  for each statement when (coalesce(pg_catalog.current_setting('vignette.is_cleaning', true), '') <> 'on')
  execute function private.broadcast_own_likes();

create policy likes_session on public.likes as restrictive for all to authenticated
  using (
    nullif((select private.is_member()), false) is not null
    or user_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
  )
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
create policy likes_removed on public.likes as restrictive for select to authenticated
  using (post_id not in (select private.removed_post_ids()));

set check_function_bodies = on;
