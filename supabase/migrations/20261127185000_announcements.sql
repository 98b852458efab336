-- Likes and follows are broadcast to a member at most once in two seconds: docs/decisions/0096-counters-and-events.md

create table private.announcements (
  member_id uuid primary key references public.profiles on delete cascade,
  sent_at timestamptz not null
);
comment on table private.announcements is 'When a member was last sent a broadcast about likes and follows. Hosted Realtime drops everybody''s broadcasts once there are too many.';
alter table private.announcements enable row level security;
revoke all on table private.announcements from public, anon, authenticated;
grant all on table private.announcements to service_role;

create table private.waiting_broadcasts (
  member_id uuid not null references public.profiles on delete cascade,
  id bigint not null generated always as identity,
  changed_table text not null,
  operation text not null,
  ids uuid[] not null,
  primary key (member_id, id)
);
comment on table private.waiting_broadcasts is
  'Changes of likes and follows that still have to be broadcast to a member, because one was sent within two seconds or is being sent.';
alter table private.waiting_broadcasts enable row level security;
revoke all on table private.waiting_broadcasts from public, anon, authenticated;
grant all on table private.waiting_broadcasts to service_role;

create function private.may_announce(member uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  -- A lock and not the row, which may not exist yet: an insert would wait for that of another.
  if not pg_catalog.pg_try_advisory_xact_lock(pg_catalog.hashtextextended(member::text, 7246004)) then
    return false;
  end if;
  insert into private.announcements as a (member_id, sent_at) values (member, clock_timestamp())
    on conflict (member_id) do update set sent_at = excluded.sent_at
      where a.sent_at <= clock_timestamp() - interval '2 seconds';
  return found;
end
$$;
comment on function private.may_announce(uuid) is
  'Takes the turn to broadcast likes and follows to a member: false if somebody else has it, or had it within two seconds. Never waits.';
revoke execute on function private.may_announce(uuid) from public, anon, authenticated;

-- As for counters, the plan must not read all of the queue.
create function private.send_announcement(member uuid, changed_table text, operation text, ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set enable_seqscan to off
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
  select jsonb_agg(told.notice order by told.changed_table, told.operation) into notices from (
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
  'One broadcast to a member, whose turn the caller has taken, of these changes and those that wait: the first with the others in `also`, each with at most 100 ids.';
revoke execute on function private.send_announcement(uuid, text, text, uuid[]) from public, anon, authenticated;

create function private.announce(changed_table text, operation text, member uuid, ids uuid[], new_rows jsonb default null) returns void
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
  'As broadcast_change(), for likes and follows: at most one broadcast for a member and two seconds. What has to wait is sent with the next one, or by settle().';
revoke execute on function private.announce(text, text, uuid, uuid[], jsonb) from public, anon, authenticated;

create or replace function private.broadcast_own_likes() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.announce('likes', tg_op, told.user_id, told.ids)
    from (
      select c.user_id, (array_agg(c.post_id order by c.created_at desc, c.post_id))[1:100] as ids
      from changed c
      -- Not for likes that are deleted with their post or member.
      join public.posts p on p.id = c.post_id
      join public.profiles m on m.id = c.user_id
      group by c.user_id
      limit 100
    ) as told;
  return null;
end
$$;

create or replace function private.broadcast_notifications() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  concerned record;
begin
  for concerned in
    select
      changed.user_id,
      changed.type in ('like', 'comment_like', 'follow') as may_wait,
      array_agg(changed.id order by changed.created_at, changed.id) as ids,
      -- A block hides notifications of the other member.
      case when private.broadcasts_carry_rows() then
        jsonb_agg(changed) filter (where not exists (
          select 1 from public.blocks b
          where (b.blocker_id, b.blocked_id) in ((changed.user_id, changed.actor_id), (changed.actor_id, changed.user_id))
        ))
      end as new_rows
    from changed
    group by changed.user_id, may_wait
  loop
    if concerned.may_wait then
      perform private.announce('notifications', tg_op, concerned.user_id, concerned.ids, concerned.new_rows);
    else
      perform private.broadcast_change('notifications', tg_op, concerned.user_id, concerned.ids, concerned.new_rows);
    end if;
  end loop;
  return null;
end
$$;

create or replace function private.broadcast_deleted_notifications() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  told record;
begin
  for told in
    select c.user_id, c.type in ('like', 'comment_like', 'follow') as may_wait,
      (array_agg(c.id order by c.created_at desc, c.id))[1:100] as ids
    from changed c
    -- Not to members who are deleted with their notifications.
    join public.profiles p on p.id = c.user_id
    group by c.user_id, may_wait
    order by max(c.created_at) desc
    limit 500
  loop
    if told.may_wait then
      perform private.announce('notifications', 'DELETE', told.user_id, told.ids);
    else
      perform private.broadcast_change('notifications', 'DELETE', told.user_id, told.ids);
    end if;
  end loop;
  return null;
end
$$;

create function private.waiting_members(after uuid) returns uuid[]
  language sql stable security definer set search_path = '' set enable_seqscan to off
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
  'Up to 100 members for whom broadcasts wait, whose ids are above the given one. Reads one entry of the index for each.';
revoke execute on function private.waiting_members(uuid) from public, anon, authenticated;

create function private.settle_announcements() returns integer
  language plpgsql security definer set search_path = '' set enable_seqscan to off
as $$
declare
  members uuid[] := private.waiting_members(gen_random_uuid());
  member uuid;
begin
  if cardinality(members) < 100 then
    members := members || private.waiting_members('00000000-0000-0000-0000-000000000000');
  end if;
  foreach member in array members loop
    if private.may_announce(member) then
      perform private.send_announcement(member, null, null, null);
    end if;
  end loop;
  -- The next turn of those that are left; soon for those that somebody else sends now.
  return (
    select case when count(*) > 0 then greatest(200, ceil(1000 * extract(epoch from
      min(coalesce(a.sent_at + interval '2 seconds', clock_timestamp())) - clock_timestamp()
    )))::integer end
    from unnest(members) as w (id) left join private.announcements a on a.member_id = w.id
    where exists (select from private.waiting_broadcasts b where b.member_id = w.id)
  );
end
$$;
comment on function private.settle_announcements() is
  'Sends what waits for up to 200 members whose two seconds are over. Never waits. Returns in how many milliseconds the next one is due; null if none waits.';
revoke execute on function private.settle_announcements() from public, anon, authenticated;

create or replace function private.settle_waiting() returns integer
  language plpgsql security definer set search_path = ''
as $$
begin
  -- Least ignores what is null.
  return least(case when private.settle_counts() then 200 end, private.settle_announcements());
end
$$;
