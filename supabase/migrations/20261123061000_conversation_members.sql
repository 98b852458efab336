-- Each member's own view of their conversations: requests, pinned, archived and deleted conversations. Only that member sees
-- it: docs/decisions/0053-message-requests.md.

create table public.conversation_members (
  member_id uuid not null references public.profiles (id) on delete cascade,
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  -- `none`: not listed, because the member deleted it, or because it is empty and the other member started it.
  folder text not null,
  -- Whether messages of the other member arrive in the inbox instead of among the requests.
  accepted boolean not null,
  -- Whether it has a message that the member has not read.
  unread boolean not null default false,
  pinned_at timestamptz,
  -- Messages up to this time are hidden from the member, who deleted the conversation.
  cleared_at timestamptz,
  -- A copy, so that one index lists the conversations of a folder.
  last_message_at timestamptz not null,
  primary key (member_id, conversation_id),
  constraint conversation_members_folder check (folder in ('inbox', 'requests', 'archived', 'none')),
  constraint conversation_members_accepted check (
    case folder when 'requests' then not accepted when 'none' then true else accepted end
  ),
  constraint conversation_members_pinned check (pinned_at is null or folder = 'inbox')
);
comment on table public.conversation_members is
  'Where a member lists a conversation. Triggers insert two rows with each conversation; messages, follows and blocks move them.';
create index conversation_members_conversation_idx on public.conversation_members (conversation_id);
create index conversation_members_list_idx
  on public.conversation_members (member_id, folder, last_message_at desc, conversation_id desc) where pinned_at is null;
create index conversation_members_pinned_idx on public.conversation_members (member_id) where pinned_at is not null;
create index conversation_members_unread_idx on public.conversation_members (member_id) where unread and folder = 'inbox';
alter table public.conversation_members enable row level security;
revoke all on table public.conversation_members from public, anon, authenticated;
grant all on table public.conversation_members to service_role;
grant select on table public.conversation_members to authenticated;
grant update (folder, pinned_at, cleared_at) on table public.conversation_members to authenticated;

-- Both members have accepted the conversations of the time before requests.
insert into public.conversation_members (member_id, conversation_id, folder, accepted, unread, last_message_at)
  select
    member.id,
    c.id,
    case when c.participant_1_wrote or c.participant_2_wrote or c.started_by = member.id then 'inbox' else 'none' end,
    true,
    exists (
      select 1 from public.messages m
      where m.recipient_id = member.id and not m.read and m.conversation_id = c.id and m.deleted_at is null
    ),
    c.last_message_at
  from public.conversations c
  cross join lateral (values (c.participant_1), (c.participant_2)) as member (id);

insert into private.quotas (kind, per_minute, per_day) values
  -- Accepting, pinning, archiving and deleting.
  ('conversation_changes', 120, null);

create function private.add_conversation_members() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.conversation_members (member_id, conversation_id, folder, accepted, last_message_at)
    select
      member.id,
      new.id,
      case when new.started_by = member.id then 'inbox' else 'none' end,
      -- No client started an imported conversation: nobody is a stranger there.
      coalesce(new.started_by = member.id, true),
      new.last_message_at
    from (values (new.participant_1), (new.participant_2)) as member (id);
  return null;
end
$$;
comment on function private.add_conversation_members() is
  'Lists a new conversation for the member who started it. The other has not accepted it yet.';
revoke execute on function private.add_conversation_members() from public, anon, authenticated;
create trigger conversations_add_members after insert on public.conversations
  for each row execute function private.add_conversation_members();

-- What a member does with their conversations. A trigger instead of functions, so that a client updates its row.

