-- A client of the specification updates last_message_at after sending. The call succeeds for the two participants and changes
-- nothing: the trigger of the messages has already set the time. docs/decisions/0003-calls-that-differ-from-the-specification.md

grant update (last_message_at) on table public.conversations to authenticated;

create policy conversations_update on public.conversations for update to authenticated
  using (case (select auth.uid()) when participant_1 then true when participant_2 then true else false end);

create trigger conversations_allow_update before update on public.conversations
  for each row when (pg_catalog.row_security_active('public.conversations'))
  execute function private.count_quota('conversation_changes');

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
create trigger conversations_keep_time before update of last_message_at on public.conversations
  for each row when (pg_catalog.row_security_active('public.conversations'))
  execute function private.keep_last_message_at();
