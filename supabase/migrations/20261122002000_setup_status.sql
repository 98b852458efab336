-- What an operator or the app checks before using a server: `npm run connect-check` and 'Connect to a server…'.

create function private.setup_status() returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  version text;
begin
  select max(m.version) into version from supabase_migrations.schema_migrations m;
  return json_build_object(
    'version', version,
    'changes', to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null,
    'channels', (
      select count(*) = 3 from pg_catalog.pg_policies
      where schemaname = 'realtime' and tablename = 'messages'
        and policyname in ('conversation_channels_receive', 'conversation_channels_send', 'member_channel_receive')
    )
  );
end
$$;
comment on function private.setup_status() is
  'The newest migration, whether Realtime can broadcast changes, and whether the policies of the private channels exist.';
revoke execute on function private.setup_status() from public, anon, authenticated;
grant execute on function private.setup_status() to anon, authenticated, service_role;

create function public.setup_status() returns json
  language sql stable security invoker set search_path = ''
as $$
  select private.setup_status()
$$;
comment on function public.setup_status() is 'Whether this server is set up for the app. Contains no data of members.';
revoke execute on function public.setup_status() from public, anon, authenticated;
grant execute on function public.setup_status() to anon, authenticated, service_role;