create function private.guard_conversation_member() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if not pg_catalog.row_security_active('public.conversation_members') then
    return new;
  end if;
  if new.cleared_at is distinct from old.cleared_at then
    -- The latest message that exists, not the current time: a message that is being sent at this moment arrives.
    new.cleared_at := coalesce(
      (
        select m.created_at from public.messages m
        where m.conversation_id = old.conversation_id
        order by m.created_at desc, m.id desc limit 1
      ),
      now()
    );
    new.folder := 'none';
    new.pinned_at := null;
    new.unread := false;
    return new;
  end if;
  if new.folder is distinct from old.folder then
    if new.folder not in ('inbox', 'archived') then
      raise sqlstate 'PT422' using
        message = 'A conversation cannot be moved there.',
        hint = 'Set cleared_at to delete it.';
    end if;
    if new.folder = 'archived' and old.folder <> 'inbox' then
      raise sqlstate 'PT409' using message = 'Only a conversation of the list can be archived.';
    end if;
    new.accepted := true;
    if new.folder = 'archived' then
      new.pinned_at := null;
    end if;
  end if;
  if new.pinned_at is not null and new.pinned_at is distinct from old.pinned_at then
    if new.folder <> 'inbox' then
      raise sqlstate 'PT409' using message = 'Only a conversation of the list can be pinned.';
    end if;
    if old.pinned_at is null and (
      select count(*) from public.conversation_members m where m.member_id = old.member_id and m.pinned_at is not null
    ) >= 5 then
      raise sqlstate 'PT409' using message = 'You can pin up to five conversations.';
    end if;
    new.pinned_at := now();
  end if;
  return new;
end
$$;
comment on function private.guard_conversation_member() is
  'Moving a conversation to the inbox accepts it. Setting cleared_at deletes it for the member, at the database''s time.';
revoke execute on function private.guard_conversation_member() from public, anon, authenticated;
create trigger conversation_members_allow before update of folder, pinned_at, cleared_at on public.conversation_members
  for each row when (pg_catalog.row_security_active('public.conversation_members'))
  execute function private.count_quota('conversation_changes');
create trigger conversation_members_guard before update of folder, pinned_at, cleared_at on public.conversation_members
  for each row execute function private.guard_conversation_member();

create function private.broadcast_conversation_member() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_change('conversation_members', tg_op, new.member_id, array[new.conversation_id]);
  return null;
end
$$;
comment on function private.broadcast_conversation_member() is
  'Broadcasts to a member that one of their conversations has moved, with the id of the conversation.';
revoke execute on function private.broadcast_conversation_member() from public, anon, authenticated;
-- Not for each message: its own broadcast says enough.
create trigger conversation_members_broadcast after update on public.conversation_members
  for each row when (
    old.folder is distinct from new.folder
    or old.pinned_at is distinct from new.pinned_at
    or old.cleared_at is distinct from new.cleared_at
  )
  execute function private.broadcast_conversation_member();

-- Messages.

create or replace function private.touch_conversations() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform 1 from public.conversations c
    where c.id in (select conversation_id from changed) order by c.id for no key update;
  update public.conversations c
    set last_message_at = greatest(c.last_message_at, m.latest),
        participant_1_wrote = c.participant_1_wrote or c.participant_1 = any (m.senders),
        participant_2_wrote = c.participant_2_wrote or c.participant_2 = any (m.senders)
    from (
      select conversation_id, max(created_at) as latest, array_agg(distinct sender_id) as senders
      from changed group by conversation_id
    ) as m
    where c.id = m.conversation_id;
  perform 1 from public.conversation_members m
    where m.conversation_id in (select conversation_id from changed)
    order by m.conversation_id, m.member_id for no key update;
  update public.conversation_members m
    set last_message_at = greatest(m.last_message_at, n.latest),
        accepted = n.accepted,
        folder = case when n.accepted then 'inbox' else 'requests' end,
        unread = m.unread or n.unread
    from (
      select
        mine.member_id,
        mine.conversation_id,
        max(c.created_at) as latest,
        bool_or(c.recipient_id = mine.member_id and not c.read and c.deleted_at is null) as unread,
        mine.accepted
          or bool_or(c.sender_id = mine.member_id)
          or exists (
            select 1 from public.follows f
            where f.follower_id = mine.member_id and f.following_id = any (array_agg(c.sender_id))
          ) as accepted
      from changed c
      join public.conversation_members mine on mine.conversation_id = c.conversation_id
      group by mine.member_id, mine.conversation_id
    ) as n
    where m.member_id = n.member_id and m.conversation_id = n.conversation_id;
  return null;
end
$$;
comment on function private.touch_conversations() is
  'Moves last_message_at to the latest message, never back, and records who has written. For the recipient, a message of a '
  'stranger waits as a request; writing, and following the sender, accepts. Every message brings a conversation back that '
  'was archived or deleted.';

