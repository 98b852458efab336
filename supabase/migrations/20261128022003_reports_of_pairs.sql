-- The conversation of two members is looked up by its key, and groups are the caller's own: all conversations of the reported member
-- were read, which a member who has blocked the caller can have by the thousand.
alter policy reports_insert on public.reports with check (
  reporter_id = (select auth.uid())
  and (
    exists (select from public.profiles p where p.id = reports.member_id)
    or exists (select from public.blocks b where b.blocked_id = reports.member_id)
    or exists (
      select from public.conversations c
      where least(c.participant_1, c.participant_2) = least(reports.reporter_id, reports.member_id)
        and greatest(c.participant_1, c.participant_2) = greatest(reports.reporter_id, reports.member_id)
    )
    or exists (
      select from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.is_group and v.sees_members
        and exists (
          select from public.conversation_members m
          where m.conversation_id = v.conversation_id and m.member_id = reports.member_id offset 0
        )
    )
  )
  and (post_id is null or exists (select from public.posts p where p.id = reports.post_id and p.user_id = reports.member_id))
);
