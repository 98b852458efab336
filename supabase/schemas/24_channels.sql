-- Realtime's private channels.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create function private.create_channel_policies() returns void
  language plpgsql set search_path = ''
as $$
begin
  if to_regclass('realtime.messages') is null or to_regprocedure('realtime.topic()') is null then
    raise warning 'Realtime is not set up: realtime.messages is missing'
      using hint = 'Once it is there, run: select private.create_channel_policies();';
    return;
  end if;
  drop policy if exists conversation_channels_receive on realtime.messages;
  -- Of an earlier version: only the database sends there.
  drop policy if exists conversation_channels_send on realtime.messages;
  create policy conversation_channels_receive on realtime.messages for select to authenticated
    using (
      extension = 'broadcast'
      and (select realtime.topic()) like 'conversation:%'
      and (select private.may_join((select realtime.topic())))
    );
  drop policy if exists room_channels_receive on realtime.messages;
  create policy room_channels_receive on realtime.messages for select to authenticated
    using (
      extension in ('broadcast', 'presence')
      and (select realtime.topic()) like 'room:%'
      and (select private.may_join((select realtime.topic())))
    );
  drop policy if exists room_channels_send on realtime.messages;
  create policy room_channels_send on realtime.messages for insert to authenticated
    with check (
      extension in ('broadcast', 'presence')
      and (select realtime.topic()) like 'room:%'
      and (select private.may_join((select realtime.topic())))
    );
  drop policy if exists member_channel_receive on realtime.messages;
  create policy member_channel_receive on realtime.messages for select to authenticated
    using (
      extension = 'broadcast'
      and (select realtime.topic()) = 'member:' || (select auth.uid())
      and (select private.is_member())
    );
  -- Row security of posts decides who may read it.
  drop policy if exists post_channels_receive on realtime.messages;
  create policy post_channels_receive on realtime.messages for select to authenticated
    using (
      extension = 'broadcast'
      and (select private.is_member())
      and exists (
        select 1 from public.posts p
        where p.id = case
          when (select realtime.topic()) ~ '^post:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
            then substr((select realtime.topic()), 6)::uuid
        end
      )
    );
end
$$;
comment on function private.create_channel_policies() is
  'Creates the policies of the private channels. Call it again if Realtime was set up after the migrations.';
revoke execute on function private.create_channel_policies() from public, anon, authenticated;

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
  'Whether the caller may join conversation:<id>:<epoch> of a group that they are in, or room:<id>:<epoch> of '
  'a group or of an open pair in which the other has written, while their Activity Status is on. No other '
  'epoch than the present one.';
revoke execute on function private.may_join(text) from public, anon, authenticated;
grant execute on function private.may_join(text) to authenticated;

create function private.send_change(
  channel text,
  changed_table text,
  operation text,
  ids uuid[],
  own boolean default NULL::boolean,
  new_rows jsonb default NULL::jsonb
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
  'Broadcasts the ids of changed rows in a private channel, with new_rows, an array, if they are small. Never '
  'fails: a write does not depend on Realtime.';
revoke execute on function private.send_change(text, text, text, uuid[], boolean, jsonb) from public, anon, authenticated;

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
  'Notes a change of the members of a group and tells those who listen, in the channel of before; a new epoch '
  'if it ends somebody''s right to listen.';
revoke execute on function private.change_members(uuid, boolean) from public, anon, authenticated;

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
  'Raises the epoch of two members'' conversation, so that a channel that is still open hears nothing of a '
  'later one. False while somebody holds it.';
revoke execute on function private.close_room(uuid, uuid) from public, anon, authenticated;

set check_function_bodies = on;

-- Realtime's private channels: see private.may_join(). Changes have
-- a private channel because a project may allow private channels only, and because no policy lets clients write to it.
do $$
declare
  live text;
begin
  if exists (select 1 from pg_catalog.pg_publication where pubname = 'supabase_realtime' and not puballtables) then
    foreach live in array array['messages', 'notifications'] loop
      if not exists (
        select 1 from pg_catalog.pg_publication_tables
        where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = live
      ) then
        execute format('alter publication supabase_realtime add table public.%I', live);
      end if;
    end loop;
  end if;
end
$$;

select private.create_channel_policies();
