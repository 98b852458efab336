-- Changes that are told to members: docs/decisions/0029-broadcasts-of-changes.md.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table private.announcements (
  member_id uuid not null,
  sent_at timestamptz not null,
  constraint announcements_pkey primary key (member_id)
);
comment on table private.announcements is
  'When a member was last sent a broadcast about likes and follows. Hosted Realtime drops everybody''s '
  'broadcasts once there are too many.';
alter table private.announcements enable row level security;
revoke all on table private.announcements from public, anon, authenticated;
grant all on table private.announcements to service_role;

create table private.waiting_broadcasts (
  member_id uuid not null,
  id bigint generated always as identity,
  changed_table text not null,
  operation text not null,
  ids uuid[] not null,
  constraint waiting_broadcasts_pkey primary key (member_id, id)
);
comment on table private.waiting_broadcasts is
  'Changes of likes and follows that still have to be broadcast to a member, because one was sent within two '
  'seconds or is being sent.';
alter table private.waiting_broadcasts enable row level security;
revoke all on table private.waiting_broadcasts from public, anon, authenticated;
grant all on table private.waiting_broadcasts to service_role;

create function private.broadcasts_carry_rows() returns boolean
  language sql stable set search_path = ''
as $$
  select to_regprocedure('realtime.stores_no_broadcasts()') is not null
$$;
comment on function private.broadcasts_carry_rows() is
  'Whether broadcasts include new rows. Hosted servers store broadcasts for days, and a client may have them '
  'replayed: the text of an unsent message would remain there.';
revoke execute on function private.broadcasts_carry_rows() from public, anon, authenticated;

