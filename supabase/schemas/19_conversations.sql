-- Conversations, their members and each member's view: docs/decisions/0106-members-of-conversations.md.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table public.conversations (
  id uuid not null default private.new_id(),
  participant_1 uuid,
  participant_2 uuid,
  last_message_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  -- Null when no client started it.
  started_by uuid,
  participant_1_wrote boolean not null default false,
  participant_2_wrote boolean not null default false,
  kind text not null default 'pair',
  name text,
  version integer not null default 0,
  epoch integer not null default 0,
  from_start boolean not null default false,
  picture_path text,
  pictured_by uuid,
  constraint conversations_not_oneself check (participant_1 <> participant_2),
  constraint conversations_pkey primary key (id),
  constraint conversations_participant_1_fkey foreign key (participant_1) references public.profiles (id) on delete cascade,
  constraint conversations_participant_2_fkey foreign key (participant_2) references public.profiles (id) on delete cascade,
  constraint conversations_kind check (kind in ('pair', 'group')),
  constraint conversations_name_length check (char_length(name) <= 80),
  constraint conversations_shape check (
    case kind
      when 'pair' then num_nulls(participant_1, participant_2) = 0 and name is null
      else num_nonnulls(participant_1, participant_2) = 0
    end),
  constraint conversations_pictured_by_fkey foreign key (pictured_by) references public.profiles (id) on delete set null,
  constraint conversations_picture check (picture_path is null or kind = 'group' and COALESCE(private.is_object_key(picture_path, pictured_by, 'image'), false))
) with (fillfactor = 90);
comment on table public.conversations is
  'A pair, one for two members, or a group. If both of a pair start one at once, the second gets 23505 and '
  'reads the first.';
comment on column public.conversations.participant_1_wrote is
  'Whether this participant has ever sent a message, unsent or not. If so, the other may see when they are '
  'active.';
comment on column public.conversations.version is 'Raised by each change of members.';
comment on column public.conversations.epoch is
  'Part of the names of its channels, which only this one opens. Raised when a member leaves or is removed, '
  'and in a pair by a block.';
comment on column public.conversations.from_start is 'Whether new members of a group read what was written before they joined.';
comment on column public.conversations.pictured_by is 'Whose folder has the picture of a group. Without them it has none.';
create unique index conversations_pair_key on public.conversations (LEAST(participant_1, participant_2), GREATEST(participant_1, participant_2));
create index conversations_participant_1_idx on public.conversations (participant_1) where (participant_1 is not null);
create index conversations_participant_2_idx on public.conversations (participant_2) where (participant_2 is not null);
create unique index conversations_picture_path_key on public.conversations (picture_path) where (picture_path is not null);
create index conversations_pictured_by_idx on public.conversations (pictured_by) where (pictured_by is not null);
alter table public.conversations enable row level security;
revoke all on table public.conversations from public, anon, authenticated;
grant select, insert (id, participant_1, participant_2), update (last_message_at) on table public.conversations to authenticated;
grant all on table public.conversations to service_role;

create table public.conversation_views (
  member_id uuid not null,
  conversation_id uuid not null,
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
  -- Whether the other member has sent a message that no device of this member has received.
  undelivered boolean not null default false,
  -- This member's messages up to this time have reached a device of the other member.
  delivered_at timestamptz,
  listed_at timestamptz not null,
  is_group boolean not null default false,
  reads_after timestamptz not null default '-infinity',
  writes boolean not null default true,
  sees_members boolean not null default true,
  mark_at timestamptz,
  mark_id uuid,
  muted_until timestamptz,
  constraint conversation_views_folder check (folder in ('inbox', 'requests', 'archived', 'none')),
  constraint conversation_views_accepted check (
    case folder
      when 'requests' then not accepted
      when 'none' then true
      else accepted
    end),
  constraint conversation_views_pinned check (pinned_at is null or folder = 'inbox'),
  constraint conversation_views_pkey primary key (member_id, conversation_id),
  constraint conversation_views_member_id_fkey foreign key (member_id) references public.profiles (id) on delete cascade,
  constraint conversation_views_conversation_id_fkey foreign key (conversation_id) references public.conversations (id) on delete cascade,
  constraint conversation_views_mark check ((mark_at is null) = (mark_id is null))
) with (fillfactor = 90);
comment on table public.conversation_views is
  'How a member sees a conversation. Triggers insert two rows with each conversation; messages, follows and '
  'blocks move them.';
