-- The token of an ended session gives no access, although its signature is valid for up to an hour:
-- docs/decisions/0028-ended-sessions.md.

-- PL/pgSQL caches the plan for the connection; a function in SQL is planned again for each statement.
create function private.has_session() returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from auth.sessions s
    where s.id = ((select auth.jwt()) ->> 'session_id')::uuid
      and s.user_id = (select auth.uid())
      and (s.not_after is null or s.not_after > now())
  );
end
$$;
comment on function private.has_session() is
  'Whether the session of the caller''s token still exists: sign-out, a new password and deleting the account remove it.';
revoke execute on function private.has_session() from public, anon, authenticated;
grant execute on function private.has_session() to authenticated, service_role;

create or replace function private.is_member() returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from auth.sessions s
    join public.profiles p on p.id = s.user_id
    where s.id = ((select auth.jwt()) ->> 'session_id')::uuid
      and s.user_id = (select auth.uid())
      and (s.not_after is null or s.not_after > now())
  );
end
$$;
comment on function private.is_member() is
  'Whether the caller has a session and a profile. Policies ask this once per statement, as (select private.is_member()).';

-- A restrictive policy applies in addition to the table's other policies. An account without a profile creates its profile,
-- so profiles require only the session. The planner expects a bare boolean to keep half of the rows and then prefers
-- sorting to reading in index order; it expects `is not null` to keep nearly all.
do $$
declare
  guarded text;
begin
  for guarded in
    select c.relname from pg_catalog.pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'profiles'
  loop
    execute format(
      'create policy %1$I on public.%2$I as restrictive for all to authenticated '
      'using (nullif((select private.is_member()), false) is not null) '
      'with check (nullif((select private.is_member()), false) is not null)',
      guarded || '_session', guarded);
  end loop;
end
$$;
create policy profiles_session on public.profiles as restrictive for all to authenticated
  using (nullif((select private.has_session()), false) is not null)
  with check (nullif((select private.has_session()), false) is not null);

-- The restrictive policies already require membership.
alter policy posts_select on public.posts
  using (
    user_id = (select auth.uid())
    or (
      (audience = 'public' or user_id in (select private.my_following_ids()))
      and user_id not in (select private.my_hidden_ids())
    )
  );
alter policy stories_select on public.stories
  using (
    case
      when user_id = (select auth.uid()) then expires_at > now() - interval '7 days'
      when expires_at > now() then
        (audience = 'public' or user_id in (select private.my_following_ids()))
        and user_id not in (select private.my_hidden_ids())
      else false
    end
  );

-- Security definer functions bypass the policies, so they check for themselves.

create or replace function private.my_conversation_topics() returns setof text
  language sql stable security definer set search_path = ''
as $$
  select 'conversation:' || conversation_id from private.my_correspondents() where (select private.is_member())
$$;

create or replace function private.accept_follow_request(requester uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if not private.is_member() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  delete from public.follow_requests where requester_id = requester and target_id = me;
  if not found then
    raise sqlstate 'PT404' using message = 'There is no such request any more.';
  end if;
  perform private.accept_requests(array[requester], me);
end
$$;

create or replace function private.blocked_members()
  returns table (id uuid, username text, full_name text, avatar_url text, created_at timestamptz)
  language sql stable security definer set search_path = ''
as $$
  select
    p.id,
    case when theirs.blocker_id is null then p.username else '' end,
    case when theirs.blocker_id is null then p.full_name else '' end,
    case when theirs.blocker_id is null then p.avatar_url end,
    mine.created_at
  from public.blocks mine
  join public.profiles p on p.id = mine.blocked_id
  left join public.blocks theirs on theirs.blocker_id = mine.blocked_id and theirs.blocked_id = mine.blocker_id
  where mine.blocker_id = (select auth.uid()) and (select private.is_member())
  order by mine.created_at desc, p.id
$$;

-- Deleting the account and changing its password or e-mail require a recent sign-in.

create function private.is_recent_session(session uuid) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (
    select from auth.sessions s where s.id = session and s.created_at > now() - interval '10 minutes'
  )
$$;
comment on function private.is_recent_session(uuid) is
  'Whether a session began at most ten minutes ago. Refreshing the token does not extend this.';

create function private.signed_in_recently() returns boolean
  language sql stable security definer set search_path = ''
as $$
  select private.has_session() and private.is_recent_session(((select auth.jwt()) ->> 'session_id')::uuid)
$$;
comment on function private.signed_in_recently() is 'Whether the caller''s own session began at most ten minutes ago.';

create function public.signed_in_recently() returns boolean
  language sql stable security invoker set search_path = ''
as $$
  select private.signed_in_recently()
$$;
comment on function public.signed_in_recently() is
  'Whether the caller may change or delete the account without entering the password again.';

create or replace function private.delete_account() returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if me is null or not private.has_session() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  if not private.signed_in_recently() then
    raise sqlstate 'PT428' using message = 'Enter your password again.';
  end if;
  -- Removing videos takes time, so do it before others have to wait for this transaction. Unlike deleting the rows, this
  -- takes no lock that a new view of the story waits for.
  update public.stories
    set media_url = case media_type when 'image' then 'data:image/webp;base64,' else 'data:video/webm;base64,' end
    where user_id = me;
  delete from auth.users where id = me;
  -- Never waits: a transaction that holds one of the counters waits for the account and then fails.
  delete from private.quota_usage where ctid = any (array(
    select ctid from private.quota_usage where member_id = me for update skip locked
  ));
end
$$;
comment on function private.delete_account() is
  'Deletes the caller''s auth user; foreign keys delete profile, posts, likes, messages and all other data. PT428 unless '
  'the caller signed in recently.';
comment on function public.delete_account() is
  'Deletes the caller''s account and all its data in one transaction. PT428 unless the caller signed in recently.';

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

create function public.my_sessions()
  returns table (id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text, is_current boolean)
  language sql stable security invoker set search_path = ''
as $$
  select id, created_at, last_used_at, user_agent, is_current from private.my_sessions()
$$;
comment on function public.my_sessions() is
  'The caller''s sessions: the current one first, then by last use; at most 100. user_agent may be null.';

revoke execute on function
  private.is_recent_session(uuid), private.signed_in_recently(), public.signed_in_recently(), private.my_sessions(),
  public.my_sessions()
  from public, anon, authenticated;
grant execute on function
  private.signed_in_recently(), public.signed_in_recently(), private.my_sessions(), public.my_sessions()
  to authenticated, service_role;
