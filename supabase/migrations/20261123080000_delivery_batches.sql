-- A member may have thousands of conversations with new messages: one call reports the latest two hundred, the next call more.

create or replace function private.mark_delivered() returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  received uuid[];
begin
  if not private.is_member() then
    return;
  end if;
  received := array(
    select m.conversation_id
    from public.conversation_members m
    join public.conversations c on c.id = m.conversation_id
    where m.member_id = me and m.undelivered and m.folder = 'inbox'
      and case me when c.participant_1 then c.participant_2 else c.participant_1 end
        not in (select private.my_hidden_ids())
    order by m.last_message_at desc limit 200
  );
  if cardinality(received) = 0 then
    return;
  end if;
  -- A message that is being sent meanwhile waits for this lock, or is seen by the next statements.
  perform 1 from public.conversation_members m
    where m.conversation_id = any (received) order by m.conversation_id, m.member_id for no key update;
  update public.conversation_members theirs
    set delivered_at = greatest(theirs.delivered_at, mine.last_message_at)
    from public.conversation_members mine
    where mine.member_id = me and mine.undelivered and mine.conversation_id = any (received)
      and theirs.conversation_id = mine.conversation_id and theirs.member_id <> me;
  update public.conversation_members m set undelivered = false
    where m.member_id = me and m.conversation_id = any (received);
end
$$;
comment on function private.mark_delivered() is
  'Reports to the senders of the caller''s new messages that they have arrived, in the latest two hundred conversations. Requests and '
  'closed conversations report nothing. Takes no lock if there is nothing to report.';
