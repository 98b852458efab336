-- Sign-ins, and what is removed with an account or a large thing: docs/decisions/0061-sign-ins.md, 0097-deleting-large-things.md.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table private.sign_ins (
  session_id uuid not null,
  member_id uuid not null,
  created_at timestamptz not null default now(),
  device uuid,
  user_agent text,
  answered_at timestamptz,
  ended_at timestamptz,
  end_reason text,
  constraint sign_ins_end_reason_check check (end_reason in ('password', 'email')),
  constraint sign_ins_pkey primary key (session_id),
  constraint sign_ins_member_id_fkey foreign key (member_id) references auth.users (id) on delete cascade
);
comment on table private.sign_ins is
  'Sessions, until 30 days after their end. device: a random id that an installation of the app keeps, null '
  'for clients that register none. answered_at: when an older device said whether the member signed in. '
  'end_reason: what was changed.';
create index sign_ins_member_idx on private.sign_ins (member_id, created_at);
create index sign_ins_ended_idx on private.sign_ins (ended_at) where (ended_at is not null);
alter table private.sign_ins enable row level security;
revoke all on table private.sign_ins from public, anon, authenticated;
grant all on table private.sign_ins to service_role;

create table private.account_changes (
  id bigint generated always as identity,
  member_id uuid not null,
  kind text not null,
  former_email text,
  changed_at timestamptz not null default now(),
  constraint account_changes_kind_check check (kind in ('password', 'email')),
  constraint account_changes_pkey primary key (id),
  constraint account_changes_member_id_fkey foreign key (member_id) references auth.users (id) on delete cascade
);
comment on table private.account_changes is
  'Changes of passwords and e-mail addresses in the last 30 days. former_email: the address before the change, '
  'unless it must not recover the account.';
create index account_changes_member_idx on private.account_changes (member_id, changed_at);
create index account_changes_former_email_idx on private.account_changes (former_email) where (former_email is not null);
create index account_changes_changed_idx on private.account_changes (changed_at);
alter table private.account_changes enable row level security;
revoke all on table private.account_changes from public, anon, authenticated;
grant all on table private.account_changes to service_role;

create table private.jobs (
  kind text not null,
  subject_id uuid not null,
  items uuid[],
  created_at timestamptz not null default now(),
  not_before timestamptz not null default now(),
  tries integer not null default 0,
  error text,
  constraint jobs_pkey primary key (kind, subject_id),
  constraint jobs_kind_check check (kind in ('account', 'objects', 'requests', 'receipts'))
);
comment on table private.jobs is
  'What is removed and not cleaned up yet. kind account: a profile and all that refers to it, readable by '
  'nobody; items: the posts, comments or stories that a holder keeps. kind objects: the folder of a closed '
  'account in Storage. kind requests: a member who went public, with requests that are not accepted yet. kind '
  'receipts: a member who turned receipts off, with marks that others still see.';
create index jobs_items_idx on private.jobs (subject_id) where (items is not null);
create index jobs_due_idx on private.jobs (kind, not_before);
alter table private.jobs enable row level security;
revoke all on table private.jobs from public, anon, authenticated;
grant all on table private.jobs to service_role;

create function private.is_recent_session(session uuid) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (
    select from auth.sessions s where s.id = session and s.created_at > now() - interval '10 minutes'
  )
$$;
comment on function private.is_recent_session(uuid) is 'Whether a session began at most ten minutes ago. Refreshing the token does not extend this.';
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
  language sql stable set search_path = ''
as $$
  select private.signed_in_recently()
$$;
comment on function public.signed_in_recently() is 'Whether the caller may change or delete the account without entering the password again.';
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
comment on function private.require_recent_sign_in() is 'The caller. PT401 without a session, PT428 unless the caller signed in recently.';
revoke execute on function private.require_recent_sign_in() from public, anon, authenticated;

create function private.my_sessions(

) returns table (
  id uuid,
  created_at timestamptz,
  last_used_at timestamptz,
  user_agent text,
  is_current boolean
)
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

create function public.my_sessions(

) returns table (
  id uuid,
  created_at timestamptz,
  last_used_at timestamptz,
  user_agent text,
  is_current boolean
)
  language sql stable set search_path = ''
as $$
  select id, created_at, last_used_at, user_agent, is_current from private.my_sessions()
$$;
comment on function public.my_sessions() is 'The caller''s sessions: the current one first, then by last use; at most 100. user_agent may be null.';
revoke execute on function public.my_sessions() from public, anon, authenticated;
grant execute on function public.my_sessions() to authenticated, service_role;

create function private.clear_account() returns boolean
  language plpgsql security definer set search_path = '' set lock_timeout = '50ms'
as $$
declare
  me constant uuid := private.require_recent_sign_in();
  -- A request has 500 ms. Leaves time for the last batch, which waits for up to 150 ms for what others hold.
  deadline constant timestamptz := clock_timestamp() + interval '100 milliseconds';
  posts uuid[];
  stories uuid[];
  photos integer;
  groups integer;
  is_held boolean;
