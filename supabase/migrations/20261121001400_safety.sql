-- Blocking, muting, reporting. What blocking hides and ends, and why so, is in docs/decisions/0021-blocking.md.

create table public.blocks (
  blocker_id uuid not null references public.profiles (id) on delete cascade,
  blocked_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  constraint blocks_not_oneself check (blocker_id <> blocked_id)
);
comment on table public.blocks is
  'Who has blocked whom. Known to the blocker alone; hides each of the two from the other.';
create index blocks_blocked_idx on public.blocks (blocked_id, blocker_id);

create table public.mutes (
  muter_id uuid not null references public.profiles (id) on delete cascade,
  muted_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (muter_id, muted_id),
  constraint mutes_not_oneself check (muter_id <> muted_id)
);
comment on table public.mutes is
  'Whose posts and stories a member leaves out of their own feed and strip. Known to the muter alone; hides nothing by '
  'itself.';
create index mutes_muted_idx on public.mutes (muted_id);

create table public.reports (
  id uuid primary key default gen_random_uuid(),
  reporter_id uuid not null references public.profiles (id) on delete cascade,
  member_id uuid not null references public.profiles (id) on delete cascade,
  post_id uuid references public.posts (id) on delete set null,
  reason text not null check (
    reason in ('spam', 'nudity', 'hate', 'violence', 'harassment', 'misinformation', 'other')
  ),
  details text,
  -- Set by reports_complete: what the post said when it was reported, whatever becomes of it.
  post_content text,
  created_at timestamptz not null default now(),
  constraint reports_not_oneself check (reporter_id <> member_id),
  constraint reports_details_length check (char_length(details) <= 500)
);
comment on table public.reports is
  'Members and posts that were reported. Clients only insert; the owner reads private.reports_overview.';
create index reports_reporter_idx on public.reports (reporter_id);
create index reports_member_idx on public.reports (member_id, created_at desc);
create index reports_post_idx on public.reports (post_id);

alter table public.blocks enable row level security;
revoke all on table public.blocks from public, anon, authenticated;
grant select, delete on table public.blocks to authenticated;
grant insert (blocker_id, blocked_id) on table public.blocks to authenticated;
grant all on table public.blocks to service_role;

alter table public.mutes enable row level security;
revoke all on table public.mutes from public, anon, authenticated;
grant select, delete on table public.mutes to authenticated;
grant insert (muter_id, muted_id) on table public.mutes to authenticated;
grant all on table public.mutes to service_role;

alter table public.reports enable row level security;
revoke all on table public.reports from public, anon, authenticated;
grant insert (id, reporter_id, member_id, post_id, reason, details) on table public.reports to authenticated;
grant all on table public.reports to service_role;

-- Few rows for little: the planner adds what the set costs to every look-up of a row whose policy asks for it, though
-- it is made once, and would rather read all profiles than look up those of a page.
create function private.my_hidden_ids() returns setof uuid
  language sql stable security definer cost 1 rows 10 set search_path = ''
as $$
  select blocked_id from public.blocks where blocker_id = (select auth.uid())
  union all
  select blocker_id from public.blocks where blocked_id = (select auth.uid())
$$;
comment on function private.my_hidden_ids() is
  'Members whom the caller has blocked or who have blocked the caller. A set, hashed once per statement; never '
  'handed out, since it would tell the blocked who blocked them.';
revoke execute on function private.my_hidden_ids() from public, anon, authenticated;
grant execute on function private.my_hidden_ids() to authenticated, service_role;

-- What a client does to a member whom it does not see ends as if there were no such member, so that a refusal never
-- tells a block from a deleted account. Whoever writes with the other already knows that the account is there, and may
-- block or report it even while it is hidden.
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

create policy mutes_select on public.mutes for select to authenticated
  using (muter_id = (select auth.uid()) and muted_id not in (select private.my_hidden_ids()));
create policy mutes_insert on public.mutes for insert to authenticated
  with check (
    muter_id = (select auth.uid()) and exists (select 1 from public.profiles p where p.id = muted_id)
  );
create policy mutes_delete on public.mutes for delete to authenticated
  using (muter_id = (select auth.uid()));

create policy reports_insert on public.reports for insert to authenticated
  with check (
    reporter_id = (select auth.uid())
    and (
      exists (select 1 from public.profiles p where p.id = member_id)
      or exists (select 1 from public.blocks b where b.blocked_id = member_id)
      or exists (select 1 from public.conversations c where member_id in (c.participant_1, c.participant_2))
    )
    and (
      post_id is null
      or exists (select 1 from public.posts p where p.id = post_id and p.user_id = member_id)
    )
  );

create function private.complete_report() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.details := nullif(btrim(new.details), '');
  select p.content into new.post_content from public.posts p where p.id = new.post_id;
  return new;
end
$$;
comment on function private.complete_report() is
  'Keeps what a reported post says, as its reporter sees it; details that are blank are none.';
revoke execute on function private.complete_report() from public, anon, authenticated;
create trigger reports_complete before insert on public.reports
  for each row execute function private.complete_report();

