-- With 800 ms one of 64 removals took 2 s: who comes at the moment at which a row is free may take it before those who waited.
create or replace function private.before_request() returns void
  language plpgsql set search_path = ''
as $$
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
    perform set_config('statement_timeout', '500ms', true);
  end if;
end
$$;
comment on function private.before_request() is
  'PostgREST calls it before the statement of each request. What a member may hold though others have a right '
  'to change or remove it is held for 500 ms: docs/decisions/0111-short-writes.md.';