begin
  loop
    -- All rows that refer to objects, so that the client may remove the objects. delete_account() removes the rest.
    posts := array(select h.post_id from public.post_media h where h.user_id = me limit 1);
    perform private.remove_items('public.posts', posts);
    if cardinality(posts) > 0 and clock_timestamp() > deadline then
      return false;
    end if;
    stories := array(select s.id from public.stories s where s.user_id = me and s.media_path is not null limit 1);
    perform private.remove_items('public.stories', stories);
    if cardinality(stories) > 0 and clock_timestamp() > deadline then
      return false;
    end if;
    is_held := false;
    photos := 0;
    groups := 0;
    begin
      update public.profiles set avatar_path = null where id = me and avatar_path is not null;
      delete from public.message_media where id in (
        select id from public.message_media where sender_id = me and media_path is not null limit 2
      );
      get diagnostics photos = row_count;
      update public.conversations set picture_path = null, pictured_by = null where id in (
        select id from public.conversations where pictured_by = me limit 2
      );
      get diagnostics groups = row_count;
    exception when lock_not_available then
      is_held := true;
    end;
    if cardinality(posts) + cardinality(stories) + photos + groups = 0 then
      -- What somebody holds would keep the account open for as long as they like: after the deadline its objects become a job.
      if not is_held or clock_timestamp() > deadline then
        return true;
      end if;
    elsif clock_timestamp() > deadline then
      return false;
    end if;
  end loop;
end
$$;
comment on function private.clear_account() is
  'Removes a part of what of the caller''s refers to objects, for about 100 ms. Returns whether the caller may '
  'go on: nothing is left, or only what others hold. PT401, PT428.';
revoke execute on function private.clear_account() from public, anon, authenticated;
grant execute on function private.clear_account() to authenticated, service_role;

create function public.clear_account() returns boolean
  language sql set search_path = ''
as $$
  select private.clear_account()
$$;
comment on function public.clear_account() is
  'Call until true, remove the objects of the own folder, then call delete_account(). PT428 unless the caller '
  'signed in recently.';
revoke execute on function public.clear_account() from public, anon, authenticated;
grant execute on function public.clear_account() to authenticated, service_role;

create function private.delete_account() returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  me constant uuid := private.require_recent_sign_in();
begin
  loop
    begin
      delete from auth.users where id = me;
      exit;
    exception when lock_not_available then
      -- Only what the member's other devices do.
      perform private.give_way();
    end;
  end loop;
  -- Never waits: a transaction that holds one of these rows waits for the account and then fails.
  delete from private.quota_usage where ctid = any (array(
    select ctid from private.quota_usage where member_id = me for update skip locked
  ));
end
$$;
comment on function private.delete_account() is
  'Deletes the caller''s auth user, with e-mail address, password, identities and sessions. Profile, posts, '
  'likes, messages and all other data disappear for everybody. PT428 unless the caller signed in recently, '
  'PT503.';
revoke execute on function private.delete_account() from public, anon, authenticated;
grant execute on function private.delete_account() to authenticated, service_role;

create function public.delete_account() returns void
  language sql set search_path = '' set statement_timeout = '30s'
as $$
  select private.delete_account()
$$;
comment on function public.delete_account() is
  'Deletes the caller''s account and all its data in one transaction. PT428 unless the caller signed in '
  'recently.';
revoke execute on function public.delete_account() from public, anon, authenticated;
grant execute on function public.delete_account() to authenticated, service_role;

-- Three hundred sessions of a hundred refresh tokens end in a third of the time that a request has.
create function private.record_sign_in() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  surplus uuid[];
begin
  insert into private.sign_ins (session_id, member_id) values (new.id, new.user_id);
  if exists (select from auth.sessions s where s.user_id = new.user_id and s.id <> new.id) then
    perform private.broadcast_change('sign_ins', 'INSERT', new.user_id, array[new.id]);
  end if;
  -- A hundred at once: earlier versions kept more. Two sign-ins at once end different ones.
  surplus := array(
    select s.id from auth.sessions s where s.user_id = new.user_id and s.id <> new.id
    order by greatest(s.created_at, s.refreshed_at at time zone 'utc') desc offset 299 limit 100
  );
  if cardinality(surplus) > 0 then
    surplus := array(select s.id from auth.sessions s where s.id = any (surplus) for update skip locked);
    delete from auth.sessions where id = any (surplus);
  end if;
  surplus := array(
    select s.session_id from private.sign_ins s where s.member_id = new.user_id and s.ended_at is not null
    order by s.created_at desc offset 2000 limit 100
  );
  if cardinality(surplus) > 0 then
    surplus := array(select s.session_id from private.sign_ins s where s.session_id = any (surplus) for update skip locked);
    delete from private.sign_ins where session_id = any (surplus);
  end if;
  return null;
end
$$;
comment on function private.record_sign_in() is
  'Stores a sign-in, and broadcasts it to the member''s other devices. Ends those of more than three hundred '
  'sessions that were not used for longest, and forgets those of more than two thousand ended ones that began '
  'first.';
revoke execute on function private.record_sign_in() from public, anon, authenticated;

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
comment on function private.record_session_end() is 'Stores when a session ended. If the account was changed in the minute before, that is the reason.';
revoke execute on function private.record_session_end() from public, anon, authenticated;