create view private.reports_overview with (security_invoker = true) as
  select
    r.created_at,
    r.reason,
    r.details,
    m.username as member,
    count(*) over (partition by r.member_id) as reports_of_member,
    r.post_id,
    r.post_content,
    b.username as reported_by,
    r.member_id,
    r.reporter_id,
    r.id
  from public.reports r
  join public.profiles m on m.id = r.member_id
  join public.profiles b on b.id = r.reporter_id
  order by r.created_at desc, r.id;
comment on view private.reports_overview is
  'All reports, newest first, for the owner of the project: select * from private.reports_overview in the SQL editor.';
revoke all on table private.reports_overview from public, anon, authenticated;

-- Blocking ends what joins the two, in the same transaction.

create trigger blocks_take_turns before insert on public.blocks
  for each statement execute function private.take_turns('exclusive');

create function private.part_blocked() returns trigger
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
comment on function private.part_blocked() is
  'Ends follows and requests between the two of a new block and removes what each left on the other''s posts and '
  'stories. Their conversation stays.';
revoke execute on function private.part_blocked() from public, anon, authenticated;
create trigger blocks_part after insert on public.blocks
  for each row execute function private.part_blocked();

-- Who is hidden is hidden first of all as a profile; follows and tags follow, since their policies ask for profiles.
alter policy profiles_select on public.profiles
  using (
    id = (select auth.uid())
    or ((select private.is_member()) and id not in (select private.my_hidden_ids()))
  );

alter policy posts_select on public.posts
  using (
    (select private.is_member())
    and (
      user_id = (select auth.uid())
      or (
        (audience = 'public' or user_id in (select private.my_following_ids()))
        and user_id not in (select private.my_hidden_ids())
      )
    )
  );

alter policy likes_select on public.likes
  using (
    user_id not in (select private.my_hidden_ids())
    and exists (select 1 from public.posts p where p.id = post_id offset 0)
  );

alter policy comments_select on public.comments
  using (
    user_id not in (select private.my_hidden_ids())
    and exists (select 1 from public.posts p where p.id = post_id offset 0)
  );

alter policy stories_select on public.stories
  using (
    (select private.is_member())
    and (
      (user_id = (select auth.uid()) and expires_at > now() - interval '7 days')
      or (
        expires_at > now()
        and (audience = 'public' or user_id in (select private.my_following_ids()))
        and user_id not in (select private.my_hidden_ids())
      )
    )
  );

alter policy story_views_select on public.story_views
  using (
    viewer_id = (select auth.uid())
    or (
      viewer_id not in (select private.my_hidden_ids())
      and exists (
        select 1 from public.stories s where s.id = story_id and s.user_id = (select auth.uid()) offset 0
      )
    )
  );

alter policy notifications_select on public.notifications
  using (user_id = (select auth.uid()) and actor_id not in (select private.my_hidden_ids()));

-- The triggers below ask for profiles as the caller sees them. Unlike a policy, they ask after the statement has had
-- its turn, and so know of a block that was made while it waited.

create or replace function private.guard_follow() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  -- Whom row security binds is a client; accept_follow_request and going public come here as the tables' owner.
  if not pg_catalog.row_security_active('public.follows') then
    return new;
  end if;
  if not exists (select 1 from public.profiles where id = new.following_id) then
    raise sqlstate 'PT404' using message = 'There is no such account.';
  end if;
  if exists (select 1 from public.profiles where id = new.following_id and is_private) then
    raise sqlstate 'PT403' using
      message = 'This account is private.',
      hint = 'Insert into follow_requests and wait until it is accepted.';
  end if;
  return new;
end
$$;
comment on function private.guard_follow() is
  'Refuses to follow a private account without its consent, and one that the caller does not see.';

create or replace function private.guard_follow_request() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if pg_catalog.row_security_active('public.follow_requests')
    and not exists (select 1 from public.profiles where id = new.target_id)
  then
    raise sqlstate 'PT404' using message = 'There is no such account.';
  end if;
  if exists (select 1 from public.profiles where id = new.target_id and not is_private) then
    raise sqlstate 'PT409' using
      message = 'This account is public.',
      hint = 'Insert into follows; nobody would answer the request.';
  end if;
  if exists (
    select 1 from public.follows where follower_id = new.requester_id and following_id = new.target_id
  ) then
    raise sqlstate 'PT409' using message = 'You already follow this account.';
  end if;
  return new;
end
$$;
comment on function private.guard_follow_request() is
  'Refuses requests that nobody would ever answer, and those to an account that the caller does not see.';

create function private.guard_conversation() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if pg_catalog.row_security_active('public.conversations') and not (
    exists (select 1 from public.profiles where id = new.participant_1)
    and exists (select 1 from public.profiles where id = new.participant_2)
  ) then
    raise sqlstate 'PT403' using message = 'You cannot write to this member.';
  end if;
  return new;
end
$$;
comment on function private.guard_conversation() is 'Refuses a conversation with a member whom the caller does not see.';
revoke execute on function private.guard_conversation() from public, anon, authenticated;
create trigger conversations_guard before insert on public.conversations
  for each row execute function private.guard_conversation();

