-- Conversations have members: docs/decisions/0106-members-of-conversations.md, step 2. Every conversation is still a pair: its columns stay, and
-- what is written here for groups has no row yet.

alter table public.conversations
  alter column participant_1 drop not null,
  alter column participant_2 drop not null,
  add column kind text not null default 'pair',
  add column name text,
  add column version integer not null default 0,
  add column epoch integer not null default 0,
  add column from_start boolean not null default false,
  add constraint conversations_kind check (kind in ('pair', 'group')),
  add constraint conversations_name_length check (char_length(name) <= 80),
  add constraint conversations_shape check (
    case kind when 'pair' then num_nulls(participant_1, participant_2) = 0 and name is null else num_nonnulls(participant_1, participant_2) = 0 end
  );
comment on table public.conversations is
  'A pair, one for two members, or a group. If both of a pair start one at once, the second gets 23505 and reads the first.';
comment on column public.conversations.version is 'Raised by each change of members.';
comment on column public.conversations.epoch is 'Part of the names of its channels. Raised whenever somebody may no longer listen.';
comment on column public.conversations.from_start is 'Whether new members of a group read what was written before they joined.';

create table public.conversation_members (
  member_id uuid not null references public.profiles on delete cascade,
  invited_by uuid references public.profiles on delete set null,
  conversation_id uuid not null references public.conversations on delete cascade,
  role text not null default 'member',
  state text not null default 'in',
  joined_at timestamptz,
  left_at timestamptz,
  primary key (conversation_id, member_id),
  constraint conversation_members_role check (role in ('owner', 'admin', 'member')),
  constraint conversation_members_state check (state in ('invited', 'in', 'left', 'removed')),
  constraint conversation_members_joined check (state <> 'in' or joined_at is not null),
  constraint conversation_members_left check ((state in ('left', 'removed')) = (left_at is not null))
) with (fillfactor = 90);
comment on table public.conversation_members is
  'Who is in a conversation, as all its members may see it. Triggers insert both of a pair, and keep what each may read in conversation_views.';
create index conversation_members_member_idx on public.conversation_members (member_id);
create index conversation_members_invited_by_idx on public.conversation_members (invited_by) where invited_by is not null;

alter table public.conversation_views
  add column is_group boolean not null default false,
  add column reads_after timestamptz not null default '-infinity',
  add column writes boolean not null default true,
  add column sees_members boolean not null default true;
comment on column public.conversation_views.reads_after is
  'The member reads messages of others from this time on; infinity: none. Own messages can always be read.';

-- Lost views would make a conversation mute.
insert into public.conversation_views (member_id, conversation_id, folder, accepted, last_message_at, listed_at)
  select member.id, c.id, 'none', true, c.last_message_at, c.last_message_at
  from public.conversations c cross join lateral (values (c.participant_1), (c.participant_2)) as member (id)
  on conflict do nothing;
insert into public.conversation_members (conversation_id, member_id, joined_at)
  select c.id, member.id, c.created_at
  from public.conversations c cross join lateral (values (c.participant_1), (c.participant_2)) as member (id);

create function private.set_views() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  conversation public.conversations;
  is_in constant boolean := new.state = 'in';
  is_invited constant boolean := new.state = 'invited';
  readable_from timestamptz;
begin
  select * into strict conversation from public.conversations where id = new.conversation_id;
  readable_from := case when not is_in then 'infinity' when conversation.kind = 'pair' or conversation.from_start then '-infinity' else new.joined_at end;
  -- Pairs are listed when they are made, and moved by what their members write.
  insert into public.conversation_views as v
    (member_id, conversation_id, is_group, reads_after, writes, sees_members, folder, accepted, last_message_at, listed_at)
    values (new.member_id, new.conversation_id, conversation.kind = 'group', readable_from, is_in, is_in or is_invited,
      case when is_in then 'inbox' when is_invited then 'requests' else 'none' end, not is_invited,
      conversation.last_message_at, conversation.last_message_at)
    on conflict (member_id, conversation_id) do update
      set reads_after = excluded.reads_after,
          writes = excluded.writes,
          sees_members = excluded.sees_members,
          folder = case when is_in and v.folder = 'archived' then 'archived' else excluded.folder end,
          accepted = excluded.accepted,
          pinned_at = case when is_in then v.pinned_at end,
          unread = is_in and v.unread
      where v.is_group;
  return null;
