-- A deleted row of a member raises the group's version too, so that it is in order with messages that are being sent.
create or replace function private.set_views() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  conversation public.conversations;
  is_in boolean;
  is_invited boolean;
  readable_from timestamptz;
begin
  -- A message that is being sent is before this change, or sees it: both lock the group.
  update public.conversations c set version = c.version + 1
    where c.id = coalesce(new.conversation_id, old.conversation_id) and c.kind = 'group';
  if tg_op = 'DELETE' then
    delete from public.conversation_views v
      where v.conversation_id = old.conversation_id and v.member_id = old.member_id and v.is_group;
    return null;
  end if;
  is_in := new.state = 'in';
  is_invited := new.state = 'invited';
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