create function private.refuse_unwanted_message() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
      select 1 from public.conversation_members m
      where m.member_id = new.recipient_id and m.conversation_id = new.conversation_id and m.accepted
    )
    or exists (
      select 1 from public.follows f where f.follower_id = new.recipient_id and f.following_id = new.sender_id
    )
    -- A retry after a lost response: the message exists, and the client expects 23505.
    or exists (select 1 from public.messages m where m.id = new.id and m.sender_id = new.sender_id)
  then
    return new;
  end if;
  if exists (select 1 from public.profiles p where p.id = new.recipient_id and not p.allow_message_requests) then
    raise sqlstate 'PT403' using message = 'This member receives messages only from people they follow.';
  end if;
  if exists (
    select 1 from public.messages m
    where m.conversation_id = new.conversation_id and m.sender_id = new.sender_id
    order by m.created_at desc, m.id desc offset 2
  ) then
    raise sqlstate 'PT403' using message = 'You can write more once this member has accepted your first messages.';
  end if;
  return new;
end
$$;
comment on function private.refuse_unwanted_message() is
  'A stranger can write three messages until the recipient accepts; deleting the request does not allow more. Refuses all if '
  'the recipient receives messages only from members they follow.';
revoke execute on function private.refuse_unwanted_message() from public, anon, authenticated;
-- Fires after messages_refuse_hidden, so that a block is not told from a deleted account.
create trigger messages_refuse_unwanted before insert on public.messages
  for each row when (pg_catalog.row_security_active('public.messages'))
  execute function private.refuse_unwanted_message();

create function private.guard_request() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if exists (
    select 1 from public.conversation_members m
    where m.member_id = old.recipient_id and m.conversation_id = old.conversation_id and not m.accepted
  ) then
    new.read := old.read;
    new.read_at := old.read_at;
    if new.recipient_reaction is distinct from old.recipient_reaction then
      raise sqlstate 'PT403' using message = 'Accept this request first.';
    end if;
  end if;
  return new;
end
$$;
comment on function private.guard_request() is
  'Until the recipient accepts, the sender does not learn whether they have read a message: marking it as read has no effect.';
revoke execute on function private.guard_request() from public, anon, authenticated;
-- Fires before messages_guard_update, which sets read_at if `read` still differs.
create trigger messages_guard_request before update of read, recipient_reaction on public.messages
  for each row when (
    (new.read and not old.read)
    or (new.deleted_at is null and new.recipient_reaction is distinct from old.recipient_reaction)
  )
  execute function private.guard_request();

create function private.recount_unread() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- A message that arrives meanwhile waits for this lock, or is seen by the next statement.
  perform 1 from public.conversation_members m
    where (m.member_id, m.conversation_id) in (
      select c.recipient_id, c.conversation_id from changed c join before b on b.id = c.id
      where (c.read, c.deleted_at is null) is distinct from (b.read, b.deleted_at is null)
    )
    order by m.conversation_id, m.member_id for no key update;
  if not found then
    return null;
  end if;
  update public.conversation_members m
    set unread = n.unread
    from (
      select
        mine.member_id,
        mine.conversation_id,
        exists (
          select 1 from public.messages x
          where x.recipient_id = mine.member_id and not x.read and x.conversation_id = mine.conversation_id
            and x.deleted_at is null and x.created_at > coalesce(mine.cleared_at, '-infinity')
        ) as unread
      from public.conversation_members mine
      where (mine.member_id, mine.conversation_id) in (select c.recipient_id, c.conversation_id from changed c)
    ) as n
    where m.member_id = n.member_id and m.conversation_id = n.conversation_id and m.unread <> n.unread;
  return null;
end
$$;
comment on function private.recount_unread() is 'Updates whether a conversation has unread messages after some were read or unsent.';
revoke execute on function private.recount_unread() from public, anon, authenticated;
create trigger messages_recount_unread after update on public.messages
  referencing old table as before new table as changed for each statement execute function private.recount_unread();

create or replace function public.unread_conversations() returns integer
  language sql stable security invoker set search_path = ''
as $$
  select count(*)::integer
  from (
    select 1
    from public.conversation_members m
    join public.conversations c on c.id = m.conversation_id
    where m.member_id = (select auth.uid()) and m.unread and m.folder = 'inbox'
      and case m.member_id when c.participant_1 then c.participant_2 else c.participant_1 end
        not in (select blocked_id from public.blocks where blocker_id = (select auth.uid()))
    limit 10
  ) as counted
$$;
comment on function public.unread_conversations() is
  'Conversations of the inbox with a message that the caller has not read, without those of members they have blocked, 0 to '
  '10: the badge shows 9+ above nine. Requests do not count.';