comment on column public.conversation_views.listed_at is
  'Orders the list of the member as last_message_at does, but changes only when another conversation is above '
  'this one: an index with last_message_at would change with each message.';
comment on column public.conversation_views.reads_after is
  'The member reads messages of others from this time on; infinity: none. Own messages can always be read.';
comment on column public.conversation_views.mark_at is
  'With mark_id: up to which message the member has read, whether or not it still exists. Never goes back.';
comment on column public.conversation_views.muted_until is 'Until then it does not count in the badge. No client sets it yet.';
create index conversation_views_pinned_idx on public.conversation_views (member_id) where (pinned_at is not null);
create index conversation_views_list_idx on public.conversation_views (member_id, folder, listed_at desc, conversation_id desc);
create index conversation_views_groups_idx on public.conversation_views (member_id, folder) where is_group;
-- Policies look one view up by both columns. Where this index is the smaller one they may use it, and read the views of all of a group.
create index conversation_views_conversation_idx on public.conversation_views (conversation_id, member_id);
alter table public.conversation_views enable row level security;
revoke all on table public.conversation_views from public, anon, authenticated;
grant select, update (folder, pinned_at, cleared_at) on table public.conversation_views to authenticated;
grant all on table public.conversation_views to service_role;

create table public.conversation_members (
  member_id uuid not null,
  invited_by uuid,
  conversation_id uuid not null,
  role text not null default 'member',
  state text not null default 'in',
  joined_at timestamptz,
  left_at timestamptz,
  read_at timestamptz,
  read_id uuid,
  constraint conversation_members_role check (role in ('owner', 'admin', 'member')),
  constraint conversation_members_state check (state in ('invited', 'in', 'left', 'removed')),
  constraint conversation_members_joined check (state <> 'in' or joined_at is not null),
  constraint conversation_members_left check ((state in ('left', 'removed')) = (left_at is not null)),
  constraint conversation_members_pkey primary key (conversation_id, member_id),
  constraint conversation_members_member_id_fkey foreign key (member_id) references public.profiles (id) on delete cascade,
  constraint conversation_members_invited_by_fkey foreign key (invited_by) references public.profiles (id) on delete set null,
  constraint conversation_members_conversation_id_fkey foreign key (conversation_id) references public.conversations (id) on delete cascade,
  constraint conversation_members_read check ((read_at is null) = (read_id is null))
) with (fillfactor = 90);
comment on table public.conversation_members is
  'Who is in a conversation, as all its members may see it. Triggers insert both of a pair, and keep what each '
  'may read in conversation_views.';
comment on column public.conversation_members.read_at is
  'With read_id: the mark that others see. It stays where it is while receipts are off, and for a request.';
create index conversation_members_member_idx on public.conversation_members (member_id);
create index conversation_members_invited_by_idx on public.conversation_members (invited_by) where (invited_by is not null);
alter table public.conversation_members enable row level security;
revoke all on table public.conversation_members from public, anon, authenticated;
grant select on table public.conversation_members to authenticated;
grant all on table public.conversation_members to service_role;

create function private.guard_conversation() returns trigger
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
comment on function private.guard_conversation() is 'Refuses a conversation with a member that the caller does not see; sets started_by.';
revoke execute on function private.guard_conversation() from public, anon, authenticated;

create function private.my_correspondents() returns table (conversation_id uuid, member_id uuid)
  language plpgsql stable security definer rows 100 set search_path = ''
as $$
#variable_conflict use_column
begin
  return query
    select theirs.conversation_id, theirs.member_id
    from (
      select id, participant_2 from public.conversations
        where participant_1 = (select auth.uid()) and participant_2_wrote
      union all
      select id, participant_1 from public.conversations
        where participant_2 = (select auth.uid()) and participant_1_wrote
    ) as theirs (conversation_id, member_id)
    where theirs.member_id not in (select private.my_hidden_ids());