create function private.broadcast_change(
  changed_table text,
  operation text,
  member uuid,
  ids uuid[],
  new_rows jsonb default NULL::jsonb
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
  'Broadcasts the ids of changed rows in the private channel of a member, and whether the member made the '
  'change, with new_rows, an array, if they are small.';
revoke execute on function private.broadcast_change(text, text, uuid, uuid[], jsonb) from public, anon, authenticated;

create function private.may_announce(member uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  perform from private.announcements a
    where a.member_id = member and a.sent_at <= clock_timestamp() - interval '2 seconds'
    for no key update skip locked;
  if not found then
    return false;
  end if;
  update private.announcements set sent_at = clock_timestamp() where member_id = member;
  return true;
end
$$;
comment on function private.may_announce(uuid) is
  'Takes the turn to broadcast likes and follows to a member: false if somebody else has it, or had it within '
  'two seconds. Never waits.';
revoke execute on function private.may_announce(uuid) from public, anon, authenticated;

-- INSERT of notifications first: apps of before know only the first notice, and notifications are what their member waits for.
create function private.send_announcement(member uuid, changed_table text, operation text, ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  notices jsonb;
begin
  with waiting as (
    delete from private.waiting_broadcasts w where w.member_id = member returning w.*
  ), changes as (
    select w.id as number, w.changed_table, w.operation, w.ids from waiting w
    union all
    select null, send_announcement.changed_table, send_announcement.operation, send_announcement.ids
      where send_announcement.ids is not null
  ), latest as (
    -- Of what was done and undone, only the last.
    select distinct on (c.changed_table, row_id) c.changed_table, c.operation, row_id, c.number
    from changes c cross join unnest(c.ids) as row_id
    order by c.changed_table, row_id, c.number desc nulls first
  )
  select jsonb_agg(told.notice order by told.changed_table desc, told.operation desc) into notices from (
    select l.changed_table, l.operation, jsonb_build_object(
      'table', l.changed_table,
      'type', l.operation,
      'ids', to_jsonb((array_agg(l.row_id order by l.number desc nulls first))[1:100]),
      'own', l.changed_table = 'likes'
    ) as notice
    from latest l group by l.changed_table, l.operation
  ) as told;
  if notices is null then
    return;
  end if;
  begin
    perform realtime.send(
      (notices -> 0) || case when jsonb_array_length(notices) > 1 then jsonb_build_object('also', notices - 0) else '{}' end,
      'change', 'member:' || member, true
    );
  exception when others then
    -- The client sees the changes when it refetches.
    raise warning 'A change of % was not broadcast: %', changed_table, sqlerrm;
  end;
end
$$;
comment on function private.send_announcement(uuid, text, text, uuid[]) is
  'One broadcast to a member, whose turn the caller has taken, of these changes and those that wait: the first '
  'with the others in `also`, each with at most 100 ids.';
revoke execute on function private.send_announcement(uuid, text, text, uuid[]) from public, anon, authenticated;

create function private.announce(
  changed_table text,
  operation text,
  member uuid,
  ids uuid[],
  new_rows jsonb default NULL::jsonb
) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  if private.broadcasts_carry_rows() then
    -- An embedded server has no such limit.
    perform private.broadcast_change(changed_table, operation, member, ids, new_rows);
  elsif to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return;
  elsif private.may_announce(member) then
    perform private.send_announcement(member, changed_table, operation, ids);
  else
    insert into private.waiting_broadcasts (member_id, changed_table, operation, ids)
      values (member, changed_table, operation, ids);
  end if;
end
$$;
comment on function private.announce(text, text, uuid, uuid[], jsonb) is
  'As broadcast_change(), for likes and follows: at most one broadcast for a member and two seconds. What has '
  'to wait is sent with the next one, or by settle().';
revoke execute on function private.announce(text, text, uuid, uuid[], jsonb) from public, anon, authenticated;

create function private.waiting_members(after uuid) returns uuid[]
  language sql stable security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
  with recursive found (member, number) as (
    (select w.member_id, 1 from private.waiting_broadcasts w where w.member_id > after order by w.member_id limit 1)
    union all
    (
      select next.member_id, f.number + 1 from found f
      cross join lateral (
        select w.member_id from private.waiting_broadcasts w where w.member_id > f.member order by w.member_id limit 1
      ) as next
      where f.number < 100
    )
  )
  select array(select f.member from found f)
$$;
comment on function private.waiting_members(uuid) is
  'Up to 100 members for whom broadcasts wait, whose ids are above the given one. Reads one entry of the index '
  'for each.';
revoke execute on function private.waiting_members(uuid) from public, anon, authenticated;

create function private.settle_announcements() returns integer
  language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  members uuid[] := private.waiting_members(gen_random_uuid());
  member uuid;
begin
  if cardinality(members) < 100 then
    members := members || private.waiting_members('00000000-0000-0000-0000-000000000000');
  end if;
  -- Of members who were added without triggers, as some copies of a database are. `on conflict` alone waits for who has the turn.
  insert into private.announcements (member_id, sent_at) select w.id, '-infinity' from unnest(members) as w (id)
    where not exists (select from private.announcements a where a.member_id = w.id)
    on conflict do nothing;
  foreach member in array members loop
    if private.may_announce(member) then
      perform private.send_announcement(member, null, null, null);
    end if;
  end loop;
  -- The next turn of those that are left; soon for those that somebody else sends now, whose last turn may be long ago.
  return (
    select ceil(1000 * extract(epoch from greatest(
      min(a.sent_at) + interval '2 seconds', clock_timestamp() + interval '0.2 seconds'
    ) - clock_timestamp()))::integer
    from private.announcements a
    where a.member_id = any (members)
      and exists (select from private.waiting_broadcasts b where b.member_id = a.member_id)
    having count(*) > 0
  );
end
$$;
comment on function private.settle_announcements() is
  'Sends what waits for up to 200 members whose two seconds are over. Never waits. Returns in how many '
  'milliseconds the next one is due; null if none waits.';
revoke execute on function private.settle_announcements() from public, anon, authenticated;

set check_function_bodies = on;

do $$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    raise warning 'Realtime is not set up: realtime.send is missing'
      using hint = 'Changes are broadcast as soon as it is there.';
  end if;
end
$$;
