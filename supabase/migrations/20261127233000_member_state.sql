-- Members have a state, and some of them a role (0109). One gate asks both: is_member(), which every policy asks already, and
-- require_active(), with which each function and trigger that writes for its caller begins. Nobody has a state or a role yet.

create table private.member_states (
  member_id uuid primary key references public.profiles on delete cascade,
  state text not null check (state in ('pending', 'limited', 'suspended')),
  until timestamptz,
  reason text check (char_length(reason) <= 500),
  since timestamptz not null default now()
);
alter table private.member_states enable row level security;
comment on table private.member_states is
  'Members who are not active: pending until they are admitted, limited, or suspended. until: when it ends by itself; null: not by itself.';

create table private.staff (
  member_id uuid primary key references public.profiles on delete cascade,
  role text not null check (role in ('owner', 'moderator')),
  since timestamptz not null default now()
);
create unique index staff_owner_key on private.staff (role) where role = 'owner';
alter table private.staff enable row level security;
comment on table private.staff is 'Who moderates: one owner at most, and moderators. Looked up at each use, never in a token.';

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
revoke execute on function private.has_account() from public;
grant execute on function private.has_account() to authenticated;

create or replace function private.is_member() returns boolean
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
  'Whether the caller has a session and a profile, and is neither pending nor suspended. Policies call it once per statement, as (select private.is_member()).';

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
  'PT403, with the time until which as detail, for a caller who is pending or suspended. Returns for everybody else, also without a session: what that gets stays as it is.';
revoke execute on function private.require_active() from public;
grant execute on function private.require_active() to authenticated;

create function private.staff_role() returns text
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select s.role from private.staff s where s.member_id = (select auth.uid()) and private.is_member());
end
$$;
comment on function private.staff_role() is 'owner or moderator, or null: also for a member who is pending or suspended.';
revoke execute on function private.staff_role() from public;
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
revoke execute on function private.my_state() from public;
grant execute on function private.my_state() to authenticated;

create function public.my_state() returns table (state text, until timestamptz, reason text)
  language sql stable set search_path = ''
as $$
  select state, until, reason from private.my_state()
$$;
comment on function public.my_state() is
  'The caller''s own state: active, pending, limited or suspended, until when (null: until it is changed) and why. No row without a session and a profile.';
revoke execute on function public.my_state() from public, anon;
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
revoke execute on function private.appoint(text, text) from public;

create or replace function private.check_ids(ids uuid[]) returns void
  language plpgsql stable set search_path = ''
as $$
begin
  perform private.require_active();
  if not private.is_member() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  if cardinality(ids) > 100 then
    raise sqlstate 'PT422' using message = 'At most 100 ids at once.';
  end if;
end
$$;

create or replace function private.accept_follow_request(requester uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.require_active();
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

create or replace function private.mark_delivered() returns void
  language plpgsql security definer set search_path = '' set enable_sort = 'off'
as $$
declare
  me constant uuid := (select auth.uid());
  received uuid[];
begin
  perform private.require_active();
  if not private.is_member() or not private.shows_activity() then
    return;
  end if;
  received := array(
    select newest.conversation_id
    from (
      select m.conversation_id, m.undelivered from public.conversation_members m
      where m.member_id = me and m.folder = 'inbox' order by m.listed_at desc, m.conversation_id desc limit 1000
    ) as newest
    cross join lateral (
      select case me when c.participant_1 then c.participant_2 else c.participant_1 end as id
      from public.conversations c where c.id = newest.conversation_id offset 0
    ) as sender
    where newest.undelivered
      and sender.id not in (select private.my_hidden_ids())
      and not exists (select 1 from public.profiles p where p.id = sender.id and not p.show_activity_status)
    limit 200
  );
  if cardinality(received) = 0 then
    return;
  end if;
  -- A message that is being sent meanwhile waits for this lock, or is seen by the next statements.
  perform 1 from public.conversation_members m
    where m.conversation_id = any (received) order by m.conversation_id, m.member_id for no key update;
  update public.conversation_members theirs
    set delivered_at = greatest(theirs.delivered_at, mine.last_message_at)
    from public.conversation_members mine
    where mine.member_id = me and mine.undelivered and mine.conversation_id = any (received)
      and theirs.conversation_id = mine.conversation_id and theirs.member_id <> me;
  update public.conversation_members m set undelivered = false
    where m.member_id = me and m.conversation_id = any (received);
end
$$;

create or replace function private.settle() returns integer
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_active();
  return case when private.is_member() then private.settle_waiting() end;
end
$$;

create or replace function private.register_device(device uuid) returns void
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

create or replace function private.count_quota() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  most record;
  used record;
begin
  perform private.require_active();
  select q.per_minute, q.per_day into most from private.quotas q where q.kind = tg_argv[0];
  if num_nonnulls(most.per_minute, most.per_day) = 0 then
    return new;
  end if;
  insert into private.quota_usage as u (member_id, kind) values ((select auth.uid()), tg_argv[0])
    on conflict (member_id, kind) do update set
      minute_since = case when u.minute_since <= now() - interval '1 minute' then now() else u.minute_since end,
      in_minute = case when u.minute_since <= now() - interval '1 minute' then 1 else u.in_minute + 1 end,
      day_since = case when u.day_since <= now() - interval '1 day' then now() else u.day_since end,
      in_day = case when u.day_since <= now() - interval '1 day' then 1 else u.in_day + 1 end
    returning u.in_minute, u.in_day into used;
  if used.in_minute > most.per_minute then
    perform private.raise_quota_exceeded(tg_argv[0], true);
  elsif used.in_day > most.per_day then
    perform private.raise_quota_exceeded(tg_argv[0], false);
  end if;
  return new;
end
$$;

create or replace function public.touch_activity() returns void
  language sql set search_path = ''
as $$
  select private.require_active();
  insert into public.activity (user_id)
  select (select auth.uid())
  where (select private.shows_activity()) and not exists (
    select 1 from public.activity a
    where a.user_id = (select auth.uid()) and a.last_active_at >= now() - interval '30 seconds'
  )
  on conflict (user_id) do update set last_active_at = now()
$$;
