-- What the server reports about itself, and what the other files have described.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create function private.setup_status() returns json
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
revoke execute on function private.setup_status() from public, anon, authenticated;
grant execute on function private.setup_status() to anon, authenticated, service_role;

create function public.setup_status() returns json
  language sql stable set search_path = ''
as $$
  select private.setup_status()
$$;
comment on function public.setup_status() is 'Whether this server is set up for the app. Contains no data of members.';
revoke execute on function public.setup_status() from public, anon, authenticated;
grant execute on function public.setup_status() to anon, authenticated, service_role;

create function private.serves() returns text
  language sql immutable set search_path = ''
as $$
  select '20261128041500'
$$;
comment on function private.serves() is
  'The oldest schema version of an app that this server still serves. The migration that takes something away '
  'raises it.';
revoke execute on function private.serves() from public, anon, authenticated;

create function private.before_request() returns void
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
    -- Functions of these return nothing, so that no filter of their answer is slow, or only rows that nobody else needs.
    or path in (
      -- They may wait for what others hold, and hold nothing meanwhile that these others have a right to change.
      '/likes', '/comment_likes', '/posts', '/profiles', '/rpc/accept_follow_request', '/rpc/end_follow', '/rpc/edit_message',
      '/rpc/unsend_message', '/rpc/end_session', '/rpc/answer_sign_in',
      -- They have much to do: inline pictures, long lists, all of an account. Nobody else can make them slow.
      '/stories', '/post_media', '/message_media', '/rpc/create_post', '/rpc/mark_delivered', '/rpc/block_members',
      '/rpc/delete_posts', '/rpc/delete_comments', '/rpc/delete_stories', '/rpc/delete_account'
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
comment on function private.before_request() is
  'PostgREST calls it before the statement of each request. What a member writes is held for 500 ms, except by '
  'the calls that it names and those that only read: docs/decisions/0111-short-writes.md.';
revoke execute on function private.before_request() from public, anon, authenticated;
grant execute on function private.before_request() to anon, authenticated, service_role;

set check_function_bodies = on;

select private.generate_media();
comment on function private.is_object_used(text) is 'Whether any row refers to this object.';
revoke execute on function private.is_object_used(text) from public, anon, authenticated;
grant execute on function private.is_object_used(text) to authenticated, service_role;
comment on function private.used_objects(uuid) is 'Keys of the objects to which rows of this member refer.';
revoke execute on function private.used_objects(uuid) from public, anon, authenticated;
comment on function private.visible_objects(text[]) is
  'Which of these keys are in the caller''s folder or in a row that the caller may see; a key may appear twice. '
  'One look-up by a unique index for each column that holds keys.';
revoke execute on function private.visible_objects(text[]) from public, anon, authenticated;
grant execute on function private.visible_objects(text[]) to authenticated, service_role;

select private.create_media_bucket();

-- PostgREST sets it for each request. Functions that delete much have their own.
alter role authenticated set statement_timeout = '3s';
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
