-- Blocks, mutes and reports.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table public.blocks (
  blocker_id uuid not null,
  blocked_id uuid not null,
  created_at timestamptz not null default now(),
  constraint blocks_not_oneself check (blocker_id <> blocked_id),
  constraint blocks_pkey primary key (blocker_id, blocked_id),
  constraint blocks_blocker_id_fkey foreign key (blocker_id) references public.profiles (id) on delete cascade,
  constraint blocks_blocked_id_fkey foreign key (blocked_id) references public.profiles (id) on delete cascade
);
comment on table public.blocks is 'Visible to the blocker only; hides each of the two members from the other.';
create index blocks_blocked_idx on public.blocks (blocked_id, blocker_id);
alter table public.blocks enable row level security;
revoke all on table public.blocks from public, anon, authenticated;
grant select, delete on table public.blocks to authenticated;
grant all on table public.blocks to service_role;

create table public.mutes (
  muter_id uuid not null,
  muted_id uuid not null,
  created_at timestamptz not null default now(),
  constraint mutes_not_oneself check (muter_id <> muted_id),
  constraint mutes_pkey primary key (muter_id, muted_id),
  constraint mutes_muter_id_fkey foreign key (muter_id) references public.profiles (id) on delete cascade,
  constraint mutes_muted_id_fkey foreign key (muted_id) references public.profiles (id) on delete cascade
);
comment on table public.mutes is
  'Members whose posts and stories the muter''s feed and story strip leave out. Visible to the muter only; the '
  'client filters.';
create index mutes_muted_idx on public.mutes (muted_id);
alter table public.mutes enable row level security;
revoke all on table public.mutes from public, anon, authenticated;
grant select, delete, insert (muter_id, muted_id) on table public.mutes to authenticated;
grant all on table public.mutes to service_role;

create table public.reports (
  id uuid not null default private.new_id(),
  reporter_id uuid not null,
  member_id uuid not null,
  post_id uuid,
  reason text not null,
  details text,
  -- Set by reports_complete: what the post said when it was reported, even if it is edited or deleted later.
  post_content text,
  created_at timestamptz not null default now(),
  constraint reports_reason_check check (reason in ('spam', 'nudity', 'hate', 'violence', 'harassment', 'misinformation', 'other')),
  constraint reports_not_oneself check (reporter_id <> member_id),
  constraint reports_details_length check (char_length(details) <= 500),
  constraint reports_pkey primary key (id),
  constraint reports_reporter_id_fkey foreign key (reporter_id) references public.profiles (id) on delete cascade,
  constraint reports_member_id_fkey foreign key (member_id) references public.profiles (id) on delete cascade,
  constraint reports_post_id_fkey foreign key (post_id) references public.posts (id) on delete set null
);
comment on table public.reports is 'Reported members and posts. Clients only insert; the operator reads private.reports_overview.';
create index reports_reporter_idx on public.reports (reporter_id);
create index reports_member_idx on public.reports (member_id, created_at desc);
create index reports_post_idx on public.reports (post_id) where (post_id is not null);
alter table public.reports enable row level security;
revoke all on table public.reports from public, anon, authenticated;
grant insert (id, reporter_id, member_id, post_id, reason, details) on table public.reports to authenticated;
grant all on table public.reports to service_role;

create table private.unfinished_blocks (
  blocker_id uuid not null,
  blocked_id uuid not null,
  constraint unfinished_blocks_pkey primary key (blocker_id, blocked_id),
  constraint unfinished_blocks_blocker_id_fkey foreign key (blocker_id) references public.profiles (id) on delete cascade,
  constraint unfinished_blocks_blocked_id_fkey foreign key (blocked_id) references public.profiles (id) on delete cascade
);
comment on table private.unfinished_blocks is
  'Blocks that hide the two members from each other, while what they left with each other is still there, '
  'because others held it. The cleanup removes it.';
create index unfinished_blocks_blocked_idx on private.unfinished_blocks (blocked_id);
alter table private.unfinished_blocks enable row level security;
revoke all on table private.unfinished_blocks from public, anon, authenticated;
grant all on table private.unfinished_blocks to service_role;

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
  'All reports, newest first, for the operator: select * from private.reports_overview in the SQL editor.';
revoke all on table private.reports_overview from public, anon, authenticated;

create function private.on_block() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  pair constant uuid[] := array[new.blocker_id, new.blocked_id];
  is_alone constant boolean := pg_catalog.pg_try_advisory_xact_lock(private.pair_key(new.blocker_id, new.blocked_id));
  is_closed constant boolean := private.close_room(new.blocker_id, new.blocked_id);
