-- Rows that a member may hold though others have a right to change or remove them are held for 800 ms at most, by PostgREST's function before
-- each request; who has that right calls a function that may wait longer. docs/decisions/0111-short-writes.md.
CREATE FUNCTION private.before_request()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  path constant text := current_setting('request.path', true);
begin
  -- The path as it was sent: one that is written in another way, which PostgREST decodes, is none of the plain ones.
  if current_user = 'authenticated' and current_setting('request.method', true) not in ('GET', 'HEAD')
    and (path !~ '^/(rpc/)?[a-z_]+$' or path in (
      '/follows', '/follow_requests', '/post_tags', '/notifications', '/conversations', '/conversation_views', '/message_reactions',
      '/rpc/graphql'
    ))
  then
    perform set_config('statement_timeout', '800ms', true);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.set_views()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  conversation public.conversations;
  is_in boolean;
  is_invited boolean;
  readable_from timestamptz;
begin
  -- The member may hold the own view. Whoever waits for it must not hold the group, for which everybody's messages wait.
  perform from public.conversation_views v
    where v.conversation_id = coalesce(new.conversation_id, old.conversation_id)
      and v.member_id = coalesce(new.member_id, old.member_id) and v.is_group
    for update;
  if tg_op = 'DELETE' then
    perform private.change_members(old.conversation_id, old.state = 'in');
    delete from public.conversation_views v
      where v.conversation_id = old.conversation_id and v.member_id = old.member_id and v.is_group;
    return null;
  end if;
  is_in := new.state = 'in';
  is_invited := new.state = 'invited';
  perform private.change_members(new.conversation_id, coalesce(old.state = 'in', false) and not is_in);
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
$function$;

CREATE FUNCTION public.end_follow(follower uuid, following uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  -- The request first: if it is accepted at the same moment, the second statement ends the follow.
  delete from public.follow_requests where requester_id = follower and target_id = following;
  delete from public.follows where follower_id = follower and following_id = following;
$function$;

COMMENT ON FUNCTION "private"."before_request"() IS 'PostgREST calls it before the statement of each request. What a member may hold though others have a right to change or remove it is held for 800 ms: docs/decisions/0111-short-writes.md.';

COMMENT ON FUNCTION "public"."end_follow"(uuid, uuid) IS 'Ends a follow, and withdraws or declines a request, of which the caller is one of the two. Nothing of it can be made slow, and it may wait longer than who holds the row: docs/decisions/0111-short-writes.md.';

REVOKE ALL ON FUNCTION "private"."before_request"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."before_request"() TO "anon", "authenticated", "service_role";

revoke execute on function public.end_follow(uuid, uuid) from public, anon, authenticated;

GRANT EXECUTE ON FUNCTION "public"."end_follow"(uuid, uuid) TO "authenticated", "service_role";

do $$
begin
  -- A project's own function stays, and calls this one. The embedded server has no such role.
  if exists (select from pg_catalog.pg_roles r where r.rolname = 'authenticator') and not exists (
    select from pg_catalog.pg_roles r
    where r.rolname = 'authenticator' and array_to_string(r.rolconfig, ' ') ~ 'pgrst.db_pre_request'
  ) then
    alter role authenticator set pgrst.db_pre_request = 'private.before_request';
  end if;
end
$$;
select pg_catalog.pg_notify('pgrst', 'reload config');
