-- Comments, oldest first.

create table public.comments (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  post_id uuid not null references public.posts (id) on delete cascade,
  content text not null,
  created_at timestamptz not null default now(),
  constraint comments_not_blank check (content ~ '\S'),
  constraint comments_content_length check (char_length(content) <= 1000)
);
comment on table public.comments is 'Whoever sees the post sees its comments. They are not edited, only deleted.';
create index comments_post_idx on public.comments (post_id, created_at, id);
create index comments_user_idx on public.comments (user_id);

alter table public.comments enable row level security;
revoke all on table public.comments from public, anon, authenticated;
grant select, delete on table public.comments to authenticated;
grant insert (id, post_id, user_id, content) on table public.comments to authenticated;
grant all on table public.comments to service_role;

create policy comments_select on public.comments for select to authenticated
  using (exists (select 1 from public.posts p where p.id = post_id offset 0));
create policy comments_insert on public.comments for insert to authenticated
  with check (
    user_id = (select auth.uid())
    and exists (select 1 from public.posts p where p.id = post_id)
  );
-- The post's author may take down what others write under it.
create policy comments_delete on public.comments for delete to authenticated
  using (
    user_id = (select auth.uid())
    or exists (select 1 from public.posts p where p.id = post_id and p.user_id = (select auth.uid()))
  );

create trigger comments_take_turns before insert or delete on public.comments
  for each statement execute function private.take_turns('shared');

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
comment on function private.count_comments() is 'Keeps posts.comment_count.';
revoke execute on function private.count_comments() from public, anon, authenticated;
create trigger comments_count_insert after insert on public.comments
  referencing new table as changed for each statement execute function private.count_comments();
create trigger comments_count_delete after delete on public.comments
  referencing old table as changed for each statement execute function private.count_comments();
