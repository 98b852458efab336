-- Marking what is marked already writes nothing, and taking marks back is limited: a statement marks thousands of rows, each version of a row
-- takes space until it is vacuumed, and changed messages are broadcast. docs/decisions/0027-quotas.md

create trigger messages_allow_unread before update of read on public.messages
  for each row when (row_security_active('public.messages') and old.read and not new.read)
  execute function private.count_quota('message_changes');

-- The last trigger before an update, by its name: it sees what the others have made of the row.
create trigger messages_write_changes before update on public.messages
  for each row execute function pg_catalog.suppress_redundant_updates_trigger();

create function private.skip_update() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  return null;
end
$$;
comment on function private.skip_update() is 'Leaves a row as it is.';
revoke execute on function private.skip_update() from public, anon, authenticated;

-- Clients can change no other column.
create trigger notifications_keep_read before update of read on public.notifications
  for each row when (row_security_active('public.notifications') and (old.read or not new.read))
  execute function private.skip_update();
