-- Who sees and writes reactions (20261128041300).

create policy message_reactions_session on public.message_reactions as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null
    or member_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy message_reactions_removed on public.message_reactions as restrictive for select to authenticated
  using (not member_id in (select private.removed_member_ids()));
create policy message_reactions_select on public.message_reactions for select to authenticated
  using (exists (select from public.messages m where m.id = message_reactions.message_id offset 0));
create policy message_reactions_insert on public.message_reactions for insert to authenticated
  with check (
    member_id = (select auth.uid())
    and exists (select from public.messages m where m.id = message_reactions.message_id offset 0)
    and exists (
      select from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = message_reactions.conversation_id and v.writes
    )
  );
create policy message_reactions_update on public.message_reactions for update to authenticated
  using (member_id = (select auth.uid()))
  with check (
    member_id = (select auth.uid())
    and exists (
      select from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = message_reactions.conversation_id and v.writes
    )
  );
create policy message_reactions_delete on public.message_reactions for delete to authenticated
  using (member_id = (select auth.uid()));
grant select, insert (message_id, member_id, emoji), update (emoji), delete on public.message_reactions to authenticated;

-- What only the columns of reactions needed.
drop trigger messages_guard_request on public.messages;
drop function private.guard_request();
drop trigger messages_guard_update on public.messages;
create trigger messages_guard_update before update of deleted_at on public.messages
  for each row execute function private.guard_message_update();
drop trigger messages_allow_change on public.messages;
create trigger messages_allow_change before update of deleted_at on public.messages
  for each row when (row_security_active('public.messages')) execute function private.count_quota('message_changes');
