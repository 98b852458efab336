-- Realtime delivers changes of messages and notifications as broadcasts in the private channels of the members concerned
-- (docs/decisions/0029). They contain ids: the client reads the rows, and row security decides what it gets. On servers that
-- store no broadcasts, small new rows are included. There is one broadcast per statement and member, because Realtime's
-- quota counts broadcasts. `own` says whether the member made the change: the app already shows it, so it reads the row a
-- little later than the other members.

create function private.broadcasts_carry_rows() returns boolean
  language sql stable set search_path = ''
as $$
  select to_regprocedure('realtime.stores_no_broadcasts()') is not null
$$;
comment on function private.broadcasts_carry_rows() is
  'Whether broadcasts include new rows. Hosted servers store broadcasts for days, and a client may have them replayed: the '
  'text of an unsent message would remain there.';
revoke execute on function private.broadcasts_carry_rows() from public, anon, authenticated;

create function private.broadcast_change(
  changed_table text, operation text, member uuid, ids uuid[], new_rows jsonb default null
)
  returns void
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
    payload := jsonb_build_object(
      'table', changed_table,
      'type', operation,
      'ids', ids[start : start + 99],
      'own', coalesce(member = (select auth.uid()), false)
    );
    if octet_length(payload::text) + octet_length(new_rows::text) < 7500 then
      payload := payload || jsonb_build_object('rows', new_rows);
    end if;
    perform realtime.send(payload, 'change', 'member:' || member, true);
  end loop;
exception when others then
  -- The client sees the change when it refetches; a write that fails would be lost.
  raise warning 'A change of % was not broadcast: %', changed_table, sqlerrm;
end
$$;
comment on function private.broadcast_change(text, text, uuid, uuid[], jsonb) is
  'Broadcasts the ids of changed rows in the private channel of a member, with new_rows, an array, if they are small. '
  'Never fails: a write does not depend on Realtime.';
revoke execute on function private.broadcast_change(text, text, uuid, uuid[], jsonb) from public, anon, authenticated;

create function private.broadcast_messages() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_change('messages', tg_op, concerned.member, concerned.ids, concerned.new_rows)
    from (
      select
        members.id as member,
        array_agg(changed.id order by changed.created_at, changed.id) as ids,
        -- Sender and recipient may see every version of their messages. An update may follow another: clients read it.
        case when tg_op = 'INSERT' and private.broadcasts_carry_rows() then jsonb_agg(changed) end as new_rows
      from changed
      cross join lateral (values (changed.sender_id), (changed.recipient_id)) as members (id)
      group by members.id
    ) as concerned;
  return null;
end
$$;
comment on function private.broadcast_messages() is 'Broadcasts new and changed messages to their sender and recipient.';
revoke execute on function private.broadcast_messages() from public, anon, authenticated;

create function private.broadcast_notifications() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_change('notifications', tg_op, concerned.user_id, concerned.ids, concerned.new_rows)
    from (
      select
        changed.user_id,
        array_agg(changed.id order by changed.created_at, changed.id) as ids,
        -- A block hides notifications of the other member.
        case when private.broadcasts_carry_rows() then
          jsonb_agg(changed) filter (where not exists (
            select 1 from public.blocks b
            where (b.blocker_id, b.blocked_id) in ((changed.user_id, changed.actor_id), (changed.actor_id, changed.user_id))
          ))
        end as new_rows
      from changed
      group by changed.user_id
    ) as concerned;
  return null;
end
$$;
comment on function private.broadcast_notifications() is 'Broadcasts new notifications to their recipients.';
revoke execute on function private.broadcast_notifications() from public, anon, authenticated;

do $$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    raise warning 'Realtime is not set up: realtime.send is missing'
      using hint = 'Changes are broadcast as soon as it is there.';
  end if;
end
$$;