create function private.refuse_hidden_recipient() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if pg_catalog.row_security_active('public.messages')
    and not exists (select 1 from public.profiles where id = new.recipient_id)
    -- Sent once more, since its answer was lost: it is there already, and 23505 tells so.
    and not exists (select 1 from public.messages where id = new.id and sender_id = new.sender_id)
  then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  end if;
  return new;
end
$$;
comment on function private.refuse_hidden_recipient() is
  'Closes the conversation of two of whom one has blocked the other: what was written stays, nothing is added.';
revoke execute on function private.refuse_hidden_recipient() from public, anon, authenticated;
-- Triggers fire in the order of their names: messages_address, which sets recipient_id, goes before.
create trigger messages_refuse_hidden before insert on public.messages
  for each row execute function private.refuse_hidden_recipient();

-- Functions that see past row security leave out the hidden by themselves.

create or replace function private.tag_mentioned() returns trigger
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

create or replace function private.my_correspondent_ids() returns setof uuid
  language sql stable security definer set search_path = ''
as $$
  select p.id
  from public.profiles p
  where p.show_activity_status
    and p.id in (
      select participant_2 from public.conversations where participant_1 = (select auth.uid())
      union all
      select participant_1 from public.conversations where participant_2 = (select auth.uid())
    )
    and p.id not in (select private.my_hidden_ids())
$$;
comment on function private.my_correspondent_ids() is
  'Members in a conversation with the caller, not hidden from them, who let others see when they were last active.';

create or replace function private.my_conversation_topics() returns setof text
  language sql stable security definer set search_path = ''
as $$
  select 'conversation:' || id from public.conversations
    where participant_1 = (select auth.uid()) and participant_2 not in (select private.my_hidden_ids())
  union all
  select 'conversation:' || id from public.conversations
    where participant_2 = (select auth.uid()) and participant_1 not in (select private.my_hidden_ids())
$$;
comment on function private.my_conversation_topics() is
  'Private channels the caller may join: conversation:<id> for each of their conversations that is not closed.';

create or replace function private.search_profiles(query text)
  returns table (id uuid, username text, full_name text, avatar_url text)
  language plpgsql stable security definer
  set search_path = '' set plan_cache_mode = 'force_custom_plan' set jit = off
as $$
declare
  most constant integer := 10;
  left_out constant uuid[] := array(select private.my_hidden_ids()) || (select auth.uid());
  wanted constant text := regexp_replace(lower(btrim(query)), '([\\%_])', '\\\1', 'g');
  found_ids uuid[];
begin
  if wanted = '' or wanted is null or not private.is_member() then
    return;
  end if;
  found_ids := array(
    select p.id from public.profiles p
    where p.username collate "C" like wanted || '%' and p.id <> all (left_out)
    order by p.username collate "C" limit most
  );
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where lower(p.full_name) collate "C" like wanted || '%' and p.id <> all (left_out || found_ids)
      order by lower(p.full_name) collate "C" limit most - cardinality(found_ids)
    );
  end if;
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where (p.username like '%' || wanted || '%' or lower(p.full_name) like '%' || wanted || '%')
        and p.id <> all (left_out || found_ids)
      limit most - cardinality(found_ids)
    );
  end if;
  return query
    select p.id, p.username, p.full_name, p.avatar_url
    from unnest(found_ids) with ordinality as hits (id, place)
    join public.profiles p on p.id = hits.id
    order by hits.place;
end
$$;
comment on function public.search_profiles(text) is
  'At most ten members, never the caller or who is hidden from them, whose username or full name contains the query, '
  'in any case; % _ and \ are taken literally.';

-- The lists in settings.

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
  where mine.blocker_id = (select auth.uid())
  order by mine.created_at desc, p.id
$$;
comment on function private.blocked_members() is
  'Whom the caller has blocked, past the policy that hides them; who has blocked the caller as well stays nameless.';
revoke execute on function private.blocked_members() from public, anon, authenticated;
grant execute on function private.blocked_members() to authenticated, service_role;

create function public.blocked_members()
  returns table (id uuid, username text, full_name text, avatar_url text, created_at timestamptz)
  language sql stable security invoker set search_path = ''
as $$
  select id, username, full_name, avatar_url, created_at from private.blocked_members()
$$;
comment on function public.blocked_members() is
  'Whom the caller has blocked, newest first. Names and picture are empty where the other has blocked the caller too.';
revoke execute on function public.blocked_members() from public, anon, authenticated;
grant execute on function public.blocked_members() to authenticated, service_role;

create function public.muted_members()
  returns table (id uuid, username text, full_name text, avatar_url text, created_at timestamptz)
  language sql stable security invoker set search_path = ''
as $$
  select p.id, p.username, p.full_name, p.avatar_url, m.created_at
  from public.mutes m
  join public.profiles p on p.id = m.muted_id
  order by m.created_at desc, p.id
$$;
comment on function public.muted_members() is 'Whom the caller has muted, newest first.';
revoke execute on function public.muted_members() from public, anon, authenticated;
grant execute on function public.muted_members() to authenticated, service_role;
