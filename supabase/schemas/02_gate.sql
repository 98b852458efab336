-- Who may act: sessions, states of members, staff and the members of the demo (docs/decisions/0109-member-state-and-roles.md).

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table private.member_states (
  member_id uuid not null,
  state text not null,
  until timestamptz,
  reason text,
  since timestamptz not null default now(),
  constraint member_states_state_check check (state in ('pending', 'limited', 'suspended')),
  constraint member_states_reason_check check (char_length(reason) <= 500),
  constraint member_states_pkey primary key (member_id)
);
comment on table private.member_states is
  'Members who are not active: pending until they are admitted, limited, or suspended. until: when it ends by '
  'itself; null: not by itself.';
alter table private.member_states enable row level security;
revoke all on table private.member_states from public, anon, authenticated;

create table private.staff (
  member_id uuid not null,
  role text not null,
  since timestamptz not null default now(),
  constraint staff_role_check check (role in ('owner', 'moderator')),
  constraint staff_pkey primary key (member_id)
);
comment on table private.staff is 'Who moderates: one owner at most, and moderators. Looked up at each use, never in a token.';
create unique index staff_owner_key on private.staff (role) where (role = 'owner'::text);
alter table private.staff enable row level security;
revoke all on table private.staff from public, anon, authenticated;

create table private.demo_members (
  member_id uuid not null,
  constraint demo_members_pkey primary key (member_id)
);
comment on table private.demo_members is 'Members of the embedded server''s demo. Empty on hosted projects.';
alter table private.demo_members enable row level security;
revoke all on table private.demo_members from public, anon, authenticated;

-- The caller's session. The token of an ended session gives no access, although its signature is valid for up to an hour:
-- docs/decisions/0028-ended-sessions.md. PL/pgSQL caches the plan for the connection; a function in SQL would be planned
-- again for each statement.
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
  'Whether the session of the caller''s token still exists: sign-out, a new password and deleting the account '
  'delete it.';
revoke execute on function private.has_session() from public, anon, authenticated;
grant execute on function private.has_session() to authenticated, service_role;

create function private.is_member() returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.has_account() and not exists (
    select from private.member_states m
    where m.member_id = (select auth.uid()) and m.state <> 'limited' and (m.until is null or m.until > now())
  );
end
$$;
comment on function private.is_member() is
  'Whether the caller has a session and a profile, and is neither pending nor suspended. Policies call it once '
  'per statement, as (select private.is_member()).';
revoke execute on function private.is_member() from public, anon, authenticated;
grant execute on function private.is_member() to authenticated, service_role;

create function private.has_account() returns boolean
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
comment on function private.has_account() is 'Whether the caller has a session and a profile, whatever their state.';
revoke execute on function private.has_account() from public, anon, authenticated;
grant execute on function private.has_account() to authenticated;

create function private.require_active() returns void
  language plpgsql stable security definer set search_path = ''
as $$
declare
  held record;
begin
  select m.state, m.until into held from private.member_states m
    where m.member_id = (select auth.uid()) and m.state <> 'limited' and (m.until is null or m.until > now());
  if found and private.has_account() then
    raise sqlstate 'PT403' using
      message = case held.state when 'pending' then 'Your account waits to be admitted.' else 'Your account is suspended.' end,
      detail = coalesce(held.until::text, '');
  end if;
end
$$;
comment on function private.require_active() is
  'PT403, with the time until which as detail, for a caller who is pending or suspended. Returns for everybody '
  'else, also without a session: what that gets stays as it is.';
revoke execute on function private.require_active() from public, anon, authenticated;
grant execute on function private.require_active() to authenticated;

create function private.staff_role() returns text
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select s.role from private.staff s where s.member_id = (select auth.uid()) and private.is_member());
end
$$;
comment on function private.staff_role() is 'owner or moderator, or null: also for a member who is pending or suspended.';
revoke execute on function private.staff_role() from public, anon, authenticated;
grant execute on function private.staff_role() to authenticated;

create function private.my_state() returns table (state text, until timestamptz, reason text)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select coalesce(m.state, 'active'), m.until, m.reason
    from (select) as caller
    left join private.member_states m on m.member_id = (select auth.uid()) and (m.until is null or m.until > now())
    where private.has_account();
end
$$;
comment on function private.my_state() is 'As public.my_state(), which is the invoker function around it.';
revoke execute on function private.my_state() from public, anon, authenticated;
grant execute on function private.my_state() to authenticated;

create function public.my_state() returns table (state text, until timestamptz, reason text)
  language sql stable set search_path = ''
as $$
  select state, until, reason from private.my_state()
$$;
comment on function public.my_state() is
  'The caller''s own state: active, pending, limited or suspended, until when (null: until it is changed) and '
  'why. No row without a session and a profile.';
revoke execute on function public.my_state() from public, anon, authenticated;
grant execute on function public.my_state() to authenticated;

create function private.appoint(username text, role text) returns void
  language plpgsql set search_path = ''
as $$
declare
  appointed constant uuid := (select p.id from public.profiles p where p.username = lower(appoint.username));
begin
  if appointed is null then
    raise sqlstate 'PT404' using message = 'There is no such account.';
  end if;
  if appoint.role = 'owner' then
    update private.staff s set role = 'moderator' where s.role = 'owner' and s.member_id <> appointed;
  end if;
  insert into private.staff as s (member_id, role) values (appointed, appoint.role)
    on conflict (member_id) do update set role = excluded.role;
end
$$;
comment on function private.appoint(text, text) is
  'Makes a member owner or moderator, for the operator''s SQL editor. A former owner becomes moderator. PT404.';
revoke execute on function private.appoint(text, text) from public, anon, authenticated;

create function private.appoint_first() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  oldest uuid;
begin
  if exists (
    select from private.staff s
    where s.role = 'owner' and not exists (select from private.demo_members d where d.member_id = s.member_id)
  ) then
    return null;
  end if;
  -- Profiles without an account hold what is removed.
  select p.id into oldest
    from public.profiles p
    join auth.users u on u.id = p.id
    cross join lateral (select exists (select from private.demo_members d where d.member_id = p.id) as is_demo) as known
    order by known.is_demo, p.created_at, p.id limit 1;
  delete from private.staff s where s.role = 'owner' and s.member_id <> oldest;
  update private.staff s set role = 'owner' where s.member_id = oldest;
  insert into private.staff (member_id, role) select oldest, 'owner' where oldest is not null
    on conflict do nothing;
  return null;
end
$$;
comment on function private.appoint_first() is
  'Makes the oldest account owner if there is no owner, or one of the demo. For triggers of the embedded '
  'server.';
revoke execute on function private.appoint_first() from public, anon, authenticated;

set check_function_bodies = on;
