-- Blocks and mutes. What a block hides and removes, and why: docs/decisions/0021-blocking.md.

create table public.blocks (
  blocker_id uuid not null references public.profiles (id) on delete cascade,
  blocked_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  constraint blocks_not_oneself check (blocker_id <> blocked_id)
);
comment on table public.blocks is
  'Visible to the blocker only; hides each of the two members from the other.';
create index blocks_blocked_idx on public.blocks (blocked_id, blocker_id);
alter table public.blocks enable row level security;
revoke all on table public.blocks from public, anon, authenticated;
grant all on table public.blocks to service_role;
grant select, delete on table public.blocks to authenticated;
grant insert (blocker_id, blocked_id) on table public.blocks to authenticated;

create trigger blocks_allow before insert on public.blocks
  for each row when (pg_catalog.row_security_active('public.blocks')) execute function private.count_quota('blocks');
create trigger blocks_serialize before insert on public.blocks
  for each statement execute function private.serialize_writes('exclusive');

create function private.on_block() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  pair constant uuid[] := array[new.blocker_id, new.blocked_id];
begin
  delete from public.follows where follower_id = any (pair) and following_id = any (pair);
  delete from public.follow_requests where requester_id = any (pair) and target_id = any (pair);
  delete from public.likes l using public.posts p
    where p.id = l.post_id and l.user_id = any (pair) and p.user_id = any (pair) and p.user_id <> l.user_id;
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
  'posts and stories. Their conversation stays.';
revoke execute on function private.on_block() from public, anon, authenticated;
create trigger blocks_on_block after insert on public.blocks
  for each row execute function private.on_block();

create function private.blocked_members()
  returns table (id uuid, username text, full_name text, avatar_url text, created_at timestamptz)
  language sql stable security definer set search_path = ''
as $$
  select
    p.id,
    case when theirs.blocker_id is null then p.username else '' end,
    case when theirs.blocker_id is null then p.full_name else '' end,
    case when theirs.blocker_id is null then p.avatar_url end,
    mine.created_at
  from public.blocks mine
  join public.profiles p on p.id = mine.blocked_id
  left join public.blocks theirs on theirs.blocker_id = mine.blocked_id and theirs.blocked_id = mine.blocker_id
  where mine.blocker_id = (select auth.uid()) and (select private.is_member())
  order by mine.created_at desc, p.id
$$;
comment on function private.blocked_members() is
  'Members that the caller has blocked, although the policies hide them; names and picture are empty if the other '
  'has blocked the caller too.';
revoke execute on function private.blocked_members() from public, anon, authenticated;
grant execute on function private.blocked_members() to authenticated, service_role;

create function public.blocked_members()
  returns table (id uuid, username text, full_name text, avatar_url text, created_at timestamptz)
  language sql stable security invoker set search_path = ''
as $$
  select id, username, full_name, avatar_url, created_at from private.blocked_members()
$$;
comment on function public.blocked_members() is
  'Members that the caller has blocked, newest first. Names and picture are empty if the other has blocked the '
  'caller too.';
revoke execute on function public.blocked_members() from public, anon, authenticated;
grant execute on function public.blocked_members() to authenticated, service_role;

create table public.mutes (
  muter_id uuid not null references public.profiles (id) on delete cascade,
  muted_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (muter_id, muted_id),
  constraint mutes_not_oneself check (muter_id <> muted_id)
);
comment on table public.mutes is
  'Members whose posts and stories the muter''s feed and story strip leave out. Visible to the muter only; the client filters.';
create index mutes_muted_idx on public.mutes (muted_id);
alter table public.mutes enable row level security;
revoke all on table public.mutes from public, anon, authenticated;
grant all on table public.mutes to service_role;
grant select, delete on table public.mutes to authenticated;
grant insert (muter_id, muted_id) on table public.mutes to authenticated;

create trigger mutes_allow before insert on public.mutes
  for each row when (pg_catalog.row_security_active('public.mutes')) execute function private.count_quota('mutes');

create function public.muted_members()
  returns table (id uuid, username text, full_name text, avatar_url text, created_at timestamptz)
  language sql stable security invoker set search_path = ''
as $$
  select p.id, p.username, p.full_name, p.avatar_url, m.created_at
  from public.mutes m
  join public.profiles p on p.id = m.muted_id
  order by m.created_at desc, p.id
$$;
comment on function public.muted_members() is 'Members that the caller has muted, newest first.';
revoke execute on function public.muted_members() from public, anon, authenticated;
grant execute on function public.muted_members() to authenticated, service_role;

-- Writing to a hidden member fails in the same way as writing to a member who does not exist, so that a refusal does not
-- tell a block from a deleted account. Members who share a conversation already know that the other account exists, and
-- may block it even while it is hidden.
create policy blocks_session on public.blocks as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy blocks_select on public.blocks for select to authenticated
  using (blocker_id = (select auth.uid()));
create policy blocks_insert on public.blocks for insert to authenticated
  with check (
    blocker_id = (select auth.uid())
    and (
      exists (select 1 from public.profiles p where p.id = blocked_id)
      or exists (select 1 from public.conversations c where blocked_id in (c.participant_1, c.participant_2))
    )
  );
create policy blocks_delete on public.blocks for delete to authenticated
  using (blocker_id = (select auth.uid()));

create policy mutes_session on public.mutes as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy mutes_select on public.mutes for select to authenticated
  using (muter_id = (select auth.uid()) and muted_id not in (select private.my_hidden_ids()));
create policy mutes_insert on public.mutes for insert to authenticated
  with check (
    muter_id = (select auth.uid()) and exists (select 1 from public.profiles p where p.id = muted_id)
  );
create policy mutes_delete on public.mutes for delete to authenticated
  using (muter_id = (select auth.uid()));
