-- A member's own row of a conversation says how that member sees it: folder, pin, what was cleared, what is unread. Its table gives up the name
-- `conversation_members` to the table that all members of a conversation may see (docs/decisions/0106). Rows, keys and rights stay.

alter table public.conversation_members rename to conversation_views;
comment on table public.conversation_views is
  'How a member sees a conversation. Triggers insert two rows with each conversation; messages, follows and blocks move them.';
alter table public.conversation_views rename constraint conversation_members_pkey to conversation_views_pkey;
alter table public.conversation_views rename constraint conversation_members_conversation_id_fkey to conversation_views_conversation_id_fkey;
alter table public.conversation_views rename constraint conversation_members_member_id_fkey to conversation_views_member_id_fkey;
alter table public.conversation_views rename constraint conversation_members_accepted to conversation_views_accepted;
alter table public.conversation_views rename constraint conversation_members_folder to conversation_views_folder;
alter table public.conversation_views rename constraint conversation_members_pinned to conversation_views_pinned;
alter index public.conversation_members_conversation_idx rename to conversation_views_conversation_idx;
alter index public.conversation_members_list_idx rename to conversation_views_list_idx;
alter index public.conversation_members_pinned_idx rename to conversation_views_pinned_idx;
alter policy conversation_members_select on public.conversation_views rename to conversation_views_select;
alter policy conversation_members_session on public.conversation_views rename to conversation_views_session;
alter policy conversation_members_update on public.conversation_views rename to conversation_views_update;
alter trigger conversation_members_broadcast on public.conversation_views rename to conversation_views_broadcast;
alter trigger conversation_members_guard on public.conversation_views rename to conversation_views_guard;
alter function private.broadcast_conversation_member() rename to broadcast_conversation_view;
alter function private.guard_conversation_member() rename to guard_conversation_view;

-- Its condition names the table in a text.
drop trigger conversation_members_allow on public.conversation_views;
create trigger conversation_views_allow before update of folder, pinned_at, cleared_at on public.conversation_views
  for each row when (row_security_active('public.conversation_views')) execute function private.count_quota('conversation_changes');

create or replace function public.conversation_folders() returns table(folder text, conversations integer)
  language sql stable set search_path = ''
as $$
  select folders.folder, counted.conversations
  from unnest(array['requests', 'archived']) as folders (folder)
  cross join lateral (
    select count(*)::integer as conversations from (
      select 1 from public.conversation_views m
      where m.member_id = (select auth.uid()) and m.folder = folders.folder limit 100
    ) as listed
  ) as counted
  where counted.conversations > 0
$$;

create or replace function public.my_conversations(before_at timestamptz default null, before_id uuid default null, in_folder text default 'inbox') returns setof public.conversations
  language sql stable set search_path = '' set enable_bitmapscan = 'off'