-- New passwords are not limited, and were kept for 30 days: hundreds of thousands of rows of an account, with which it could not be deleted any more.
create function private.record_account_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.encrypted_password is distinct from old.encrypted_password then
    -- Only the latest says why sessions end. There may be very many from before this.
    delete from private.account_changes where id = any (array(
      select c.id from private.account_changes c where c.member_id = new.id and c.kind = 'password' limit 100
    ));
    insert into private.account_changes (member_id, kind) values (new.id, 'password');
  end if;
  if new.email is distinct from old.email then
    insert into private.account_changes (member_id, kind, former_email) values (new.id, 'email', old.email);
    -- Only an address that may still recover the account.
    update private.account_changes set former_email = null
      where member_id = new.id and former_email is not null and id >= (
        select min(c.id) from private.account_changes c
        where c.member_id = new.id and c.former_email = new.email and c.changed_at > now() - interval '7 days'
      );
    -- A link in a mail has confirmed the address. Which session asked for it is not known.
    if old.email_change = new.email then
      delete from auth.sessions where user_id = new.id;
    end if;
  end if;
  return null;
end
$$;
comment on function private.record_account_change() is
  'Stores a new password or e-mail. A former e-mail that comes back ends the right of those since to recover '
  'the account. An address that was confirmed by mail ends all sessions of the account.';
revoke execute on function private.record_account_change() from public, anon, authenticated;

create function private.unanswered_sign_ins() returns setof private.sign_ins
  language sql stable security definer set search_path = ''
as $$
  select (t.sign_in).*
  from (
    select
      n as sign_in, mine.session_id as my_session, mine.device as my_device,
      min(n.created_at) over (partition by n.device) as device_since,
      min(n.created_at) filter (where n.session_id = mine.session_id or n.device = mine.device) over () as my_since
    from private.sign_ins mine
    join private.sign_ins n on n.member_id = mine.member_id
    where mine.session_id = ((select auth.jwt()) ->> 'session_id')::uuid and (select private.has_session())
  ) as t
  where (t.sign_in).session_id <> t.my_session
    and (t.sign_in).answered_at is null
    and ((t.sign_in).device = t.my_device) is not true
    -- A device is asked about later ones only: the newest cannot answer for itself.
    and (t.sign_in).created_at > t.my_since
    and case
      -- The app registers its device right after it has signed in.
      when (t.sign_in).device is null then (t.sign_in).created_at < now() - interval '1 minute'
      else (t.sign_in).created_at = t.device_since
    end
$$;
comment on function private.unanswered_sign_ins() is
  'Sign-ins to the caller''s account after the caller''s own first one, on devices that had not signed in '
  'before, about which no device has answered.';
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
  language sql stable set search_path = ''
as $$
  select id, created_at, user_agent from private.new_sign_ins()
$$;
comment on function public.new_sign_ins() is
  'Sign-ins to the caller''s account on new devices since the caller''s own, the latest first; at most ten. '
  'user_agent may be null.';
revoke execute on function public.new_sign_ins() from public, anon, authenticated;
grant execute on function public.new_sign_ins() to authenticated, service_role;

