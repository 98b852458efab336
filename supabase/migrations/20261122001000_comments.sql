-- Comments on posts.

create table public.comments (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  post_id uuid not null references public.posts (id) on delete cascade,
  content text not null,
  created_at timestamptz not null default now(),
  constraint comments_not_blank check (content ~ '\S'),
  constraint comments_content_length check (char_length(content) <= 1000)
);
comment on table public.comments is 'Members who see the post see its comments. Comments can be deleted, not edited.';
create index comments_post_idx on public.comments (post_id, created_at, id);
create index comments_user_idx on public.comments (user_id, created_at desc, id desc);
alter table public.comments enable row level security;
revoke all on table public.comments from public, anon, authenticated;
grant all on table public.comments to service_role;
grant select, delete on table public.comments to authenticated;
grant insert (id, post_id, user_id, content) on table public.comments to authenticated;

create trigger comments_allow before insert on public.comments
  for each row when (pg_catalog.row_security_active('public.comments')) execute function private.count_quota('comments');
create trigger comments_serialize before insert or delete on public.comments
  for each statement execute function private.serialize_writes('shared');

create function private.count_comments() returns trigger
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
  return null;
end
$$;
comment on function private.count_comments() is 'Updates posts.comment_count.';
revoke execute on function private.count_comments() from public, anon, authenticated;
create trigger comments_count_insert after insert on public.comments
  referencing new table as changed for each statement execute function private.count_comments();
create trigger comments_count_delete after delete on public.comments
  referencing old table as changed for each statement execute function private.count_comments();

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
  'Notifies a post''s author of a comment; the foreign key deletes the notification with the comment.';
revoke execute on function private.notify_comment() from public, anon, authenticated;
create trigger comments_notify after insert on public.comments
  referencing new table as changed for each statement execute function private.notify_comment();

create policy comments_session on public.comments as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
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
-- The author of a post may delete what others write under it.
create policy comments_delete on public.comments for delete to authenticated
  using (
    user_id = (select auth.uid())
    or exists (select 1 from public.posts p where p.id = post_id and p.user_id = (select auth.uid()))
  );