drop function public.my_conversations(timestamptz, uuid);
create function public.my_conversations(
  before_at timestamptz default null, before_id uuid default null, in_folder text default 'inbox'
)
  returns setof public.conversations
  -- Otherwise the planner reads and sorts all conversations of a member with a few hundred.
  language sql stable security invoker set search_path = '' set enable_bitmapscan = off
as $$
  select c.*
  from (
    (
      select m.conversation_id, m.last_message_at from public.conversation_members m
      where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is null
        and (m.last_message_at, m.conversation_id)
          < (coalesce(before_at, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
      order by m.last_message_at desc, m.conversation_id desc limit 30
    )
    union all
    (
      select m.conversation_id, m.last_message_at from public.conversation_members m
      where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is not null
        and before_at is null
    )
  ) as mine
  -- A look-up for each row of the page; the planner would join with all conversations of the server.
  cross join lateral (select * from public.conversations where id = mine.conversation_id offset 0) as c
  order by mine.last_message_at desc, mine.conversation_id desc
$$;
comment on function public.my_conversations(timestamptz, uuid, text) is
  'A page of thirty of the caller''s conversations in a folder, latest first, from before (before_at, before_id). The first '
  'page has the pinned ones in addition.';
revoke execute on function public.my_conversations(timestamptz, uuid, text) from public, anon, authenticated;
grant execute on function public.my_conversations(timestamptz, uuid, text) to authenticated, service_role;

create function public.conversation_folders() returns table (folder text, conversations integer)
  language sql stable security invoker set search_path = ''
as $$
  select folders.folder, counted.conversations
  from unnest(array['requests', 'archived']) as folders (folder)
  cross join lateral (
    select count(*)::integer as conversations from (
      select 1 from public.conversation_members m
      where m.member_id = (select auth.uid()) and m.folder = folders.folder and m.pinned_at is null limit 100
    ) as listed
  ) as counted
  where counted.conversations > 0
$$;
comment on function public.conversation_folders() is
  'How many requests and archived conversations the caller has, each up to 100: the app shows 99+ above 99.';
revoke execute on function public.conversation_folders() from public, anon, authenticated;
grant execute on function public.conversation_folders() to authenticated, service_role;

-- Follows and blocks.

create function private.accept_followed() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.conversation_members m
    set accepted = true, folder = 'inbox'
    from changed f
    join public.conversations c
      on least(c.participant_1, c.participant_2) = least(f.follower_id, f.following_id)
      and greatest(c.participant_1, c.participant_2) = greatest(f.follower_id, f.following_id)
    where m.conversation_id = c.id and m.member_id = f.follower_id and m.folder = 'requests';
  return null;
end
$$;
comment on function private.accept_followed() is 'Following a member accepts their request.';
revoke execute on function private.accept_followed() from public, anon, authenticated;
create trigger follows_accept_request after insert on public.follows
  referencing new table as changed for each statement execute function private.accept_followed();

create function private.drop_blocked_request() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.conversation_members m
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
create trigger blocks_drop_request after insert on public.blocks
  for each row execute function private.drop_blocked_request();

-- Who may write to a member.

alter table public.profiles add column allow_message_requests boolean not null default true;
comment on column public.profiles.allow_message_requests is
  'Whether strangers, members that this member does not follow, may write to them. Accepted conversations stay open.';
grant update (allow_message_requests) on table public.profiles to authenticated;
create or replace trigger profiles_touch
  before update of username, full_name, bio, website, avatar_url, is_private, show_activity_status,
    allow_story_replies, allow_message_requests, updated_at
  on public.profiles for each row execute function private.touch_profile();

create policy conversation_members_session on public.conversation_members as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy conversation_members_select on public.conversation_members for select to authenticated
  using (member_id = (select auth.uid()));
create policy conversation_members_update on public.conversation_members for update to authenticated
  using (member_id = (select auth.uid())) with check (member_id = (select auth.uid()));

-- Inside the `case`, so that the planner's estimates stay the same.
alter policy messages_select on public.messages using (
  case when (select auth.uid()) in (sender_id, recipient_id) then
    not exists (
      select 1 from public.conversation_members m
      where m.member_id = (select auth.uid()) and m.conversation_id = messages.conversation_id
        and m.cleared_at >= messages.created_at
      offset 0
    )
  else false end
);
