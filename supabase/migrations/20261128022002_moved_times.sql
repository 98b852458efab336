-- A message whose time was moved is broadcast once, as new: an update of it came first, of a message that nobody knew.
create or replace function private.broadcast_messages() returns trigger
  language plpgsql security definer set search_path = ''
as $$
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
  return null;
end
$$;

create or replace trigger messages_broadcast_update after update on public.messages
  referencing old table as before new table as changed for each statement execute function private.broadcast_messages();
