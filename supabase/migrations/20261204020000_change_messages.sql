-- A member edits and unsends a message by functions that nothing can make slow. An update of messages, which the other member may make slow or wait for,
-- is held for 500 ms, and counted last when it marks messages as read. setup_status() says whether the project calls before_request().
-- docs/decisions/0111-short-writes.md.
drop trigger messages_allow_read on public.messages;
create trigger messages_allow_read before update of read on public.messages
  for each statement when (pg_catalog.row_security_active('public.messages'))
  execute function private.refuse_spent('read_marks');
create trigger messages_tally_read after update of read on public.messages
  for each statement when (pg_catalog.row_security_active('public.messages'))
  execute function private.count_quota('read_marks');

create function private.changes_key(member uuid) returns bigint
  language sql immutable strict set search_path = ''
as $$
  select pg_catalog.hashtextextended(member::text, 7246007)
$$;
comment on function private.changes_key(uuid) is 'The advisory lock of a member''s edit or unsending of a message.';
revoke execute on function private.changes_key(uuid) from public, anon, authenticated;
grant execute on function private.changes_key(uuid) to authenticated, service_role;

create function private.edit_message(message uuid, content text) returns void
  language plpgsql set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.require_active();
  if not private.is_member() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  -- One change of a member at a time: the next one would hold its message while it waits for the counter that the first one holds.
  perform pg_catalog.pg_advisory_xact_lock(private.changes_key(me));
  update public.messages m set content = edit_message.content where m.id = message and m.sender_id = me;
  -- An edit that was sent again changes nothing.
  if not found and not exists (select from public.messages m where m.id = message and m.sender_id = me) then
    raise sqlstate 'PT404' using message = 'There is no such message.';
  end if;
end
$$;
comment on function private.edit_message(uuid, text) is
  'Changes the text of an own message, as an update of messages does. PT404 if there is no such message.';
revoke execute on function private.edit_message(uuid, text) from public, anon, authenticated;
grant execute on function private.edit_message(uuid, text) to authenticated, service_role;

create function public.edit_message(message uuid, content text) returns void
  language sql set search_path = ''
as $$
  select private.edit_message(message, content)
$$;
comment on function public.edit_message(uuid, text) is
  'Edits an own message. Nothing of it can be made slow, and it may wait longer than the other member can hold the '
  'message: docs/decisions/0111-short-writes.md.';
revoke execute on function public.edit_message(uuid, text) from public, anon, authenticated;
grant execute on function public.edit_message(uuid, text) to authenticated, service_role;

create function private.unsend_message(message uuid) returns void
  language plpgsql set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.require_active();
  if not private.is_member() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  perform pg_catalog.pg_advisory_xact_lock(private.changes_key(me));
  update public.messages m set deleted_at = now() where m.id = message and m.sender_id = me and m.deleted_at is null;
  -- A request that was sent again changes nothing.
  if not found and not exists (select from public.messages m where m.id = message and m.sender_id = me) then
    raise sqlstate 'PT404' using message = 'There is no such message.';
  end if;
end
$$;
comment on function private.unsend_message(uuid) is
  'Unsends an own message, as an update of messages does. PT404 if there is no such message.';
revoke execute on function private.unsend_message(uuid) from public, anon, authenticated;
grant execute on function private.unsend_message(uuid) to authenticated, service_role;

create function public.unsend_message(message uuid) returns void
  language sql set search_path = ''
as $$
  select private.unsend_message(message)
$$;
comment on function public.unsend_message(uuid) is
  'Unsends an own message. Nothing of it can be made slow, and it may wait longer than the other member can hold the '
  'message: docs/decisions/0111-short-writes.md.';
revoke execute on function public.unsend_message(uuid) from public, anon, authenticated;
grant execute on function public.unsend_message(uuid) to authenticated, service_role;

create or replace function private.before_request() returns void
  language plpgsql set search_path = ''
as $$
declare
  -- As it was sent: one that is written in another way, which PostgREST decodes, is none of those below.
  path constant text := current_setting('request.path', true);
  method constant text := current_setting('request.method', true);
begin
  perform set_config('vignette.before_request', 'called', true);
  if current_user <> 'authenticated' or method in ('GET', 'HEAD')
    -- Only new ones: an update takes a filter.
    or path = '/messages' and method = 'POST'
    or path in (
      -- They may wait for what others hold, and hold nothing meanwhile that these others have a right to change.
      '/likes', '/comment_likes', '/posts', '/profiles', '/rpc/accept_follow_request', '/rpc/end_follow', '/rpc/edit_message',
      '/rpc/unsend_message', '/rpc/mark_read', '/rpc/end_session', '/rpc/answer_sign_in',
      -- They have much to do: inline pictures, long lists, all of an account. Nobody else can make them slow.
      '/stories', '/post_media', '/message_media', '/rpc/create_post', '/rpc/mark_delivered', '/rpc/settle', '/rpc/block_members',
      '/rpc/delete_posts', '/rpc/delete_comments', '/rpc/delete_stories', '/rpc/clear_account', '/rpc/delete_account'
    )
    -- What only reads holds nothing.
    or (
      select bool_and(p.provolatile <> 'v') from pg_catalog.pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.proname = substr(path, 6) and starts_with(path, '/rpc/')
    )
  then
    return;
  end if;
  perform set_config('statement_timeout', '500ms', true);
end
$$;

create or replace function private.setup_status() returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  version text;
begin
  select max(m.version) into version from supabase_migrations.schema_migrations m;
  return json_build_object(
    'version', version,
    'serves', private.serves(),
    -- What neither an older database nor a history that was only repaired reports: docs/upgrading.md.
    'shape', '0.2',
    'changes', to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null,
    'channels', (
      select count(*) = 5 from pg_catalog.pg_policies
      where schemaname = 'realtime' and tablename = 'messages' and policyname in (
        'conversation_channels_receive', 'member_channel_receive', 'post_channels_receive', 'room_channels_receive',
        'room_channels_send'
      )
    ),
    'bucket', private.media_bucket_state(),
    -- Not which columns: visitors may call this.
    'media_columns', private.media_columns_match(),
    'owner', exists (select from private.staff s where s.role = 'owner'),
    'cleanup', private.cleanup_state(),
    -- PostgREST connects with this role; the embedded server calls nothing before a request, and has one connection.
    'before_request', current_setting('vignette.before_request', true) is not distinct from 'called'
      or not exists (select from pg_catalog.pg_roles r where r.rolname = 'authenticator'),
    'objects', (select count(*) from (select from private.jobs j where j.kind = 'objects' limit 1000) as waiting)
  );
end
$$;
comment on function private.setup_status() is
  'The newest migration, the oldest app that the server serves, whether Realtime can broadcast changes, '
  'whether the policies of the private channels exist, the state of the bucket for pictures and videos, '
  'whether each column with keys of objects is described, whether the server has an owner, whether the hourly '
  'cleanup is scheduled, whether PostgREST calls private.before_request(), and of how many closed accounts objects wait, up to a thousand.';
