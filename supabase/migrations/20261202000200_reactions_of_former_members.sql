-- Who left or was removed keeps the own messages, and read reactions that members gave to them later, as did who came back. Reactions of others
-- follow the rule of others' messages: from reads_after on.
alter policy message_reactions_select on public.message_reactions
  using (
    exists (
      select from public.messages m
      where m.id = message_reactions.message_id
        and (
          message_reactions.member_id = (select auth.uid())
          or exists (
            select from public.conversation_views v
            where v.member_id = (select auth.uid()) and v.conversation_id = m.conversation_id and m.created_at >= v.reads_after
          )
        )
      offset 0
    )
  );
