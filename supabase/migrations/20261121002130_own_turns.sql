-- Who switches privacy keeps those waiting whom it concerns, not everybody: docs/decisions/0011-writers-take-turns.md.

create function private.take_turn_of(member uuid, alone boolean) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  -- All sessions share one table of locks, so a statement about thousands of members must not take thousands.
  turn constant integer := pg_catalog.hashtext(member::text) & 63;
begin
  if alone then
    perform pg_catalog.pg_advisory_xact_lock(7246002, turn);
  else
    perform pg_catalog.pg_advisory_xact_lock_shared(7246002, turn);
  end if;
end
$$;
comment on function private.take_turn_of(uuid, boolean) is
  'Lets following a member, asking to and being answered wait while that member switches privacy, and the other way '
  'round. Taken after the turn of all, and before the statement locks any row.';

create function private.take_turn_of_followed() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.take_turn_of((to_jsonb(new) ->> tg_argv[0])::uuid, false);
  return new;
end
$$;
comment on function private.take_turn_of_followed() is
  'Takes the turn of the member in the named column of a new row, before the guards look whether they are private.';
-- Triggers fire in the order of their names: these before follows_guard and follow_requests_guard.
create trigger follows_await_turn before insert on public.follows
  for each row execute function private.take_turn_of_followed('following_id');
create trigger follow_requests_await_turn before insert on public.follow_requests
  for each row execute function private.take_turn_of_followed('target_id');

create function private.take_own_turn() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.take_turn_of((select auth.uid()), false);
  return null;
end
$$;
comment on function private.take_own_turn() is
  'Takes the caller''s turn: requests to them are answered before or after they switch privacy, not meanwhile.';
create trigger follow_requests_take_turns_own before delete on public.follow_requests
  for each statement execute function private.take_own_turn();

create function private.take_privacy_turn() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(7246001);
  perform private.take_turn_of(me, true);
  -- Going public counts on whoever asks. They and oneself are locked in the order of their ids, before the statement
  -- locks one's own row; nobody can ask any more.
  perform 1 from public.profiles p
    where p.id = any (me || array(select requester_id from public.follow_requests where target_id = me))
    order by p.id for no key update;
  return null;
end
$$;
comment on function private.take_privacy_turn() is
  'The turn of a member who switches privacy, taken before it is known whether anything changes.';

-- Whom row security binds can change no other row than their own.
drop trigger profiles_take_turns_privacy on public.profiles;
create trigger profiles_take_turns_privacy before update of is_private on public.profiles
  for each statement when (not pg_catalog.row_security_active('public.profiles'))
  execute function private.take_turns('exclusive');
create trigger profiles_take_own_turn before update of is_private on public.profiles
  for each statement when (pg_catalog.row_security_active('public.profiles'))
  execute function private.take_privacy_turn();

-- Deleting posts takes the turn of all at the first post of one's own, which row security meets before it is locked:
-- who deletes nothing keeps nobody waiting.
create function private.take_turn_alone() returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(7246001);
  return true;
end
$$;
comment on function private.take_turn_alone() is
  'Takes the turn of all alone, as take_turns() does; true. For policies, as a last condition, which is asked of the rows '
  'that meet all others.';

revoke execute on function
  private.take_turn_of(uuid, boolean), private.take_turn_of_followed(), private.take_own_turn(),
  private.take_privacy_turn(), private.take_turn_alone()
  from public, anon, authenticated;
grant execute on function private.take_turn_alone() to authenticated, service_role;

alter policy posts_delete on public.posts
  using (user_id = (select auth.uid()) and private.take_turn_alone());
drop trigger posts_take_turns_removal on public.posts;
create trigger posts_take_turns_removal before delete on public.posts
  for each statement when (not pg_catalog.row_security_active('public.posts'))
  execute function private.take_turns('exclusive');