end
$$;
comment on function private.my_correspondents() is 'Members who have written to the caller and are not hidden from them, each with their conversation.';
revoke execute on function private.my_correspondents() from public, anon, authenticated;

create function private.add_conversation_members() returns trigger
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
  'Both of a new pair are its members. It is listed for the one who started it; the other has not accepted it '
  'yet.';
revoke execute on function private.add_conversation_members() from public, anon, authenticated;

create function private.guard_conversation_view() returns trigger
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
    -- No message would bring a group back.
    new.folder := case when old.is_group and old.writes then old.folder else 'none' end;
    new.pinned_at := case when old.is_group then old.pinned_at end;
    new.unread := false;
    return new;
  end if;
  if not old.writes and (new.folder <> old.folder or new.pinned_at is not null) then
    raise sqlstate 'PT403' using message = 'You are not in this group.';
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
comment on function private.guard_conversation_view() is
  'Moving a conversation to the inbox accepts it. Setting cleared_at deletes it for the member, at the '
  'database''s time, and empties a group that they are in, which stays where it is listed. A group is listed '
  'where its state says, for those who are not in it.';
revoke execute on function private.guard_conversation_view() from public, anon, authenticated;

create function private.broadcast_conversation_view() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_change('conversation_views', tg_op, new.member_id, array[new.conversation_id]);
  return null;
end
$$;
comment on function private.broadcast_conversation_view() is
  'Broadcasts to a member that one of their conversations has moved, that their messages have arrived, or that '
  'they have been invited to a group, joined or left it, with the id of the conversation.';
revoke execute on function private.broadcast_conversation_view() from public, anon, authenticated;

create function public.conversation_folders() returns table (folder text, conversations integer)
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
comment on function public.conversation_folders() is
  'How many requests and archived conversations the caller has, each up to 100: the app shows 99+ above 99.';
revoke execute on function public.conversation_folders() from public, anon, authenticated;
grant execute on function public.conversation_folders() to authenticated, service_role;

create function private.broadcast_deleted_conversations() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_change('conversations', 'DELETE', told.member_id, told.ids)
    from (
      select p.id as member_id, (array_agg(c.id order by c.last_message_at desc, c.id))[1:100] as ids
      from changed c
      join public.profiles p on p.id in (c.participant_1, c.participant_2)
      group by p.id
      order by max(c.last_message_at) desc
      limit 500
    ) as told;
  return null;
end
$$;
comment on function private.broadcast_deleted_conversations() is
  'Broadcasts the ids of deleted conversations to the members whose account remains: once for each statement '
  'and member, to at most 500.';
revoke execute on function private.broadcast_deleted_conversations() from public, anon, authenticated;

create function private.keep_last_message_at() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.last_message_at := old.last_message_at;
  return new;
end
$$;
comment on function private.keep_last_message_at() is 'Keeps the time of the latest message, whatever a client sends.';
revoke execute on function private.keep_last_message_at() from public, anon, authenticated;

create function private.set_views() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  conversation public.conversations;
  is_in boolean;
  is_invited boolean;
  readable_from timestamptz;
begin
  -- The member may hold the own view. Whoever waits for it must not hold the group, for which everybody's messages wait.
  perform from public.conversation_views v
    where v.conversation_id = coalesce(new.conversation_id, old.conversation_id)
      and v.member_id = coalesce(new.member_id, old.member_id) and v.is_group
    for update;
  if tg_op = 'DELETE' then
    perform private.change_members(old.conversation_id, old.state = 'in');
    delete from public.conversation_views v
      where v.conversation_id = old.conversation_id and v.member_id = old.member_id and v.is_group;
    return null;
  end if;
  is_in := new.state = 'in';
  is_invited := new.state = 'invited';
  perform private.change_members(new.conversation_id, coalesce(old.state = 'in', false) and not is_in);
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
  'Writes what a state of a member means into that member''s own view: what it reads and writes, and where it '
  'is listed. Nothing else knows.';