end
$$;
comment on function private.set_views() is
  'Writes what a state of a member means into that member''s own view: what it reads and writes, and where it is listed. Nothing else knows.';
revoke execute on function private.set_views() from public, anon, authenticated;

create trigger conversation_members_set_views after insert or update of state, joined_at on public.conversation_members
  for each row execute function private.set_views();

create or replace function private.add_conversation_members() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.kind = 'group' then
    return null;
  end if;
  insert into public.conversation_views (member_id, conversation_id, folder, accepted, last_message_at, listed_at)
    select
      member.id,
      new.id,
      case when new.started_by = member.id then 'inbox' else 'none' end,
      -- No client started an imported conversation: nobody is a stranger there.
      coalesce(new.started_by = member.id, true),
      new.last_message_at,
      new.last_message_at
    from (values (new.participant_1), (new.participant_2)) as member (id);
  insert into public.conversation_members (conversation_id, member_id, joined_at)
    values (new.id, new.participant_1, new.created_at), (new.id, new.participant_2, new.created_at);
  return null;
end
$$;
comment on function private.add_conversation_members() is
  'Both of a new pair are its members. It is listed for the one who started it; the other has not accepted it yet.';

create or replace function private.guard_conversation() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if not pg_catalog.row_security_active('public.conversations') then
    return new;
  end if;
  if new.participant_1 is null or new.participant_2 is null then
    raise sqlstate 'PT422' using message = 'A conversation needs two members.';
  end if;
  if not (
    exists (select 1 from public.profiles where id = new.participant_1)
    and exists (select 1 from public.profiles where id = new.participant_2)
  ) then
    raise sqlstate 'PT403' using message = 'You cannot write to this member.';
  end if;
  new.started_by := (select auth.uid());
  return new;
end
$$;

-- `not (null in (…))` is null as soon as one account is being removed, and would hide every group.
alter policy conversations_removed on public.conversations using (
  not coalesce(participant_1 in (select private.removed_member_ids()), false)
  and not coalesce(participant_2 in (select private.removed_member_ids()), false)
);

alter table public.conversation_members enable row level security;
revoke all on table public.conversation_members from anon, authenticated;
grant all on table public.conversation_members to service_role;
grant select on public.conversation_members to authenticated;
create policy conversation_members_session on public.conversation_members as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null
    or member_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy conversation_members_removed on public.conversation_members as restrictive for select to authenticated
  using (not member_id in (select private.removed_member_ids()));
create policy conversation_members_select on public.conversation_members for select to authenticated
  using (
    member_id = (select auth.uid())
    or exists (
      select from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = conversation_members.conversation_id and v.sees_members offset 0
    )
  );

create or replace function private.dependents(items regclass)
  returns table (child regclass, is_seen boolean, refers_by name, goes boolean, has_dependents boolean)
  language sql stable security definer set search_path = ''
as $$
  select c.conrelid::regclass, n.nspname = 'public', a.attname, c.confdeltype = 'c',
    exists (
      select from pg_catalog.pg_constraint d
      where d.contype = 'f' and d.confrelid = c.conrelid and d.confdeltype in ('c', 'n')
    )
  from pg_catalog.pg_constraint c
  join pg_catalog.pg_class t on t.oid = c.conrelid
  join pg_catalog.pg_namespace n on n.oid = t.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confrelid = items and c.confdeltype in ('c', 'n')
  -- What others see first.
  order by array_position(
    array['conversations', 'conversation_members', 'follows', 'likes', 'comments', 'comment_likes', 'notifications'], t.relname::text), c.conname
$$;
