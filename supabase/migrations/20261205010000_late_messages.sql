-- A message, an edit or a reaction that began before a block, or an edit that began before a removal from a group, is refused at the end of its statement.
CREATE OR REPLACE FUNCTION private.refuse_apart()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  apart boolean;
begin
  case tg_table_name
    when 'likes', 'comments', 'saved_posts' then
      select bool_or(private.is_apart(c.user_id, p.user_id)) into apart
        from changed c join public.posts p on p.id = c.post_id;
    when 'comment_likes' then
      select bool_or(private.is_apart(c.user_id, o.user_id) or private.is_apart(c.user_id, p.user_id)) into apart
        from changed c join public.comments o on o.id = c.comment_id join public.posts p on p.id = o.post_id;
    when 'story_views' then
      select bool_or(private.is_apart(c.viewer_id, s.user_id)) into apart
        from changed c join public.stories s on s.id = c.story_id;
    when 'follows' then
      select bool_or(private.is_apart(c.follower_id, c.following_id)) into apart from changed c;
    when 'follow_requests' then
      select bool_or(private.is_apart(c.requester_id, c.target_id)) into apart from changed c;
    when 'messages' then
      -- Of an update only edits, which have the time of this transaction. Who sends has the group locked, and was looked up then.
      select bool_or(
        private.is_apart(s.sender_id, private.other_participant(s.conversation_id, s.sender_id))
        or tg_op = 'UPDATE' and not exists (
          select from public.conversation_views v
          where v.member_id = s.sender_id and v.conversation_id = s.conversation_id and v.writes offset 0
        )
      ) into apart
        from (
          select distinct c.sender_id, c.conversation_id from changed c where tg_op = 'INSERT' or c.edited_at = now()
        ) as s;
    when 'message_reactions' then
      select bool_or(private.is_apart(c.member_id, private.other_participant(c.conversation_id, c.member_id))) into apart
        from changed c;
  end case;
  if apart and tg_table_name in ('follows', 'follow_requests') then
    raise sqlstate 'PT404' using message = 'There is no such account.';
  elsif apart and tg_table_name in ('messages', 'message_reactions') then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  elsif apart then
    -- As the policy does that did not see the block yet.
    raise insufficient_privilege using
      message = format('new row violates row-level security policy for table "%s"', tg_table_name);
  end if;
  return null;
end
$function$;

CREATE TRIGGER message_reactions_touched_refuse_apart_change AFTER UPDATE ON public.message_reactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.message_reactions'::text)) EXECUTE FUNCTION private.refuse_apart();

CREATE TRIGGER message_reactions_touched_refuse_apart AFTER INSERT ON public.message_reactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.message_reactions'::text)) EXECUTE FUNCTION private.refuse_apart();

CREATE TRIGGER messages_touched_refuse_apart_edit AFTER UPDATE ON public.messages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.messages'::text)) EXECUTE FUNCTION private.refuse_apart();

CREATE TRIGGER messages_touched_refuse_apart AFTER INSERT ON public.messages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.messages'::text)) EXECUTE FUNCTION private.refuse_apart();

COMMENT ON FUNCTION "private"."refuse_apart"() IS 'Refuses what a member does to another while one blocks the other, and edits of who was removed from a group, which the policy or the first triggers of the table could not see yet. At the end of the statement: its answer may be slow.';