begin
  for attempt in 1..5 loop
    -- Of many blocks in one statement, which ends after three seconds.
    exit when clock_timestamp() > statement_timestamp() + interval '2 seconds';
    if private.weigh_traces(pair, 200) >= 200 then
      perform private.part_some(pair, 500);
      exit;
    elsif private.part(new.blocker_id, new.blocked_id) then
      exit when not is_alone or not is_closed;
      return null;
    end if;
    perform pg_catalog.pg_sleep(0.02 + 0.08 * random());
  end loop;
  insert into private.unfinished_blocks (blocker_id, blocked_id) values (new.blocker_id, new.blocked_id) on conflict do nothing;
  return null;
end
$$;
comment on function private.on_block() is
  'Separates the two members of a new block. What is 200 rows or more, what others hold, and what the two are '
  'still writing is left to batches: a block never fails because of it.';
revoke execute on function private.on_block() from public, anon, authenticated;

create function private.complete_report() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.details := case when private.is_visible(new.details) then btrim(new.details) end;
  select p.content into new.post_content from public.posts p where p.id = new.post_id;
  return new;
end
$$;
comment on function private.complete_report() is 'Stores the text of a reported post as its reporter sees it; blank details become null.';
revoke execute on function private.complete_report() from public, anon, authenticated;

create function private.blocked_members(

) returns table (
  id uuid,
  username text,
  full_name text,
  avatar_url text,
  avatar_path text,
  created_at timestamptz
)
  language sql stable security definer set search_path = ''
as $$
  select
    p.id,
    case when theirs.blocker_id is null then p.username else '' end,
    case when theirs.blocker_id is null then p.full_name else '' end,
    case when theirs.blocker_id is null then p.avatar_url end,
    case when theirs.blocker_id is null then p.avatar_path end,
    mine.created_at
  from public.blocks mine
  join public.profiles p on p.id = mine.blocked_id
  left join public.blocks theirs on theirs.blocker_id = mine.blocked_id and theirs.blocked_id = mine.blocker_id
  where mine.blocker_id = (select auth.uid()) and (select private.is_member())
    and p.id not in (select private.removed_member_ids())
  order by mine.created_at desc, p.id
$$;
comment on function private.blocked_members() is
  'Members that the caller has blocked, although the policies hide them; names and picture are empty if the '
  'other has blocked the caller too.';
revoke execute on function private.blocked_members() from public, anon, authenticated;
grant execute on function private.blocked_members() to authenticated, service_role;

create function public.blocked_members(

) returns table (
  id uuid,
  username text,
  full_name text,
  avatar_url text,
  avatar_path text,
  created_at timestamptz
)
  language sql stable set search_path = ''
as $$
  select id, username, full_name, avatar_url, avatar_path, created_at from private.blocked_members()
$$;
comment on function public.blocked_members() is
  'Members that the caller has blocked, newest first. Names and picture are empty if the other has blocked the '
  'caller too.';
revoke execute on function public.blocked_members() from public, anon, authenticated;
grant execute on function public.blocked_members() to authenticated, service_role;

create function public.muted_members(

) returns table (
  id uuid,
  username text,
  full_name text,
  avatar_url text,
  avatar_path text,
  created_at timestamptz
)
  language sql stable set search_path = ''
as $$
  select p.id, p.username, p.full_name, p.avatar_url, p.avatar_path, m.created_at
  from public.mutes m
  join public.profiles p on p.id = m.muted_id
  order by m.created_at desc, p.id
$$;
comment on function public.muted_members() is 'Members that the caller has muted, newest first.';
revoke execute on function public.muted_members() from public, anon, authenticated;
grant execute on function public.muted_members() to authenticated, service_role;

create function private.drop_blocked_request() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.conversation_views m
    set folder = 'none', unread = false
    from public.conversations c
    where least(c.participant_1, c.participant_2) = least(new.blocker_id, new.blocked_id)
      and greatest(c.participant_1, c.participant_2) = greatest(new.blocker_id, new.blocked_id)
      and m.conversation_id = c.id and m.member_id = new.blocker_id and m.folder = 'requests';
  return null;
end
$$;
comment on function private.drop_blocked_request() is 'The request of a blocked member leaves the list.';
revoke execute on function private.drop_blocked_request() from public, anon, authenticated;

create function private.await_pair() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  pair constant bigint := private.pair_key(new.blocker_id, new.blocked_id);
begin
  if clock_timestamp() > statement_timestamp() + interval '1 second' then
    perform pg_catalog.pg_try_advisory_xact_lock(pair);
  else
    perform pg_catalog.pg_advisory_xact_lock(pair);
  end if;
  return new;
