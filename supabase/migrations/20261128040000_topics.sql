-- Topics of conversations carry an epoch: docs/decisions/0106-members-of-conversations.md, step 6. Groups exist only by hand.

comment on column public.conversations.epoch is
  'Part of the names of its channels, which only this one opens. Raised when a member leaves or is removed, and in a pair by a block.';

create function private.may_join(topic text) returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
declare
  parts constant text[] := regexp_match(
    topic, '^(conversation|room):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(0|[1-9][0-9]{0,8})$'
  );
begin
  return parts is not null and private.is_member() and exists (
    select from public.conversation_views v
    join public.conversations c on c.id = v.conversation_id
    where v.member_id = (select auth.uid()) and v.conversation_id = parts[2]::uuid and v.reads_after < 'infinity'
      and c.epoch = parts[3]::integer
      and case
        when parts[1] = 'conversation' then v.is_group
        when v.is_group then private.shows_activity()
        else private.shows_activity() and exists (select from private.my_correspondents() w where w.conversation_id = c.id)
      end
  );
end
$$;
comment on function private.may_join(text) is
  'Whether the caller may join conversation:<id>:<epoch> of a group that they are in, or room:<id>:<epoch> of a group or of an open pair in which the other has written, while their Activity Status is on. No other epoch than the present one.';
revoke execute on function private.may_join(text) from public, anon, authenticated;
grant execute on function private.may_join(text) to authenticated;

create function private.send_change(
  channel text, changed_table text, operation text, ids uuid[], own boolean default null, new_rows jsonb default null
) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '1s'
as $$
declare
  payload jsonb;
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return;
  end if;
  -- Embedded servers broadcast at most 8,000 bytes at once, with up to 200 around the payload.
  for start in 1..cardinality(ids) by 100 loop
    payload := jsonb_strip_nulls(jsonb_build_object(
      'table', changed_table, 'type', operation, 'ids', ids[start : start + 99], 'own', own
    ));
    if octet_length(payload::text) + octet_length(new_rows::text) < 7500 then
      payload := payload || jsonb_build_object('rows', new_rows);
    end if;
    perform realtime.send(payload, 'change', channel, true);
  end loop;
exception when others then
  -- The client sees the change when it refetches; a write that fails would be lost.
  raise warning 'A change of % was not broadcast: %', changed_table, sqlerrm;
end
$$;
comment on function private.send_change(text, text, text, uuid[], boolean, jsonb) is
  'Broadcasts the ids of changed rows in a private channel, with new_rows, an array, if they are small. Never fails: a write does not depend on Realtime.';
revoke execute on function private.send_change(text, text, text, uuid[], boolean, jsonb) from public, anon, authenticated;

create or replace function private.broadcast_change(
  changed_table text, operation text, member uuid, ids uuid[], new_rows jsonb default null
) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.send_change(
    'member:' || member, changed_table, operation, ids, coalesce(member = (select auth.uid()), false), new_rows
  );
end
$$;
comment on function private.broadcast_change(text, text, uuid, uuid[], jsonb) is
  'Broadcasts the ids of changed rows in the private channel of a member, and whether the member made the change, with new_rows, an array, if they are small.';

create or replace function private.broadcast_messages() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  groups constant uuid[] := array(select distinct c.conversation_id from changed c where c.recipient_id is null);
begin
  -- touch_conversations() moves times before others get the message.
  if tg_op = 'UPDATE' then
    if not exists (select id, created_at from changed intersect select id, created_at from before) then
      return null;
    end if;
  end if;
  perform private.broadcast_change('messages', tg_op, concerned.member, concerned.ids, concerned.new_rows)
    from (
      select
        members.id as member,
        -- The latest: clients load each of them, and show at most some pages of a conversation.
        (array_agg(changed.id order by changed.created_at, changed.id))[greatest(count(*) - 499, 1):] as ids,
        -- Sender and recipient may see every version of their messages. An update may follow another: clients read it.
        case when tg_op = 'INSERT' and private.broadcasts_carry_rows() then (
          -- With the times that touch_conversations() gave them.
          select jsonb_agg(m) from public.messages m where m.id = any (array_agg(changed.id))
        ) end as new_rows
      from changed
      cross join lateral (values (changed.sender_id), (changed.recipient_id)) as members (id)
      where changed.recipient_id is not null
      group by members.id
    ) as concerned;
  if cardinality(groups) = 0 then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    -- As touch_conversations() does for new messages: before a removal or after it, and so to one epoch.
    perform 1 from public.conversations c where c.id = any (groups) order by c.id for share;
  end if;
  perform private.send_change('conversation:' || c.id || ':' || c.epoch, 'messages', tg_op, (
      select (array_agg(m.id order by m.created_at, m.id))[greatest(count(*) - 499, 1):] from changed m where m.conversation_id = c.id
    ))
    from public.conversations c where c.id = any (groups);
  return null;
end
$$;
comment on function private.broadcast_messages() is
  'Broadcasts new and changed messages, at most the latest five hundred of a statement: of pairs to their sender and recipient, of a group in the channel of its epoch, which it reads while it has the group locked.';

create function private.change_members(conversation uuid, ends boolean) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  heard integer;
begin
  -- A message that is being sent is before this change, or sees it: both lock the group.
  update public.conversations c set version = c.version + 1, epoch = c.epoch + ends::integer
    where c.id = conversation and c.kind = 'group'
    returning c.epoch - ends::integer into heard;
  if found then
    perform private.send_change('conversation:' || conversation || ':' || heard, 'conversations', 'UPDATE', array[conversation]);
  end if;
end
$$;
comment on function private.change_members(uuid, boolean) is
  'Notes a change of the members of a group and tells those who listen, in the channel of before; a new epoch if it ends somebody''s right to listen.';
revoke execute on function private.change_members(uuid, boolean) from public, anon, authenticated;

create or replace function private.set_views() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  conversation public.conversations;
  is_in boolean;
  is_invited boolean;
  readable_from timestamptz;
begin
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

create or replace trigger conversation_views_broadcast after update on public.conversation_views
  for each row when (
    old.folder is distinct from new.folder
    or old.pinned_at is distinct from new.pinned_at
    or old.cleared_at is distinct from new.cleared_at
    or old.delivered_at is distinct from new.delivered_at
    or old.reads_after is distinct from new.reads_after
  )
  execute function private.broadcast_conversation_view();
create trigger conversation_views_broadcast_insert after insert on public.conversation_views
  for each row when (new.is_group) execute function private.broadcast_conversation_view();
comment on function private.broadcast_conversation_view() is
  'Broadcasts to a member that one of their conversations has moved, that their messages have arrived, or that they have been invited to a group, joined or left it, with the id of the conversation.';

create function private.close_room(one uuid, other uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  pair uuid;
begin
  select c.id into pair from public.conversations c
    where least(c.participant_1, c.participant_2) = least(one, other)
      and greatest(c.participant_1, c.participant_2) = greatest(one, other);
  -- Whoever holds it is not waited for: nobody can keep a member from blocking them.
  update public.conversations c set epoch = c.epoch + 1
    where c.id = (select free.id from public.conversations free where free.id = pair for no key update skip locked);
  return found or pair is null;
end
$$;
comment on function private.close_room(uuid, uuid) is
  'Raises the epoch of two members'' conversation, so that a channel that is still open hears nothing of a later one. False while somebody holds it.';
revoke execute on function private.close_room(uuid, uuid) from public, anon, authenticated;

create or replace function private.on_block() returns trigger
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

create or replace function private.finish_blocks(max_rows integer) returns integer
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
