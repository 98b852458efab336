-- Sign-ins and changes of the account (docs/decisions/0061). Auth deletes a session without a trace; these tables keep when a
-- device signed in, and why and when its session ended. Triggers on auth.sessions and auth.users write them, so they contain the
-- sign-ins of every client.

create table private.sign_ins (
  session_id uuid primary key,
  member_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  device uuid,
  user_agent text,
  answered_at timestamptz,
  ended_at timestamptz,
  end_reason text,
  constraint sign_ins_end_reason_check check (end_reason in ('password', 'email'))
);
comment on table private.sign_ins is
  'Sessions, until 30 days after their end. device: a random id that an installation of the app keeps, null for clients that '
  'register none. answered_at: when an older device said whether the member signed in. end_reason: what was changed.';
create index sign_ins_member_idx on private.sign_ins (member_id, created_at);
create index sign_ins_ended_idx on private.sign_ins (ended_at) where ended_at is not null;
alter table private.sign_ins enable row level security;
revoke all on table private.sign_ins from public, anon, authenticated;
grant all on table private.sign_ins to service_role;

create table private.account_changes (
  id bigint generated always as identity primary key,
  member_id uuid not null references auth.users (id) on delete cascade,
  kind text not null,
  former_email text,
  changed_at timestamptz not null default now(),
  constraint account_changes_kind_check check (kind in ('password', 'email'))
);
comment on table private.account_changes is
  'Changes of passwords and e-mail addresses in the last 30 days. former_email: the address before the change, unless it must '
  'not recover the account.';
create index account_changes_member_idx on private.account_changes (member_id, changed_at);
create index account_changes_former_email_idx on private.account_changes (former_email) where former_email is not null;
create index account_changes_changed_idx on private.account_changes (changed_at);
alter table private.account_changes enable row level security;
revoke all on table private.account_changes from public, anon, authenticated;
grant all on table private.account_changes to service_role;

-- Nobody is asked about the sign-ins before this migration.
insert into private.sign_ins (session_id, member_id, created_at, answered_at)
  select id, user_id, coalesce(created_at, now()), now() from auth.sessions;

create function private.record_sign_in() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.sign_ins (session_id, member_id) values (new.id, new.user_id);
  if exists (select from auth.sessions s where s.user_id = new.user_id and s.id <> new.id) then
    perform private.broadcast_change('sign_ins', 'INSERT', new.user_id, array[new.id]);
  end if;
  return null;
end
$$;
comment on function private.record_sign_in() is 'Stores a sign-in, and broadcasts it to the member''s other devices.';
revoke execute on function private.record_sign_in() from public, anon, authenticated;
create trigger sessions_record_sign_in after insert on auth.sessions
  for each row execute function private.record_sign_in();

create function private.record_session_end() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update private.sign_ins
    set
      ended_at = now(),
      user_agent = old.user_agent,
      -- Auth ends the sessions just after the change, in the same transaction or in the next request.
      end_reason = (
        select c.kind from private.account_changes c
        where c.member_id = old.user_id and c.changed_at > now() - interval '1 minute'
        order by c.id desc limit 1
      )
    where session_id = old.id;
  return null;
end
$$;
comment on function private.record_session_end() is
  'Stores when a session ended. If the account was changed in the minute before, that is the reason.';
revoke execute on function private.record_session_end() from public, anon, authenticated;
create trigger sessions_record_end after delete on auth.sessions
  for each row execute function private.record_session_end();

create function private.record_account_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.encrypted_password is distinct from old.encrypted_password then
    insert into private.account_changes (member_id, kind) values (new.id, 'password');
  end if;
  if new.email is distinct from old.email then
    insert into private.account_changes (member_id, kind, former_email) values (new.id, 'email', old.email);
    -- A link in a mail has confirmed the address. Which session asked for it is not known.
    if old.email_change = new.email then
      delete from auth.sessions where user_id = new.id;
    end if;
  end if;
  return null;
end
$$;
comment on function private.record_account_change() is
  'Stores a new password or e-mail. An address that was confirmed by mail ends all sessions of the account.';
revoke execute on function private.record_account_change() from public, anon, authenticated;
create trigger users_record_account_change after update of email, encrypted_password on auth.users
  for each row execute function private.record_account_change();

create function private.unanswered_sign_ins() returns setof private.sign_ins
  language sql stable security definer set search_path = ''
as $$
  select n.*
  from private.sign_ins mine
  join private.sign_ins n on n.member_id = mine.member_id and n.session_id <> mine.session_id
  where mine.session_id = ((select auth.jwt()) ->> 'session_id')::uuid
    and (select private.has_session())
    and n.answered_at is null
    and (n.device = mine.device) is not true
    -- A device is asked about later ones only: the newest cannot answer for itself.
    and n.created_at > (
      select min(k.created_at) from private.sign_ins k
      where k.member_id = mine.member_id and (k.session_id = mine.session_id or k.device = mine.device)
    )
    and case
      -- The app registers its device right after it has signed in.
      when n.device is null then n.created_at < now() - interval '1 minute'
      else not exists (
        select from private.sign_ins k
        where k.member_id = n.member_id and k.device = n.device and k.created_at < n.created_at
      )
    end
