-- Statements on rows that others have a right to end are counted last, not first: who held such a row by several requests waited for the own counter,
-- and took the row before those who waited for it. docs/decisions/0111-short-writes.md.
DROP TRIGGER "follow_requests_allow_delete" ON "public"."follow_requests";

DROP TRIGGER "follows_allow_delete" ON "public"."follows";

DROP TRIGGER "message_reactions_allow_change" ON "public"."message_reactions";

DROP TRIGGER "message_reactions_allow_delete" ON "public"."message_reactions";

DROP TRIGGER "notifications_allow_delete" ON "public"."notifications";

DROP TRIGGER "notifications_allow_read" ON "public"."notifications";

DROP TRIGGER "post_tags_allow_delete" ON "public"."post_tags";

CREATE OR REPLACE FUNCTION public.end_follow(follower uuid, following uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  -- Counts against the quota while nothing is held: it may wait longer than others for the counter too.
  delete from public.follow_requests where false;
  -- The request first: if it is accepted at the same moment, the second statement ends the follow.
  delete from public.follow_requests where requester_id = follower and target_id = following;
  delete from public.follows where follower_id = follower and following_id = following;
$function$;

CREATE FUNCTION private.refuse_spent() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  spent record;
begin
  perform private.require_active();
  select u.in_minute >= q.per_minute and u.minute_since > now() - interval '1 minute' as minute,
      u.in_day >= q.per_day and u.day_since > now() - interval '1 day' as day into spent
    from private.quota_usage u join private.quotas q on q.kind = u.kind
    where u.member_id = (select auth.uid()) and u.kind = tg_argv[0];
  if spent.minute then
    perform private.raise_quota_exceeded(tg_argv[0], true);
  elsif spent.day then
    perform private.raise_quota_exceeded(tg_argv[0], false);
  end if;
  return null;
end
$$;
comment on function private.refuse_spent() is
  'Refuses a statement whose quota is used up before it writes anything, and waits for nobody: count_quota() counts it last.';
revoke execute on function private.refuse_spent() from public, anon, authenticated;

CREATE TRIGGER follow_requests_allow_delete BEFORE DELETE ON public.follow_requests FOR EACH STATEMENT WHEN (row_security_active('public.follow_requests'::text)) EXECUTE FUNCTION private.refuse_spent('removals');

CREATE TRIGGER follows_allow_delete BEFORE DELETE ON public.follows FOR EACH STATEMENT WHEN (row_security_active('public.follows'::text)) EXECUTE FUNCTION private.refuse_spent('removals');

CREATE TRIGGER message_reactions_allow_change BEFORE UPDATE ON public.message_reactions FOR EACH STATEMENT WHEN (row_security_active('public.message_reactions'::text)) EXECUTE FUNCTION private.refuse_spent('reactions');

CREATE TRIGGER message_reactions_allow_delete BEFORE DELETE ON public.message_reactions FOR EACH STATEMENT WHEN (row_security_active('public.message_reactions'::text)) EXECUTE FUNCTION private.refuse_spent('removals');

CREATE TRIGGER notifications_allow_delete BEFORE DELETE ON public.notifications FOR EACH STATEMENT WHEN (row_security_active('public.notifications'::text)) EXECUTE FUNCTION private.refuse_spent('removals');

CREATE TRIGGER notifications_allow_read BEFORE UPDATE OF read ON public.notifications FOR EACH STATEMENT WHEN (row_security_active('public.notifications'::text)) EXECUTE FUNCTION private.refuse_spent('read_marks');

CREATE TRIGGER post_tags_allow_delete BEFORE DELETE ON public.post_tags FOR EACH STATEMENT WHEN (row_security_active('public.post_tags'::text)) EXECUTE FUNCTION private.refuse_spent('removals');

CREATE TRIGGER follow_requests_tally_delete AFTER DELETE ON public.follow_requests FOR EACH STATEMENT WHEN (row_security_active('public.follow_requests'::text)) EXECUTE FUNCTION private.count_quota('removals');

CREATE TRIGGER follows_tally_delete AFTER DELETE ON public.follows FOR EACH STATEMENT WHEN (row_security_active('public.follows'::text)) EXECUTE FUNCTION private.count_quota('removals');

CREATE TRIGGER message_reactions_tally_change AFTER UPDATE ON public.message_reactions FOR EACH STATEMENT WHEN (row_security_active('public.message_reactions'::text)) EXECUTE FUNCTION private.count_quota('reactions');

CREATE TRIGGER message_reactions_tally_delete AFTER DELETE ON public.message_reactions FOR EACH STATEMENT WHEN (row_security_active('public.message_reactions'::text)) EXECUTE FUNCTION private.count_quota('removals');

CREATE TRIGGER notifications_tally_delete AFTER DELETE ON public.notifications FOR EACH STATEMENT WHEN (row_security_active('public.notifications'::text)) EXECUTE FUNCTION private.count_quota('removals');

CREATE TRIGGER notifications_tally_read AFTER UPDATE OF read ON public.notifications FOR EACH STATEMENT WHEN (row_security_active('public.notifications'::text)) EXECUTE FUNCTION private.count_quota('read_marks');

CREATE TRIGGER post_tags_tally_delete AFTER DELETE ON public.post_tags FOR EACH STATEMENT WHEN (row_security_active('public.post_tags'::text)) EXECUTE FUNCTION private.count_quota('removals');

COMMENT ON FUNCTION "private"."count_quota"() IS 'Counts a new or changed row of the caller, or a statement, against the quota of the given kind: one index look-up for the limit and one for the counter. Runs before the row is written, so that a refused video takes no space; of statements on rows that others have a right to end, last: docs/decisions/0111-short-writes.md.';