create function private.register_device(device uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  mine private.sign_ins;
begin
  perform private.require_active();
  update private.sign_ins s set device = register_device.device
    where s.session_id = ((select auth.jwt()) ->> 'session_id')::uuid and s.device is null
      and (select private.has_session())
    returning * into mine;
  if found
    and exists (select from auth.sessions s where s.user_id = mine.member_id and s.id <> mine.session_id)
    and not exists (
      select from private.sign_ins k
      where k.member_id = mine.member_id and k.device = mine.device and k.created_at < mine.created_at
    )
  then
    perform private.broadcast_change('sign_ins', 'INSERT', mine.member_id, array[mine.session_id]);
  end if;
end
$$;
comment on function private.register_device(uuid) is
  'Stores on which device the caller''s session is, once. The other devices are asked at once about a new one.';
revoke execute on function private.register_device(uuid) from public, anon, authenticated;
grant execute on function private.register_device(uuid) to authenticated, service_role;

create function public.register_device(device uuid) returns void
  language sql set search_path = ''
as $$
  select private.register_device(device)
$$;
comment on function public.register_device(uuid) is
  'Call after each sign-in with a random id that the installation keeps. A session without one counts as a new '
  'device.';
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
  'Stores whether the member signed in on that device, for all devices. Does nothing unless new_sign_ins() '
  'returns it.';
revoke execute on function private.answer_sign_in(uuid, boolean) from public, anon, authenticated;
grant execute on function private.answer_sign_in(uuid, boolean) to authenticated, service_role;

create function public.answer_sign_in(sign_in uuid, was_me boolean) returns void
  language sql set search_path = ''
as $$
  select private.answer_sign_in(sign_in, was_me)
$$;
comment on function public.answer_sign_in(uuid, boolean) is 'Answers a sign-in of new_sign_ins(). It ends no session: sign out first.';
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
  language sql set search_path = ''
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
  language sql stable set search_path = ''
as $$
  select reason, ended_at from private.session_end(session)
$$;
comment on function public.session_end(uuid) is
  'For a device that was signed out: the change that ended its session (`password`, `email` or null), and '
  'when. No row while the session exists, and 30 days after its end.';
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
  'The account that had this e-mail in the last seven days, for which the address is held; null if it is in '
  'use.';
revoke execute on function private.former_email_owner(text) from public, anon, authenticated;

create function private.restore_email(address text, kept_session uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  owner_id constant uuid := private.former_email_owner(address);
  first_change constant bigint := (
    select min(id) from private.account_changes where member_id = owner_id and former_email = address
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
  -- Otherwise the person who changed the address could recover the account too. New passwords are not limited, and have none.
  update private.account_changes set former_email = null
    where member_id = owner_id and id >= first_change and former_email is not null;
  delete from auth.sessions where user_id = owner_id and id <> kept_session;
end
$$;
comment on function private.restore_email(text, uuid) is
  'Gives an account its former e-mail back after a recovery with it: the password and the other sessions end, '
  'and no address that the account had after the first change of this one can recover it.';
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
comment on function private.end_unused_sessions(integer) is 'Ends at most max_rows sessions that were not used for 30 days. Returns how many.';
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
  'Deletes at most max_rows sign-ins and max_rows changes of accounts from more than 30 days ago. Returns how '
  'many.';
revoke execute on function private.delete_old_sign_ins(integer) from public, anon, authenticated;

create function private.give_way() returns void
  language plpgsql set search_path = ''
as $$
begin
  if clock_timestamp() > statement_timestamp() + interval '2 seconds' then
    raise sqlstate 'PT503' using message = 'Others are using this at the moment.', hint = 'Try again.';
  end if;
  perform pg_catalog.pg_sleep(0.02 + 0.08 * random());
end
$$;
comment on function private.give_way() is
  'For a statement that has given back its locks because it waited for a row: lets others end, for at most two '
  'seconds together. PT503 after that.';
revoke execute on function private.give_way() from public, anon, authenticated;

create function private.delete_posts(ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
begin
  perform private.check_ids(ids);
  perform private.remove_items('public.posts', array(
    select p.id from public.posts p where p.id = any (ids) and p.user_id = (select auth.uid())
  ));
end
$$;
comment on function private.delete_posts(uuid[]) is
  'Removes those of the given posts that the caller wrote, at once and for everybody. Waits for no statement '
  'of another member. PT401, PT422.';
revoke execute on function private.delete_posts(uuid[]) from public, anon, authenticated;
grant execute on function private.delete_posts(uuid[]) to authenticated, service_role;

create function private.delete_comments(ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.check_ids(ids);
  perform private.remove_items('public.comments', array(
    select c.id from public.comments c
    where c.id = any (ids) and c.user_id not in (select private.removed_member_ids())
      and (c.user_id = me or exists (select from public.posts p where p.id = c.post_id and p.user_id = me))
  ));
end
$$;
comment on function private.delete_comments(uuid[]) is
  'Removes those of the given comments that the caller wrote or that are on the caller''s posts, with their '
  'replies. As delete_posts(). PT401, PT422.';
revoke execute on function private.delete_comments(uuid[]) from public, anon, authenticated;
grant execute on function private.delete_comments(uuid[]) to authenticated, service_role;

create function private.delete_stories(ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
begin
  perform private.check_ids(ids);
  perform private.remove_items('public.stories', array(
    select s.id from public.stories s where s.id = any (ids) and s.user_id = (select auth.uid())
  ));
end
$$;
comment on function private.delete_stories(uuid[]) is 'Removes those of the given stories that the caller shared. As delete_posts(). PT401, PT422.';
revoke execute on function private.delete_stories(uuid[]) from public, anon, authenticated;
grant execute on function private.delete_stories(uuid[]) to authenticated, service_role;

create function private.block_members(ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.check_ids(ids);
  loop
    begin
      if exists (
        select from unnest(ids) as wanted (id)
        where not exists (select from public.blocks b where b.blocker_id = me and b.blocked_id = wanted.id)
          -- A member who has blocked the caller is unknown to them, unless they write with each other.
          and not exists (
            select from public.profiles p where p.id = wanted.id and p.id not in (select private.my_hidden_ids())
          )
          and not exists (
            select from public.conversations c
            where (c.participant_1 = me and c.participant_2 = wanted.id) or (c.participant_2 = me and c.participant_1 = wanted.id)
          )
      ) then
        raise sqlstate 'PT404' using message = 'There is no such account.';
      end if;
      insert into public.blocks (blocker_id, blocked_id)
        select distinct me, id from unnest(ids) as id order by id
        on conflict do nothing;
      return;
    exception when lock_not_available then
      perform private.give_way();
    end;
  end loop;
end
$$;
comment on function private.block_members(uuid[]) is
  'Blocks members; idempotent. Waits as delete_posts(). PT401, PT404 for an account that the caller does not '
  'see, PT422, PT429, PT503.';
revoke execute on function private.block_members(uuid[]) from public, anon, authenticated;
grant execute on function private.block_members(uuid[]) to authenticated, service_role;

create function public.delete_posts(ids uuid[]) returns void
  language sql set search_path = '' set statement_timeout = '30s'
as $$
  select private.delete_posts(ids)
$$;
comment on function public.delete_posts(uuid[]) is
  'Deletes own posts, at most 100; ids of others and unknown ones are ignored. PT503 if others use them for '
  'two seconds.';
revoke execute on function public.delete_posts(uuid[]) from public, anon, authenticated;
grant execute on function public.delete_posts(uuid[]) to authenticated, service_role;

create function public.delete_comments(ids uuid[]) returns void
  language sql set search_path = '' set statement_timeout = '30s'
as $$
  select private.delete_comments(ids)
$$;
comment on function public.delete_comments(uuid[]) is
  'Deletes own comments and those on own posts, with their replies, at most 100; other ids are ignored. PT503 '
  'if others use them for two seconds.';
revoke execute on function public.delete_comments(uuid[]) from public, anon, authenticated;
grant execute on function public.delete_comments(uuid[]) to authenticated, service_role;

create function public.delete_stories(ids uuid[]) returns void
  language sql set search_path = ''
as $$
  select private.delete_stories(ids)
$$;
comment on function public.delete_stories(uuid[]) is 'Deletes own stories, at most 100; other ids are ignored. PT503 if others use them for two seconds.';
revoke execute on function public.delete_stories(uuid[]) from public, anon, authenticated;
grant execute on function public.delete_stories(uuid[]) to authenticated, service_role;

create function public.block_members(ids uuid[]) returns void
  language sql set search_path = ''
as $$
  select private.block_members(ids)
$$;
comment on function public.block_members(uuid[]) is
  'Blocks at most 100 members; idempotent. PT404 if one of them is unknown. PT503 if others use what lies '
  'between the two for two seconds.';
revoke execute on function public.block_members(uuid[]) from public, anon, authenticated;
grant execute on function public.block_members(uuid[]) to authenticated, service_role;

create function private.dependents(
  items regclass
) returns table (child regclass, is_seen boolean, refers_by name, goes boolean, has_dependents boolean)
  language sql stable security definer set search_path = ''
as $$
  select c.conrelid::regclass, n.nspname = 'public', a.attname, c.confdeltype = 'c',
    exists (
      select from pg_catalog.pg_constraint d
      where d.contype = 'f' and d.confrelid = c.conrelid and d.confdeltype in ('c', 'n')
    )
  from pg_catalog.pg_constraint c
  join pg_catalog.pg_class t on t.oid = c.conrelid
  join pg_catalog.pg_namespace n on n.oid = t.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confrelid = items and c.confdeltype in ('c', 'n')
  -- What others see first.
  order by array_position(
    array['conversations', 'conversation_members', 'follows', 'likes', 'comments', 'comment_likes', 'notifications'], t.relname::text), c.conname
$$;
comment on function private.dependents(regclass) is
  'The columns that refer to rows of a table, whether members see the table, whether its rows go with them or '
  'only lose the reference, and whether others refer to these in turn.';
revoke execute on function private.dependents(regclass) from public, anon, authenticated;

create function private.weigh(items regclass, ids uuid[], most integer) returns integer
  language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  dependent record;
  found uuid[];
  counted integer;
  weight integer := 0;
begin
  for dependent in select * from private.dependents(items) where is_seen loop
    if dependent.goes and dependent.has_dependents then
      execute format('select array(select id from %s where %I = any ($1) limit $2)', dependent.child, dependent.refers_by)
        into found using ids, most - weight;
      weight := weight + cardinality(found);
      if weight < most and cardinality(found) > 0 then
        weight := weight + private.weigh(dependent.child, found, most - weight);
      end if;
    else
      execute format('select count(*) from (select from %s where %I = any ($1) limit $2) as counted', dependent.child, dependent.refers_by)
        into counted using ids, most - weight;
      weight := weight + counted;
    end if;
    exit when weight >= most;
  end loop;
  return weight;
end
$$;
comment on function private.weigh(regclass, uuid[], integer) is 'How many rows would be removed or changed with these, at most `most`.';
revoke execute on function private.weigh(regclass, uuid[], integer) from public, anon, authenticated;

create function private.remove_dependents(items regclass, ids uuid[], most integer) returns integer
  language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  dependent record;
  found uuid[];
  step integer;
  removed integer := 0;
begin
  for dependent in select * from private.dependents(items) loop
    if dependent.goes and dependent.has_dependents then
      -- A story may have a video of 28 MB in its row, which takes 75 ms.
      execute format(
        'select array(select id from %s where %I = any ($1) limit %s for update skip locked)',
        dependent.child, dependent.refers_by, case when dependent.child = 'public.stories'::regclass then 2 else 20 end
      ) into found using ids;
      if cardinality(found) = 0 then
        step := 0;
      elsif private.weigh(dependent.child, found, most) < most then
        execute format('delete from %s where id = any ($1)', dependent.child) using found;
        step := cardinality(found);
      else
        step := private.remove_dependents(dependent.child, found, most - removed);
      end if;
    else
      execute format(
        '%1$s where ctid = any (array(select ctid from %2$s where %3$I = any ($1) limit $2 for update skip locked))',
        case when dependent.goes then format('delete from %s', dependent.child)
          else format('update %s set %I = null', dependent.child, dependent.refers_by) end,
        dependent.child, dependent.refers_by
      ) using ids, most - removed;
      get diagnostics step = row_count;
    end if;
    removed := removed + step;
    exit when removed >= most;
  end loop;
  return removed;
end
$$;
comment on function private.remove_dependents(regclass, uuid[], integer) is
  'Removes about `most` rows that refer to these, the deepest first, without those that somebody holds. '
  'Returns how many; 0 if none is left that is free.';
revoke execute on function private.remove_dependents(regclass, uuid[], integer) from public, anon, authenticated;

create function private.work_job(max_rows integer) returns integer
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  last constant timestamptz := clock_timestamp() + interval '100 milliseconds';
  job private.jobs;
  step integer;
  removed integer := 0;
begin
  loop
    select * into job from private.jobs
      where kind = 'account' and not_before <= now()
      order by not_before limit 1 for update skip locked;
    if not found then
      return 0;
    end if;
    begin
      perform set_config('vignette.is_cleaning', 'on', true);
      loop
        step := private.remove_dependents('public.profiles', array[job.subject_id], max_rows);
        removed := removed + step;
        if step = 0 and private.weigh('public.profiles', array[job.subject_id], 1) = 0 then
          delete from public.profiles where id = job.subject_id;
          delete from private.jobs where kind = job.kind and subject_id = job.subject_id;
          removed := removed + 1;
        end if;
        exit when step = 0 or clock_timestamp() > last;
      end loop;
      perform set_config('vignette.is_cleaning', '', true);
      -- The others first. What somebody holds is tried again a minute later.
      update private.jobs
        set not_before = case when removed = 0 then now() + interval '1 minute' else clock_timestamp() end,
          tries = case when removed = 0 then tries + 1 else 0 end, error = null
        where kind = job.kind and subject_id = job.subject_id;
    exception when others then
      removed := 0;
      update private.jobs
        set not_before = now() + least(tries + 1, 60) * interval '1 minute', tries = tries + 1, error = sqlerrm
        where kind = job.kind and subject_id = job.subject_id;
    end;
    if removed > 0 then
      return removed;
    end if;
    if clock_timestamp() > last then
      -- 1: the caller goes on if others are due.
      perform from private.jobs where kind = 'account' and not_before <= now() limit 1 for update skip locked;
      return found::integer;
    end if;
  end loop;
end
$$;
comment on function private.work_job(integer) is
  'Removes one batch of what waited longest and is free, for about 100 ms. It waits 200 ms for a row that '
  'others count with, and for no other. Nothing is remembered between batches: what is gone is gone. Returns '
  'how many rows it removed, 1 if it only found what is held and others are due, 0 if nothing is left that is '
  'free.';
revoke execute on function private.work_job(integer) from public, anon, authenticated;

create function private.tell_removed(items regclass, ids uuid[]) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return;
  end if;
  if items = 'public.posts'::regclass then
    perform realtime.send(
      jsonb_build_object('table', 'posts', 'type', 'DELETE', 'ids', jsonb_build_array(id)), 'change', 'post:' || id, true
    ) from unnest(ids) as id;
  elsif items = 'public.comments'::regclass then
    perform realtime.send(
      jsonb_build_object(
        'table', 'comments', 'type', 'DELETE', 'ids', jsonb_agg(c.id),
        'threads', coalesce(jsonb_agg(c.parent_id) filter (where c.parent_id is not null), '[]')
      ) || case when private.broadcasts_carry_rows() then jsonb_build_object('author', c.user_id) else '{}' end,
      'change', 'post:' || c.post_id, true
    ) from public.comments c where c.id = any (ids) group by c.post_id, c.user_id;
  end if;
exception when others then
  -- The client sees the change when it refetches; a deletion that fails would be lost.
  raise warning 'A removal was not broadcast: %', sqlerrm;
end
$$;
comment on function private.tell_removed(regclass, uuid[]) is
  'Broadcasts the deletion of posts and comments that a holder takes over, as the triggers of a deletion do.';
revoke execute on function private.tell_removed(regclass, uuid[]) from public, anon, authenticated;

create function private.hold_items(items regclass, ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '10s'
as $$
declare
  holder constant uuid := gen_random_uuid();
  held uuid[];
begin
  -- The order in which a change of privacy takes them. Those who count hold them for milliseconds; no member's filter does.
  if items = 'public.posts'::regclass then
    perform 1 from public.profiles where id in (select p.user_id from public.posts p where p.id = any (ids)) order by id for no key update;
  end if;
  execute format('select array(select id from %s where id = any ($1) order by id for no key update)', items) into held using ids;
  if cardinality(held) = 0 then
    return;
  end if;
  perform private.tell_removed(items, held);
  insert into private.jobs (kind, subject_id, items) values ('account', holder, held);
  insert into public.profiles (id, username, is_private)
    values (holder, 'removed.' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 22), true);
  if items = 'public.posts'::regclass then
    update public.profiles p set post_count = p.post_count - c.posts
      from (
        select user_id, count(*)::integer as posts from public.posts
        where id = any (held) and audience <> 'nobody' group by user_id
      ) as c
      where p.id = c.user_id;
    update public.profiles set post_count = cardinality(held) where id = holder;
    -- Nobody follows a holder, so the audience alone hides them too. A picture keeps a post from being empty.
    update public.posts set user_id = holder, audience = 'followers', image_url = 'data:image/webp;base64,', thumbnail_url = null where id = any (held);
    delete from public.post_media where post_id = any (held);
    delete from public.post_topics where post_id = any (held);
    delete from private.post_words where post_id = any (held);
  elsif items = 'public.comments'::regclass then
    update public.comments set user_id = holder where id = any (held);
    -- Tells their recipients. What one of them holds is hidden, and left to work_job().
    delete from public.notifications where id = any (array(
      select id from public.notifications
      where comment_id = any (held) and type in ('comment', 'reply', 'mention')
      for update skip locked
    ));
  else
    update public.stories set user_id = holder, audience = 'followers', media_path = null, poster_path = null, thumbhash = null, thumbnail_url = null,
        media_url = case media_type when 'image' then 'data:image/webp;base64,' else 'data:video/webm;base64,' end
      where id = any (held);
  end if;
end
$$;
comment on function private.hold_items(regclass, uuid[]) is
  'Gives posts, comments or stories to a new member without an account, the holder, whom everybody''s lists '
  'leave out, and frees their objects. What refers to them waits for work_job().';
revoke execute on function private.hold_items(regclass, uuid[]) from public, anon, authenticated;

create function private.remove_items(items regclass, ids uuid[]) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  if private.weigh(items, ids, 200) < 200 then
    begin
      execute format('delete from %s where id = any ($1)', items) using ids;
      return;
    exception when lock_not_available then
      -- Somebody holds rows of them, for as long as they like.
      null;
    end;
  end if;
  perform private.hold_items(items, ids);
end
$$;
comment on function private.remove_items(regclass, uuid[]) is
  'Removes posts, comments or stories for everybody: deletes them if fewer than 200 rows depend on them and '
  'nobody holds one for longer than the lock_timeout of the caller, otherwise by a holder.';
revoke execute on function private.remove_items(regclass, uuid[]) from public, anon, authenticated;

create function private.has_objects(member uuid) returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return to_regclass('storage.objects') is not null and exists (
    select from storage.objects o
    where o.bucket_id = 'media'
      -- The folder; '0' follows '/'. Storage has an index in this collation.
      and o.name collate "C" >= member::text || '/' and o.name collate "C" < member::text || '0'
  );
end
$$;
comment on function private.has_objects(uuid) is 'Whether the folder of a member has objects.';
revoke execute on function private.has_objects(uuid) from public, anon, authenticated;

create function private.close_account() returns trigger
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
begin
  insert into private.jobs (kind, subject_id)
    select 'objects', old.id where private.has_objects(old.id)
    on conflict do nothing;
  if private.weigh('public.profiles', array[old.id], 200) < 200 then
    begin
      delete from public.profiles where id = old.id;
      return null;
    exception when lock_not_available then
      -- Somebody holds rows of it, for as long as they like.
      null;
    end;
  end if;
  insert into private.jobs (kind, subject_id)
    select 'account', p.id from public.profiles p where p.id = old.id
    on conflict do nothing;
  return null;
end
$$;
comment on function private.close_account() is
  'Removes the profile of a deleted account for everybody, with all that refers to it: deletes it if fewer '
  'than 200 rows do and nobody holds one, otherwise by a job. Its objects, if there are any left, are a job '
  'too.';
revoke execute on function private.close_account() from public, anon, authenticated;

create function private.waiting_objects(most integer) returns table (name text)
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.end_empty_folders(1000);
  if to_regclass('storage.objects') is null or not private.media_columns_match() then
    return;
  end if;
  return query
    select waiting.name
    from private.jobs j
    cross join lateral (
      select o.name from storage.objects o
      where o.bucket_id = 'media'
        and o.name collate "C" >= j.subject_id::text || '/' and o.name collate "C" < j.subject_id::text || '0'
        and not private.is_object_used(o.name)
      limit most
    ) as waiting
    where j.kind = 'objects' and not exists (select from auth.users u where u.id = j.subject_id)
    limit most;
end
$$;
comment on function private.waiting_objects(integer) is
  'At most `most` keys of objects that closed accounts have left and nothing refers to. Ends the jobs whose '
  'folders are empty. For the operator''s command only.';
revoke execute on function private.waiting_objects(integer) from public, anon, authenticated;
grant execute on function private.waiting_objects(integer) to service_role;

create function public.waiting_objects(most integer default 100) returns table (name text)
  language sql set search_path = ''
as $$
  select name from private.waiting_objects(most)
$$;
comment on function public.waiting_objects(integer) is 'Objects that closed accounts have left. Only with the secret key: npm run objects removes them.';
revoke execute on function public.waiting_objects(integer) from public, anon, authenticated;
grant execute on function public.waiting_objects(integer) to service_role;

create function private.traces() returns table (place regclass, rule text)
  language sql stable set search_path = ''
as $$
  values
    -- An acceptance that is under way holds the request: its follow is there once the request is gone.
    ('public.follow_requests'::regclass, 't.requester_id = any ($1) and t.target_id = any ($1)'),
    ('public.follows', 't.follower_id = any ($1) and t.following_id = any ($1)'),
    ('public.comments', 't.user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.user_id)'),
    ('public.likes', 't.user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.user_id)'),
    ('public.comment_likes', 't.user_id = any ($1) and exists (
      select from public.comments c where c.id = t.comment_id and c.user_id = any ($1) and c.user_id <> t.user_id)'),
    ('public.comment_likes', 't.user_id = any ($1) and exists (
      select from public.comments c join public.posts p on p.id = c.post_id
      where c.id = t.comment_id and p.user_id = any ($1) and p.user_id <> t.user_id)'),
    ('public.saved_posts', 't.user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.user_id)'),
    ('public.post_tags', 't.tagged_user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.tagged_user_id)'),
    ('public.story_views', 't.viewer_id = any ($1) and exists (
      select from public.stories s where s.id = t.story_id and s.user_id = any ($1))'),
    ('public.notifications', 't.user_id = any ($1) and t.actor_id = any ($1)')
$$;
comment on function private.traces() is
  'What two members leave with each other, and a block removes: the tables, and conditions of their rows t; $1 '
  'has the ids of the two. Their conversation stays.';
revoke execute on function private.traces() from public, anon, authenticated;

create function private.weigh_traces(pair uuid[], most integer) returns integer
  language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  trace record;
  found uuid[];
  counted integer;
  weight integer := 0;
begin
  for trace in select * from private.traces() loop
    if trace.place = 'public.comments'::regclass then
      execute format('select array(select t.id from %s t where %s limit $2)', trace.place, trace.rule)
        into found using pair, most - weight;
      weight := weight + cardinality(found);
      if weight < most and cardinality(found) > 0 then
        weight := weight + private.weigh(trace.place, found, most - weight);
      end if;
    else
      execute format('select count(*) from (select from %s t where %s limit $2) as counted', trace.place, trace.rule)
        into counted using pair, most - weight;
      weight := weight + counted;
    end if;
    exit when weight >= most;
  end loop;
  return weight;
end
$$;
comment on function private.weigh_traces(uuid[], integer) is
  'How many rows would be removed if these two members were separated, with the replies to their comments; at '
  'most `most`.';
revoke execute on function private.weigh_traces(uuid[], integer) from public, anon, authenticated;

create function private.part_some(pair uuid[], most integer) returns integer
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms' set enable_seqscan = off set jit = off
as $$
declare
  trace record;
  found uuid[];
  step integer;
  removed integer := 0;
begin
  for trace in select * from private.traces() loop
    if trace.place = 'public.comments'::regclass then
      execute format(
        'select array(select t.id from %s t where %s limit $2 for no key update of t skip locked)', trace.place, trace.rule
      ) into found using pair, most - removed;
      perform private.hold_items(trace.place, found);
      step := cardinality(found);
    else
      execute format(
        'delete from %1$s where ctid = any (array(select t.ctid from %1$s t where %2$s limit $2 for update of t skip locked))',
        trace.place, trace.rule
      ) using pair, most - removed;
      get diagnostics step = row_count;
    end if;
    removed := removed + step;
    exit when removed >= most;
  end loop;
  return removed;
exception when lock_not_available then
  return 0;
end
$$;
comment on function private.part_some(uuid[], integer) is
  'Removes up to `most` traces of two members, without those that somebody holds; a holder takes their '
  'comments, which so disappear for everybody with all replies. Returns how many.';
revoke execute on function private.part_some(uuid[], integer) from public, anon, authenticated;

create function private.end_empty_folders(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  looked_at uuid[] := array(
    select j.subject_id from private.jobs j where j.kind = 'objects'
    order by j.not_before limit max_rows for update skip locked
  );
  ended integer;
begin
  delete from private.jobs j where j.kind = 'objects' and j.subject_id = any (looked_at) and not private.has_objects(j.subject_id);
  get diagnostics ended = row_count;
  -- The others first the next time.
  update private.jobs set not_before = clock_timestamp() where kind = 'objects' and subject_id = any (looked_at);
  return ended;
end
$$;
comment on function private.end_empty_folders(integer) is
  'Looks at the folders of max_rows closed accounts, those first that it looked at longest ago, and ends the '
  'jobs of those that have no object left; returns how many.';
revoke execute on function private.end_empty_folders(integer) from public, anon, authenticated;

create trigger sessions_record_sign_in after insert on auth.sessions
  for each row execute function private.record_sign_in();
create trigger sessions_record_end after delete on auth.sessions
  for each row execute function private.record_session_end();

create trigger users_record_account_change after update of email, encrypted_password on auth.users
  for each row execute function private.record_account_change();
create trigger users_close_account after delete on auth.users
  for each row execute function private.close_account();

set check_function_bodies = on;