$$;
comment on function private.unanswered_sign_ins() is
  'Sign-ins to the caller''s account after the caller''s own first one, on devices that had not signed in before, about which no '
  'device has answered.';
revoke execute on function private.unanswered_sign_ins() from public, anon, authenticated;

create function private.new_sign_ins() returns table (id uuid, created_at timestamptz, user_agent text)
  language sql stable security definer set search_path = ''
as $$
  select n.session_id, n.created_at, coalesce(n.user_agent, s.user_agent)
  from private.unanswered_sign_ins() n
  left join auth.sessions s on s.id = n.session_id
  order by n.created_at desc, n.session_id
  limit 10
$$;
comment on function private.new_sign_ins() is 'The ten latest sign-ins that the caller has to be asked about.';
revoke execute on function private.new_sign_ins() from public, anon, authenticated;
grant execute on function private.new_sign_ins() to authenticated, service_role;

create function public.new_sign_ins() returns table (id uuid, created_at timestamptz, user_agent text)
  language sql stable security invoker set search_path = ''
as $$
  select id, created_at, user_agent from private.new_sign_ins()
$$;
comment on function public.new_sign_ins() is
  'Sign-ins to the caller''s account on new devices since the caller''s own, the latest first; at most ten. user_agent may be null.';
revoke execute on function public.new_sign_ins() from public, anon, authenticated;
grant execute on function public.new_sign_ins() to authenticated, service_role;