revoke execute on function private.set_views() from public, anon, authenticated;

create function private.other_participant(conversation uuid, member uuid) returns uuid
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select case member when c.participant_1 then c.participant_2 when c.participant_2 then c.participant_1 end
    from public.conversations c where c.id = conversation
  );
end
$$;
comment on function private.other_participant(uuid, uuid) is 'The other of a pair; null in groups, so that rules of pairs do nothing there.';
revoke execute on function private.other_participant(uuid, uuid) from public, anon, authenticated;
grant execute on function private.other_participant(uuid, uuid) to authenticated;

create function private.mark_read(conversation uuid, until_at timestamptz, until_id uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  most constant integer := 100;
  me constant uuid := (select auth.uid());
  mine public.conversation_views;
  is_shown boolean;
  has_moved boolean;
  last_at timestamptz;
  last_id uuid;
  from_at timestamptz;
  from_id uuid;
  shown_at timestamptz;
  shown_id uuid;
  held_at timestamptz;
  held_id uuid;
  read_ids uuid[];
begin
  perform private.require_active();
  if not private.is_member() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  select * into mine from public.conversation_views v where v.member_id = me and v.conversation_id = conversation;
  if mine.reads_after is null or mine.reads_after = 'infinity' or num_nulls(until_at, until_id) > 0 then
    return false;
  end if;
  select m.created_at, m.id into last_at, last_id from public.messages m
    where m.conversation_id = conversation
      and m.created_at >= mine.reads_after and m.created_at > coalesce(mine.cleared_at, '-infinity')
    order by m.created_at desc, m.id desc limit 1;
  if last_at is null then
    return false;
  end if;
  if (until_at, until_id) < (last_at, last_id) then
    last_at := until_at;
    last_id := until_id;
  end if;
  -- A block ends what one of the two learns of the other's activity.
  is_shown := mine.accepted and not coalesce(private.is_apart(me, private.other_participant(conversation, me)), false)
    and private.shows_reading(me);

  shown_at := last_at;
  shown_id := last_id;
  -- Messages, the row of the member, the view: the order of all writers.
  if is_shown and not mine.is_group then
    -- Those up to the shown mark are read already.
    select coalesce(m.read_at, '-infinity'), coalesce(m.read_id, '00000000-0000-0000-0000-000000000000') into from_at, from_id
      from public.conversation_members m where m.conversation_id = conversation and m.member_id = me;
    read_ids := array(
      select m.id from public.messages m
      where m.conversation_id = conversation and m.sender_id <> me and not m.read
        and (m.created_at, m.id) > (from_at, from_id) and (m.created_at, m.id) <= (last_at, last_id)
      order by m.created_at, m.id limit most for no key update skip locked
    );
    -- One that its sender holds, by a slow edit, is shown as read by a later call, and those after it too.
    select m.created_at, m.id into held_at, held_id from public.messages m
      where m.conversation_id = conversation and m.sender_id <> me and not m.read
        and (m.created_at, m.id) > (from_at, from_id) and (m.created_at, m.id) <= (last_at, last_id)
        and m.id <> all (read_ids)
      order by m.created_at, m.id limit 1;
    if held_id is not null then
      read_ids := array(
        select m.id from public.messages m
        where m.id = any (read_ids) and (m.created_at, m.id) < (held_at, held_id) order by m.created_at, m.id
      );
      -- Null if the first one is held.
      select m.created_at, m.id into shown_at, shown_id from public.messages m where m.id = read_ids[cardinality(read_ids)];
    end if;
  end if;
  if is_shown and shown_id is not null then
    update public.conversation_members m set read_at = shown_at, read_id = shown_id
      where m.conversation_id = conversation and m.member_id = me and m.state = 'in'
        and (m.read_at is null or (m.read_at, m.read_id) < (shown_at, shown_id));
  end if;
  update public.conversation_views v set mark_at = last_at, mark_id = last_id
    where v.member_id = me and v.conversation_id = conversation and v.reads_after < 'infinity'
      and (v.mark_at is null or (v.mark_at, v.mark_id) < (last_at, last_id));
  has_moved := found;
  -- After the marks, which its triggers would raise without counting.
  if cardinality(read_ids) > 0 then
    update public.messages m set read = true where m.id = any (read_ids) and not m.read;
  end if;
  -- A message that arrives meanwhile waits for this lock, or is seen by the next statement.
  perform 1 from public.conversation_views v
    where v.member_id = me and v.conversation_id = conversation for no key update;
  update public.conversation_views v set unread = false, undelivered = false
    where v.member_id = me and v.conversation_id = conversation and v.unread
      and not exists (
        select from public.messages m
        where m.conversation_id = conversation and m.sender_id <> me and m.deleted_at is null
          and (m.created_at, m.id) > (v.mark_at, v.mark_id) and m.created_at > coalesce(v.cleared_at, '-infinity')
      );
  if (found or has_moved) and coalesce(cardinality(read_ids), 0) in (0, most) then
    -- Other devices of the member learn it from the messages that got read, unless there are none, or not all of them are.
    perform private.broadcast_change('conversation_views', 'UPDATE', me, array[conversation]);
  end if;
  return coalesce(cardinality(read_ids), 0) = most;
end
$$;
comment on function private.mark_read(uuid, timestamptz, uuid) is
  'Raises the caller''s mark of a conversation, never beyond the newest message that they may read; others see '
  'it if receipts are on and the request is accepted. Then up to 100 messages of a pair get read, the oldest '
  'first; returns whether more may be left. PT401, PT403, PT429.';
revoke execute on function private.mark_read(uuid, timestamptz, uuid) from public, anon, authenticated;
grant execute on function private.mark_read(uuid, timestamptz, uuid) to authenticated;

create function public.mark_read(conversation uuid, until_at timestamptz, until_id uuid) returns boolean
  language sql set search_path = ''
as $$
  select private.mark_read(conversation, until_at, until_id)
$$;
comment on function public.mark_read(uuid, timestamptz, uuid) is
  'Raises the caller''s mark of a conversation, never beyond the newest message that they may read; others see '
  'it if receipts are on and the request is accepted. Then up to 100 messages of a pair get read, the oldest '
  'first; returns whether more may be left. PT401, PT403, PT429.';
revoke execute on function public.mark_read(uuid, timestamptz, uuid) from public, anon, authenticated;
grant execute on function public.mark_read(uuid, timestamptz, uuid) to authenticated;

create function private.clear_picture() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.picture_path := null;
  return new;
end
$$;
comment on function private.clear_picture() is 'Takes the picture of a group away with the account in whose folder it is.';
revoke execute on function private.clear_picture() from public, anon, authenticated;

create function private.clear_blank_name() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.name := null;
  return new;
end
$$;
comment on function private.clear_blank_name() is 'Removes a name of a group that has only invisible characters.';
revoke execute on function private.clear_blank_name() from public, anon, authenticated;

create function private.unread_groups(of_groups uuid[], most integer) returns setof uuid
  language plpgsql stable rows 10 set search_path = ''
as $$
begin
  return query
    select v.conversation_id from public.conversation_views v
    where v.member_id = (select auth.uid()) and v.conversation_id = any (of_groups) and v.is_group and v.reads_after < 'infinity'
      and exists (
        select from (
          select m.sender_id, m.deleted_at from public.messages m
          where m.conversation_id = v.conversation_id
            -- The policies say so too, but not where to start.
            and m.created_at >= greatest(v.reads_after, v.cleared_at)
            -- Not coalesce(), which no index is asked with behind policies.
            and (m.created_at, m.id)
              > (greatest(v.mark_at, '-infinity'), greatest(v.mark_id, '00000000-0000-0000-0000-000000000000'))
          order by m.created_at desc, m.id desc limit 100
        ) as newest
        where newest.sender_id <> v.member_id and newest.deleted_at is null
          and newest.sender_id not in (select b.blocked_id from public.blocks b where b.blocker_id = (select auth.uid()))
      )
    limit most;
end
$$;
comment on function private.unread_groups(uuid[], integer) is
  'Up to that many of these groups of the caller, with a message after their mark: of another member whom they '
  'have not blocked, and not unsent. Looks at the newest hundred after the mark.';
revoke execute on function private.unread_groups(uuid[], integer) from public, anon, authenticated;
grant execute on function private.unread_groups(uuid[], integer) to authenticated, service_role;

create function public.unread_groups(of_groups uuid[]) returns table (conversation_id uuid)
  language sql stable set search_path = ''
as $$ select g from private.unread_groups(of_groups[1:100], 100) as g $$;
comment on function public.unread_groups(uuid[]) is
  'Those of up to a hundred groups of the caller that have a message which they have not read. Of pairs '
  'conversation_views.unread says it.';
revoke execute on function public.unread_groups(uuid[]) from public, anon, authenticated;
grant execute on function public.unread_groups(uuid[]) to authenticated, service_role;

create function public.my_conversations(
  before_at timestamptz default NULL::timestamptz,
  before_id uuid default NULL::uuid,
  in_folder text default 'inbox'::text,
  only_groups boolean default false
) returns setof conversations
  language plpgsql stable set search_path = '' set enable_bitmapscan = off
as $$
-- Not sql: its plan, of many policies, would be made for each call.
begin
  return query
    select * from (
      (
        select * from (
          (
            -- A look-up for each row of the page; the planner would join with all conversations of the server.
            select c.* from (
              select m.conversation_id, m.listed_at,
                -- A pair is listed by an earlier time than that of its last message while no pair is above it, but a group may be. So it may
                -- have been on the page that ended with the group.
                before_id is null or not coalesce((
                  select v.is_group from public.conversation_views v
                  where v.member_id = (select auth.uid()) and v.conversation_id = before_id
                ), false) or bool_or((m.last_message_at, m.conversation_id) < (before_at, before_id)) over listed as is_next
              from public.conversation_views m
              where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is null
                and not m.is_group and not only_groups and m.conversation_id is distinct from before_id
                and (m.listed_at, m.conversation_id)
                  < ((select coalesce(before_at, 'infinity')), (select coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
              window listed as (order by m.listed_at desc, m.conversation_id desc)
              order by m.listed_at desc, m.conversation_id desc
            ) as m
            cross join lateral (select * from public.conversations where id = m.conversation_id offset 0) as c
            where m.is_next
            order by m.listed_at desc, m.conversation_id desc limit 30
          )
          union all
          (
            select c.* from public.conversation_views m
            cross join lateral (select * from public.conversations where id = m.conversation_id offset 0) as c
            where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is null
              and m.is_group
              and (c.last_message_at, c.id)
                < ((select coalesce(before_at, 'infinity')), (select coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
          )
        ) as merged
        order by merged.last_message_at desc, merged.id desc limit 30
      )
      union all
      (
        select c.* from public.conversation_views m
        cross join lateral (select * from public.conversations where id = m.conversation_id offset 0) as c
        where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is not null
          and before_at is null and (m.is_group or not only_groups)
      )
    ) as listed
    order by listed.last_message_at desc, listed.id desc;
end
$$;
comment on function public.my_conversations(timestamptz, uuid, text, boolean) is
  'A page of thirty of the caller''s conversations in a folder, or of their groups only, latest first, from '
  'before (before_at, before_id). The first page has the pinned ones in addition.';
revoke execute on function public.my_conversations(timestamptz, uuid, text, boolean) from public, anon, authenticated;
grant execute on function public.my_conversations(timestamptz, uuid, text, boolean) to authenticated, service_role;

create trigger conversations_allow before insert on public.conversations
  for each row when (pg_catalog.row_security_active('public.conversations')) execute function private.count_quota('conversations');
create trigger conversations_guard before insert on public.conversations
  for each row execute function private.guard_conversation();
create trigger conversations_add_members after insert on public.conversations
  for each row execute function private.add_conversation_members();
create trigger conversations_broadcast_delete after delete on public.conversations
  referencing old table as changed for each statement execute function private.broadcast_deleted_conversations();
create trigger conversations_allow_update before update on public.conversations
  for each row when (pg_catalog.row_security_active('public.conversations'))
  execute function private.count_quota('conversation_changes');
create trigger conversations_keep_time before update of last_message_at on public.conversations
  for each row when (pg_catalog.row_security_active('public.conversations'))
  execute function private.keep_last_message_at();
create trigger conversations_clear_picture before update of pictured_by on public.conversations
  for each row when (new.pictured_by is null) execute function private.clear_picture();
create trigger conversations_clear_blank_name before insert or update of name on public.conversations
  for each row when (not private.is_visible(new.name)) execute function private.clear_blank_name();
create trigger conversations_check_objects before insert or update of picture_path on public.conversations
  for each row when (new.picture_path is not null) execute function private.check_objects('pictured_by', 'picture_path');

create trigger conversation_views_guard before update of folder, pinned_at, cleared_at on public.conversation_views
  for each row execute function private.guard_conversation_view();
create trigger conversation_views_broadcast after update on public.conversation_views
  for each row when (
    old.folder is distinct from new.folder
    or old.pinned_at is distinct from new.pinned_at
    or old.cleared_at is distinct from new.cleared_at
    or old.delivered_at is distinct from new.delivered_at
    or old.reads_after is distinct from new.reads_after
  )
  execute function private.broadcast_conversation_view();
create trigger conversation_views_allow before update of folder, pinned_at, cleared_at on public.conversation_views
  for each row when (row_security_active('public.conversation_views')) execute function private.count_quota('conversation_changes');

-- Of mark_read() only: marking messages is counted already.
create trigger conversation_views_allow_mark before update of mark_at, mark_id on public.conversation_views
  for each row when (new.member_id = auth.uid() and pg_trigger_depth() = 0) execute function private.count_quota('read_marks');
create trigger conversation_views_broadcast_insert after insert on public.conversation_views
  for each row when (new.is_group) execute function private.broadcast_conversation_view();

create trigger conversation_members_set_views after insert or update of state, joined_at on public.conversation_members
  for each row execute function private.set_views();
create trigger conversation_members_drop_views after delete on public.conversation_members
  for each row execute function private.set_views();

create policy conversations_session on public.conversations as restrictive for all to authenticated
  using (
    nullif((select private.is_member()), false) is not null
    or (kind = 'group' or participant_1 = (select auth.uid()) or participant_2 = (select auth.uid()))
      and nullif((select private.has_account()), false) is not null
  )
  with check (nullif((select private.is_member()), false) is not null);

-- A `case` instead of `a or b`: given the latter, the planner combines the two columns' indexes and reads all that a member
-- ever wrote or received to find one conversation's last message. It can use a `case` only as a filter.
create policy conversations_select on public.conversations for select to authenticated
  using (
    case (select auth.uid())
      when participant_1 then true
      when participant_2 then true
      else kind = 'group' and exists (
        select from public.conversation_views v
        where v.member_id = (select auth.uid()) and v.conversation_id = conversations.id and v.sees_members offset 0
      )
    end
  );
create policy conversations_insert on public.conversations for insert to authenticated
  with check (participant_1 = (select auth.uid()) or participant_2 = (select auth.uid()));
create policy conversations_update on public.conversations for update to authenticated
  using (case (select auth.uid()) when participant_1 then true when participant_2 then true else false end);

-- `not (null in (…))` is null as soon as one account is being removed, and would hide every group.
create policy conversations_removed on public.conversations as restrictive for select to authenticated
  using (
    not coalesce(participant_1 in (select private.removed_member_ids()), false)
    and not coalesce(participant_2 in (select private.removed_member_ids()), false)
  );

create policy conversation_views_session on public.conversation_views as restrictive for all to authenticated
  using (
    nullif((select private.is_member()), false) is not null
    or member_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
  )
  with check (nullif((select private.is_member()), false) is not null);
create policy conversation_views_select on public.conversation_views for select to authenticated
  using (member_id = (select auth.uid()));
create policy conversation_views_update on public.conversation_views for update to authenticated
  using (member_id = (select auth.uid()))
  with check (member_id = (select auth.uid()));

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

set check_function_bodies = on;
