-- Accounts: their sessions, and deletion. Deleting an account and changing its password or e-mail address require a recent
-- sign-in.

create function private.is_recent_session(session uuid) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (
    select from auth.sessions s where s.id = session and s.created_at > now() - interval '10 minutes'
  )
$$;
comment on function private.is_recent_session(uuid) is
  'Whether a session began at most ten minutes ago. Refreshing the token does not extend this.';
revoke execute on function private.is_recent_session(uuid) from public, anon, authenticated;

create function private.signed_in_recently() returns boolean
  language sql stable security definer set search_path = ''
as $$
  select private.has_session() and private.is_recent_session(((select auth.jwt()) ->> 'session_id')::uuid)
$$;
comment on function private.signed_in_recently() is 'Whether the caller''s own session began at most ten minutes ago.';
revoke execute on function private.signed_in_recently() from public, anon, authenticated;
grant execute on function private.signed_in_recently() to authenticated, service_role;

create function public.signed_in_recently() returns boolean
  language sql stable security invoker set search_path = ''
as $$
  select private.signed_in_recently()
$$;
comment on function public.signed_in_recently() is
  'Whether the caller may change or delete the account without entering the password again.';
revoke execute on function public.signed_in_recently() from public, anon, authenticated;
grant execute on function public.signed_in_recently() to authenticated, service_role;

create function private.require_recent_sign_in() returns uuid
  language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.has_session() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  if not private.signed_in_recently() then
    raise sqlstate 'PT428' using message = 'Enter your password again.';
  end if;
  return (select auth.uid());
end
$$;
comment on function private.require_recent_sign_in() is
  'The caller. PT401 without a session, PT428 unless the caller signed in recently.';
revoke execute on function private.require_recent_sign_in() from public, anon, authenticated;

create function private.my_sessions()
  returns table (id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text, is_current boolean)
  language sql stable security definer set search_path = ''
as $$
  select
    s.id,
    s.created_at,
    -- refreshed_at has no time zone; GoTrue writes UTC.
    greatest(s.created_at, s.refreshed_at at time zone 'utc'),
    s.user_agent,
    s.id = ((select auth.jwt()) ->> 'session_id')::uuid
  from auth.sessions s
  where s.user_id = (select auth.uid())
    and (s.not_after is null or s.not_after > now())
    and (select private.has_session())
  order by 5 desc, 3 desc, s.id
  limit 100
$$;
comment on function private.my_sessions() is 'The caller''s sessions. Clients cannot read auth.sessions otherwise.';
revoke execute on function private.my_sessions() from public, anon, authenticated;
grant execute on function private.my_sessions() to authenticated, service_role;

create function public.my_sessions()
  returns table (id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text, is_current boolean)
  language sql stable security invoker set search_path = ''
as $$
  select id, created_at, last_used_at, user_agent, is_current from private.my_sessions()
$$;
comment on function public.my_sessions() is
  'The caller''s sessions: the current one first, then by last use; at most 100. user_agent may be null.';
revoke execute on function public.my_sessions() from public, anon, authenticated;
grant execute on function public.my_sessions() to authenticated, service_role;

-- Deleting an account with thousands of photos takes longer than a statement may take (8 seconds on a hosted project), so
-- the app first removes most of them, in calls of about a second.

create function private.clear_account() returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_recent_sign_in();
  deadline constant timestamptz := clock_timestamp() + interval '1 second';
  removed bigint;
  step bigint;
begin
  -- delete_account() deletes the rest in one transaction with the account; a small account needs only that.
  loop
    delete from public.posts where id in (
      select id from public.posts where user_id = me order by created_at desc, id desc offset 300 limit 20
    );
    get diagnostics removed = row_count;
    delete from public.stories where id in (
      select id from public.stories where user_id = me order by created_at desc, id desc offset 5 limit 2
    );
    get diagnostics step = row_count;
    removed := removed + step;
    delete from public.message_photos where id in (
      select id from public.message_photos where sender_id = me order by created_at desc, id desc offset 300 limit 20
    );
    get diagnostics step = row_count;
    removed := removed + step;
    if removed = 0 then
      return true;
    end if;
    if clock_timestamp() > deadline then
      return false;
    end if;
  end loop;
end
$$;
comment on function private.clear_account() is
  'Deletes pictures and videos of a large account for about a second. Returns whether delete_account() can delete the rest.';
revoke execute on function private.clear_account() from public, anon, authenticated;
grant execute on function private.clear_account() to authenticated, service_role;

create function public.clear_account() returns boolean
  language sql security invoker set search_path = ''
as $$
  select private.clear_account()
$$;
comment on function public.clear_account() is
  'Call until true, then delete_account(). PT428 unless the caller signed in recently.';
revoke execute on function public.clear_account() from public, anon, authenticated;
grant execute on function public.clear_account() to authenticated, service_role;

create function private.delete_account() returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_recent_sign_in();
begin
  -- Removing videos takes time, so do it before others have to wait for this transaction. Unlike deleting the rows, this
  -- takes no lock that a new view of the story waits for.
  update public.stories
    set media_url = case media_type when 'image' then 'data:image/webp;base64,' else 'data:video/webm;base64,' end
    where user_id = me;
  delete from auth.users where id = me;
  -- Never waits: a transaction that holds one of these rows waits for the account and then fails.
  delete from private.quota_usage where ctid = any (array(
    select ctid from private.quota_usage where member_id = me for update skip locked
  ));
end
$$;
comment on function private.delete_account() is
  'Deletes the caller''s auth user; foreign keys delete profile, posts, likes, messages and all other data. PT428 unless '
  'the caller signed in recently.';
revoke execute on function private.delete_account() from public, anon, authenticated;
grant execute on function private.delete_account() to authenticated, service_role;

create function public.delete_account() returns void
  language sql security invoker set search_path = ''
as $$
  select private.delete_account()
$$;
comment on function public.delete_account() is
  'Deletes the caller''s account and all its data in one transaction. PT428 unless the caller signed in recently.';
revoke execute on function public.delete_account() from public, anon, authenticated;
grant execute on function public.delete_account() to authenticated, service_role;