create function private.register_device(device uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  mine private.sign_ins;
begin
  update private.sign_ins s set device = register_device.device
    where s.session_id = ((select auth.jwt()) ->> 'session_id')::uuid and s.device is null
      and (select private.has_session())
    returning * into mine;
  if found and not exists (
    select from private.sign_ins k
    where k.member_id = mine.member_id and k.device = mine.device and k.created_at < mine.created_at
  ) then
    perform private.broadcast_change('sign_ins', 'INSERT', mine.member_id, array[mine.session_id]);
  end if;
end
$$;
comment on function private.register_device(uuid) is
  'Stores on which device the caller''s session is, once. The other devices are asked at once about a new one.';
revoke execute on function private.register_device(uuid) from public, anon, authenticated;
grant execute on function private.register_device(uuid) to authenticated, service_role;

create function public.register_device(device uuid) returns void
  language sql security invoker set search_path = ''
as $$
  select private.register_device(device)
$$;
comment on function public.register_device(uuid) is
  'Call after each sign-in with a random id that the installation keeps. A session without one counts as a new device.';
revoke execute on function public.register_device(uuid) from public, anon, authenticated;
grant execute on function public.register_device(uuid) to authenticated, service_role;

create function private.answer_sign_in(sign_in uuid, was_me boolean) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  update private.sign_ins s
    -- A device that the member does not know is new again at its next sign-in.
    set answered_at = now(), device = case when was_me then s.device end
    where s.session_id = sign_in and s.session_id in (select u.session_id from private.unanswered_sign_ins() u);
  if found then
    perform private.broadcast_change('sign_ins', 'UPDATE', (select auth.uid()), array[sign_in]);
  end if;
end
$$;
comment on function private.answer_sign_in(uuid, boolean) is
  'Stores whether the member signed in on that device, for all devices. Does nothing unless new_sign_ins() returns it.';
revoke execute on function private.answer_sign_in(uuid, boolean) from public, anon, authenticated;
grant execute on function private.answer_sign_in(uuid, boolean) to authenticated, service_role;

create function public.answer_sign_in(sign_in uuid, was_me boolean) returns void
  language sql security invoker set search_path = ''
as $$
  select private.answer_sign_in(sign_in, was_me)
$$;
comment on function public.answer_sign_in(uuid, boolean) is
  'Answers a sign-in of new_sign_ins(). It ends no session: sign out first.';
revoke execute on function public.answer_sign_in(uuid, boolean) from public, anon, authenticated;
grant execute on function public.answer_sign_in(uuid, boolean) to authenticated, service_role;

create function private.end_session(session uuid) returns void
  language sql security definer set search_path = ''
as $$
  delete from auth.sessions s
  where s.id = session and s.user_id = (select auth.uid()) and (select private.has_session())
$$;
comment on function private.end_session(uuid) is 'Ends one of the caller''s sessions.';
revoke execute on function private.end_session(uuid) from public, anon, authenticated;
grant execute on function private.end_session(uuid) to authenticated, service_role;

create function public.end_session(session uuid) returns void
  language sql security invoker set search_path = ''
as $$
  select private.end_session(session)
$$;
comment on function public.end_session(uuid) is 'Signs out one of the caller''s devices; my_sessions() lists them.';
revoke execute on function public.end_session(uuid) from public, anon, authenticated;
grant execute on function public.end_session(uuid) to authenticated, service_role;

create function private.session_end(session uuid) returns table (reason text, ended_at timestamptz)
  language sql stable security definer set search_path = ''
as $$
  select s.end_reason, s.ended_at from private.sign_ins s
  where s.session_id = session and s.ended_at > now() - interval '30 days'
$$;
comment on function private.session_end(uuid) is
  'Why and when a session ended. Session ids are random, so only the device that had the session can ask.';
revoke execute on function private.session_end(uuid) from public, anon, authenticated;
grant execute on function private.session_end(uuid) to anon, authenticated, service_role;

create function public.session_end(session uuid) returns table (reason text, ended_at timestamptz)
  language sql stable security invoker set search_path = ''
as $$
  select reason, ended_at from private.session_end(session)
$$;
comment on function public.session_end(uuid) is
  'For a device that was signed out: the change that ended its session (`password`, `email` or null), and when. No row while the session exists, and '
  '30 days after its end.';
revoke execute on function public.session_end(uuid) from public, anon, authenticated;
grant execute on function public.session_end(uuid) to anon, authenticated, service_role;

-- Recovery by the address before a change, for seven days. The embedded server calls these; a hosted project asks both addresses
-- before the change (supabase/config.toml).

create function private.former_email_owner(address text) returns uuid
  language sql stable security definer set search_path = ''
as $$
  select c.member_id from private.account_changes c
  where c.former_email = address and c.changed_at > now() - interval '7 days'
    and not exists (select from auth.users u where u.email = address)
  order by c.id desc
  limit 1
$$;
comment on function private.former_email_owner(text) is
  'The account that had this e-mail in the last seven days, for which the address is held; null if it is in use.';
revoke execute on function private.former_email_owner(text) from public, anon, authenticated;

create function private.restore_email(address text, kept_session uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  owner_id constant uuid := private.former_email_owner(address);
  first_change constant bigint := (
    select max(id) from private.account_changes where member_id = owner_id and former_email = address
  );
begin
  update auth.users
    set
      email = address, email_change = null, email_change_token_new = null, email_change_token_current = null,
      -- Somebody else may know it.
      encrypted_password = null
    where id = owner_id;
  update auth.identities set identity_data = identity_data || jsonb_build_object('email', address)
    where user_id = owner_id and provider = 'email';
  -- Otherwise the person who changed the address could recover the account too.
  update private.account_changes set former_email = null where member_id = owner_id and id >= first_change;
  delete from auth.sessions where user_id = owner_id and id <> kept_session;
end
$$;
comment on function private.restore_email(text, uuid) is
  'Gives an account its former e-mail back after a recovery with it: the password and the other sessions end, and the later '
  'addresses cannot recover the account.';
revoke execute on function private.restore_email(text, uuid) from public, anon, authenticated;

create function private.end_unused_sessions(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  removed integer;
begin
  delete from auth.sessions where id in (
    -- refreshed_at has no time zone; Auth writes UTC. The app refreshes its token every hour.
    select s.id from auth.sessions s
    where greatest(s.created_at, s.refreshed_at at time zone 'utc') < now() - interval '30 days'
    limit max_rows
  );
  get diagnostics removed = row_count;
  return removed;
end
$$;
comment on function private.end_unused_sessions(integer) is
  'Ends at most max_rows sessions that were not used for 30 days. Returns how many.';
revoke execute on function private.end_unused_sessions(integer) from public, anon, authenticated;

create function private.delete_old_sign_ins(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  removed integer;
  step integer;
begin
  delete from private.sign_ins where session_id in (
    select session_id from private.sign_ins where ended_at < now() - interval '30 days' limit max_rows
  );
  get diagnostics removed = row_count;
  delete from private.account_changes where id in (
    select id from private.account_changes where changed_at < now() - interval '30 days' limit max_rows
  );
  get diagnostics step = row_count;
  return removed + step;
end
$$;
comment on function private.delete_old_sign_ins(integer) is
  'Deletes at most max_rows sign-ins and max_rows changes of accounts from more than 30 days ago. Returns how many.';
revoke execute on function private.delete_old_sign_ins(integer) from public, anon, authenticated;

create or replace function private.cleanup(max_rows integer) returns integer
  language sql security definer set search_path = ''
as $$
  select private.delete_expired_stories(max_rows)
    + private.delete_unsent_photos(max_rows)
    + private.delete_withdrawn_notifications(10 * max_rows)
    + private.delete_quota_usage(10 * max_rows)
    + private.delete_expired_usernames(10 * max_rows)
    + private.delete_unused_topics(10 * max_rows)
    + private.end_unused_sessions(10 * max_rows)
    + private.delete_old_sign_ins(10 * max_rows)
$$;
comment on function private.cleanup(integer) is
  'Deletes a batch of expired rows: at most max_rows stories and max_rows unsent photos, which are large, and ten times as '
  'many small rows of each other kind. Returns how many; call it again until that is 0.';