end
$$;
comment on function private.await_pair() is
  'A block waits up to a second for what the two members are doing to each other, and refuses what they start '
  'meanwhile.';
revoke execute on function private.await_pair() from public, anon, authenticated;

create function private.finish_blocks(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  unfinished private.unfinished_blocks;
  pair uuid[];
  is_alone boolean;
  step integer;
  removed integer := 0;
  went_on integer := 0;
begin
  -- In any order, so that one that is held does not keep the others waiting each time.
  for unfinished in select u.* from private.unfinished_blocks u order by random() limit max_rows for update skip locked loop
    pair := array[unfinished.blocker_id, unfinished.blocked_id];
    -- Whoever has unblocked the other meanwhile keeps what is left.
    if exists (
      select from public.blocks b where b.blocker_id = unfinished.blocker_id and b.blocked_id = unfinished.blocked_id
    ) then
      -- Who shares it may have begun before the block, and still write.
      is_alone := pg_catalog.pg_try_advisory_xact_lock(private.pair_key(unfinished.blocker_id, unfinished.blocked_id));
      step := private.part_some(pair, max_rows - removed);
      removed := removed + step;
      if not is_alone or private.weigh_traces(pair, 1) > 0 or not private.close_room(unfinished.blocker_id, unfinished.blocked_id) then
        exit when step = 0;
        went_on := went_on + 1;
        exit when removed >= max_rows;
        continue;
      end if;
    end if;
    delete from private.unfinished_blocks u where u.blocker_id = unfinished.blocker_id and u.blocked_id = unfinished.blocked_id;
    went_on := went_on + 1;
    exit when removed >= max_rows;
  end loop;
  return went_on;
end
$$;
comment on function private.finish_blocks(integer) is
  'Removes up to max_rows of what is left of unfinished_blocks, until others hold something; returns for how '
  'many of them it went on.';
revoke execute on function private.finish_blocks(integer) from public, anon, authenticated;

-- block_members() runs as the owner of the tables.
create trigger blocks_allow before insert on public.blocks
  for each row when (new.blocker_id = auth.uid()) execute function private.count_quota('blocks');
create trigger blocks_on_block after insert on public.blocks
  for each row execute function private.on_block();
create trigger blocks_drop_request after insert on public.blocks
  for each row execute function private.drop_blocked_request();
create trigger blocks_await_pair before insert on public.blocks
  for each row execute function private.await_pair();

create trigger mutes_allow before insert on public.mutes
  for each row when (pg_catalog.row_security_active('public.mutes')) execute function private.count_quota('mutes');
create trigger mutes_allow_delete before delete on public.mutes
  for each statement when (pg_catalog.row_security_active('public.mutes')) execute function private.count_quota('removals');

create trigger reports_allow before insert on public.reports
  for each row when (pg_catalog.row_security_active('public.reports')) execute function private.count_quota('reports');
create trigger reports_complete before insert on public.reports
  for each row execute function private.complete_report();
create trigger reports_compose before insert on public.reports
  for each row when (new.details is not nfc normalized)
  execute function private.compose_texts('details');
create trigger reports_bound_details before insert or update of details on public.reports
  for each row when (char_length(new.details) > 1000) execute function private.refuse_blank('reports_details_length');

-- Writing to a hidden member fails in the same way as writing to a member who does not exist, so that a refusal does not
-- tell a block from a deleted account. Members who share a conversation already know that the other account exists, and
-- may block it even while it is hidden.
create policy blocks_session on public.blocks as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy blocks_select on public.blocks for select to authenticated
  using (blocker_id = (select auth.uid()));
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

create policy reports_session on public.reports as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy reports_insert on public.reports for insert to authenticated
  with check (
    reporter_id = (select auth.uid())
    and (
      exists (select from public.profiles p where p.id = reports.member_id)
      or exists (select from public.blocks b where b.blocked_id = reports.member_id)
      or exists (
        select from public.conversations c
        where least(c.participant_1, c.participant_2) = least(reports.reporter_id, reports.member_id)
          and greatest(c.participant_1, c.participant_2) = greatest(reports.reporter_id, reports.member_id)
      )
      or exists (
        select from public.conversation_views v
        where v.member_id = (select auth.uid()) and v.is_group and v.sees_members
          and exists (
            select from public.conversation_members m
            where m.conversation_id = v.conversation_id and m.member_id = reports.member_id offset 0
          )
      )
    )
    and (post_id is null or exists (select from public.posts p where p.id = reports.post_id and p.user_id = reports.member_id))
  );

set check_function_bodies = on;