as $$
  select c.*
  from (
    (
      select m.conversation_id, m.last_message_at from public.conversation_views m
      where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is null
        and m.conversation_id is distinct from before_id
        and (m.listed_at, m.conversation_id)
          < ((select coalesce(before_at, 'infinity')), (select coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
      order by m.listed_at desc, m.conversation_id desc limit 30
    )
    union all
    (
      select m.conversation_id, m.last_message_at from public.conversation_views m
      where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is not null
        and before_at is null
    )
  ) as mine
  -- A look-up for each row of the page; the planner would join with all conversations of the server.
  cross join lateral (select * from public.conversations where id = mine.conversation_id offset 0) as c
  order by mine.last_message_at desc, mine.conversation_id desc
$$;

create or replace function public.unread_conversations() returns integer
  language sql stable set search_path = '' set enable_sort = 'off'
as $$
  select count(*)::integer
  from (
    select 1
    from (
      select m.conversation_id, m.unread from public.conversation_views m
      where m.member_id = (select auth.uid()) and m.folder = 'inbox'
      order by m.listed_at desc, m.conversation_id desc limit 1000
    ) as newest
    -- A look-up for each unread one; the planner would join with all conversations of the server.
    cross join lateral (
      select c.participant_1, c.participant_2 from public.conversations c where c.id = newest.conversation_id offset 0
    ) as c
    where newest.unread
      and case (select auth.uid()) when c.participant_1 then c.participant_2 else c.participant_1 end
        not in (select blocked_id from public.blocks where blocker_id = (select auth.uid()))
    limit 10
  ) as counted
$$;

create or replace function private.accept_followed() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.conversation_views m
    set accepted = true, folder = 'inbox'
    from changed f
    join public.conversations c
      on least(c.participant_1, c.participant_2) = least(f.follower_id, f.following_id)
      and greatest(c.participant_1, c.participant_2) = greatest(f.follower_id, f.following_id)
    where m.conversation_id = c.id and m.member_id = f.follower_id and m.folder = 'requests';
  -- Who follows a member whose requests are still being accepted, and unfollows them, is not made to follow again.
  delete from public.follow_requests where ctid = any (array(
    select r.ctid from changed f
    join public.follow_requests r on r.requester_id = f.follower_id and r.target_id = f.following_id
    for update of r skip locked
  ));
  return null;
end
$$;

create or replace function private.add_conversation_members() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
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
  return null;
end
$$;

create or replace function private.broadcast_conversation_view() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_change('conversation_views', tg_op, new.member_id, array[new.conversation_id]);
  return null;
end
$$;

create or replace function private.drop_blocked_request() returns trigger
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

create or replace function private.guard_conversation_view() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if not pg_catalog.row_security_active('public.conversation_views') then
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
      select count(*) from public.conversation_views m where m.member_id = old.member_id and m.pinned_at is not null
    ) >= 5 then
      raise sqlstate 'PT409' using message = 'You can pin up to five conversations.';
    end if;
    new.pinned_at := now();
  end if;
  return new;
end
$$;

create or replace function private.guard_message_read() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if pg_catalog.row_security_active('public.messages') and (select auth.uid()) <> old.recipient_id then
    raise sqlstate 'PT403' using message = 'Only its recipient can mark a message as read.';
  end if;
  -- Reading a request does not tell its sender.
  if new.read and exists (
    select 1 from public.conversation_views m
    where m.member_id = old.recipient_id and m.conversation_id = old.conversation_id and not m.accepted
  ) then
    new.read := false;
  end if;
  new.read_at := case when new.read then now() end;
  return new;
end
$$;

create or replace function private.guard_request() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if exists (
    select 1 from public.conversation_views m
    where m.member_id = old.recipient_id and m.conversation_id = old.conversation_id and not m.accepted
  ) then
    raise sqlstate 'PT403' using message = 'Accept this request first.';
  end if;
  return new;
end
$$;

create or replace function private.mark_delivered() returns void
  language plpgsql security definer set search_path = '' set enable_sort = 'off'
as $$
declare
  me constant uuid := (select auth.uid());
  received uuid[];
begin
  perform private.require_active();
  if not private.is_member() or not private.shows_activity() then
    return;
  end if;
  received := array(
    select newest.conversation_id
    from (
      select m.conversation_id, m.undelivered from public.conversation_views m
      where m.member_id = me and m.folder = 'inbox' order by m.listed_at desc, m.conversation_id desc limit 1000
    ) as newest
    cross join lateral (
      select case me when c.participant_1 then c.participant_2 else c.participant_1 end as id
      from public.conversations c where c.id = newest.conversation_id offset 0
    ) as sender
    where newest.undelivered
      and sender.id not in (select private.my_hidden_ids())
      and not exists (select 1 from public.profiles p where p.id = sender.id and not p.show_activity_status)
    limit 200
  );
  if cardinality(received) = 0 then
    return;
  end if;
  -- A message that is being sent meanwhile waits for this lock, or is seen by the next statements.
  perform 1 from public.conversation_views m
    where m.conversation_id = any (received) order by m.conversation_id, m.member_id for no key update;
  update public.conversation_views theirs
    set delivered_at = greatest(theirs.delivered_at, mine.last_message_at)
    from public.conversation_views mine
    where mine.member_id = me and mine.undelivered and mine.conversation_id = any (received)
      and theirs.conversation_id = mine.conversation_id and theirs.member_id <> me;
  update public.conversation_views m set undelivered = false
    where m.member_id = me and m.conversation_id = any (received);
end
$$;

create or replace function private.recount_unread() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  touched record;
begin
  -- Not a join: its plan, which is kept, may compare each message with all others.
  for touched in
    select distinct d.recipient_id, d.conversation_id
    from (
      select c.id, c.recipient_id, c.conversation_id, c.read, c.deleted_at is null from changed c
      except
      select b.id, b.recipient_id, b.conversation_id, b.read, b.deleted_at is null from before b
    ) as d
    order by d.conversation_id, d.recipient_id
  loop
    -- A message that arrives meanwhile waits for this lock, or is seen by the next statement.
    perform 1 from public.conversation_views m
      where m.member_id = touched.recipient_id and m.conversation_id = touched.conversation_id for no key update;
    update public.conversation_views m
      set unread = n.unread, undelivered = m.undelivered and n.unread
      from (
        select exists (
          select 1 from public.messages x
          where x.recipient_id = mine.member_id and not x.read and x.conversation_id = mine.conversation_id
            and x.deleted_at is null and x.created_at > coalesce(mine.cleared_at, '-infinity')
        ) as unread
        from public.conversation_views mine
        where mine.member_id = touched.recipient_id and mine.conversation_id = touched.conversation_id
      ) as n
      where m.member_id = touched.recipient_id and m.conversation_id = touched.conversation_id and m.unread <> n.unread;
  end loop;
  return null;
end
$$;

create or replace function private.refuse_unwanted_message() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  wanted constant text := (select p.new_messages_from from public.profiles p where p.id = new.recipient_id);
begin
  if exists (
      select 1 from public.conversation_views m
      where m.member_id = new.recipient_id and m.conversation_id = new.conversation_id and m.accepted
    )
    -- A retry after a lost response: the message exists, and the client expects 23505.
    or exists (select 1 from public.messages m where m.id = new.id and m.sender_id = new.sender_id)
  then
    return new;
  end if;
  if wanted = 'nobody' then
    raise sqlstate 'PT403' using message = 'This member receives messages only in conversations they already have.';
  end if;
  if exists (
    select 1 from public.follows f where f.follower_id = new.recipient_id and f.following_id = new.sender_id
  ) then
    return new;
  end if;
  if wanted = 'following' then
    raise sqlstate 'PT403' using message = 'This member receives messages only from people they follow.';
  end if;
  if wanted = 'followers' and not exists (
    select 1 from public.follows f where f.follower_id = new.sender_id and f.following_id = new.recipient_id
  ) then
    raise sqlstate 'PT403' using
      message = 'This member receives messages only from their followers and people they follow.';
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
  perform 1 from public.conversation_views m
    where m.conversation_id in (select conversation_id from changed)
    order by m.conversation_id, m.member_id for no key update;
  update public.conversation_views m
    set last_message_at = greatest(m.last_message_at, n.latest),
        listed_at = case when n.is_below then greatest(m.last_message_at, n.latest) else m.listed_at end,
        accepted = n.accepted,
        folder = case when n.accepted then 'inbox' else 'requests' end,
        unread = m.unread or n.unread,
        undelivered = m.undelivered or n.unread
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
          ) as accepted,
        exists (
          select 1 from public.conversation_views above
          where above.member_id = mine.member_id and above.folder = any ('{inbox,requests,archived,none}')
            and (above.listed_at, above.conversation_id) > (mine.listed_at, mine.conversation_id)
        ) as is_below
      from changed c
      join public.conversation_views mine on mine.conversation_id = c.conversation_id
      group by mine.member_id, mine.conversation_id
    ) as n
    where m.member_id = n.member_id and m.conversation_id = n.conversation_id;
  return null;
end
$$;

create or replace function private.serves() returns text language sql immutable set search_path = '' as $$
  select '20261127234500'
$$;
