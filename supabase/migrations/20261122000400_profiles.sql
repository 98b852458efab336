-- Members, their former usernames, and who the caller of a statement is. The client inserts the profile after sign-up.

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  username text not null unique,
  full_name text not null default '',
  bio text not null default '',
  website text,
  avatar_url text,
  is_private boolean not null default false,
  show_activity_status boolean not null default true,
  allow_story_replies boolean not null default true,
  post_count integer not null default 0 check (post_count >= 0),
  follower_count integer not null default 0 check (follower_count >= 0),
  following_count integer not null default 0 check (following_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Lower case only, so that equal names are equal strings and one index serves look-up and uniqueness.
  constraint profiles_username_format check (username ~ '^(?!\.)[a-z0-9._]{3,30}(?<!\.)$'),
  constraint profiles_full_name_length check (char_length(full_name) <= 80),
  constraint profiles_bio_length check (char_length(bio) <= 500),
  constraint profiles_website_length check (char_length(website) <= 200),
  constraint profiles_website_format check (website ~* '^https?://\S+$'),
  constraint profiles_avatar_length check (char_length(avatar_url) <= 16000),
  constraint profiles_avatar_format check (left(avatar_url, 23) ~ '^data:image/(webp|jpeg|png);base64,')
);
comment on table public.profiles is 'Members. created_at is the member''s first sign-in; triggers update the counters.';

-- For search. In code point order, names with the same prefix are adjacent, so a search reads only its first ten hits.
create index profiles_username_prefix_idx on public.profiles (username collate "C");
create index profiles_full_name_prefix_idx on public.profiles (lower(full_name) collate "C");
-- Without pg_trgm a search is slower, not wrong.
do $$
declare
  home text;
begin
  select n.nspname into home
    from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm';
  if home is not null then
    execute format(
      'create index profiles_username_trgm_idx on public.profiles using gin (username %I.gin_trgm_ops)', home);
    execute format(
      'create index profiles_full_name_trgm_idx on public.profiles using gin (lower(full_name) %I.gin_trgm_ops)', home);
  end if;
end
$$;

alter table public.profiles enable row level security;
revoke all on table public.profiles from public, anon, authenticated;
grant all on table public.profiles to service_role;
grant select on table public.profiles to authenticated;
grant insert (id, username, full_name) on table public.profiles to authenticated;
grant update (
  username, full_name, bio, website, avatar_url, is_private, show_activity_status, allow_story_replies, updated_at
) on table public.profiles to authenticated;

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
  'Whether the caller has a session and a profile. Policies call it once per statement, as (select '
  'private.is_member()).';
revoke execute on function private.is_member() from public, anon, authenticated;
grant execute on function private.is_member() to authenticated, service_role;

-- Who is hidden from the caller. The body names public.blocks, which a later file creates. A low cost and few rows: the
-- planner adds the cost of the set to every look-up of a row whose policy uses it, although it is built once per
-- statement, and would otherwise prefer reading all profiles to looking up those of a page.
set check_function_bodies = off;
create function private.my_hidden_ids() returns setof uuid
  language sql stable security definer cost 1 rows 10 set search_path = ''
as $$
  select blocked_id from public.blocks where blocker_id = (select auth.uid())
  union all
  select blocker_id from public.blocks where blocked_id = (select auth.uid())
$$;
comment on function private.my_hidden_ids() is
  'Members that the caller has blocked or who have blocked the caller. A set, hashed once per statement; never '
  'returned to clients, because it would show them who blocked them.';
revoke execute on function private.my_hidden_ids() from public, anon, authenticated;
grant execute on function private.my_hidden_ids() to authenticated, service_role;
set check_function_bodies = on;

create function private.touch_profile() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
comment on function private.touch_profile() is
  'Sets updated_at whatever time the client sent; counters do not change it.';
revoke execute on function private.touch_profile() from public, anon, authenticated;
create trigger profiles_touch
  before update of username, full_name, bio, website, avatar_url, is_private, show_activity_status,
    allow_story_replies, updated_at
  on public.profiles for each row execute function private.touch_profile();
create trigger profiles_serialize_deletes before delete on public.profiles
  for each statement execute function private.serialize_writes('exclusive');
create trigger profiles_allow_change before update on public.profiles
  for each row when (pg_catalog.row_security_active('public.profiles'))
  execute function private.count_quota('profile_changes');
create trigger profiles_allow_username before update of username on public.profiles
  for each row when (old.username <> new.username and pg_catalog.row_security_active('public.profiles'))
  execute function private.count_quota('usernames');

-- Switching privacy makes only the members concerned wait. Clients can change only their own row; anything else takes the
-- lock alone.

create function private.lock_for_privacy_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(7246001);
  perform private.lock_member(me, true);
  -- Going public updates the counters of requesters. Locks them and the caller in the order of their ids, before the
  -- statement locks the caller's row; new requests wait for the lock above.
  perform 1 from public.profiles p
    where p.id = any (me || array(select requester_id from public.follow_requests where target_id = me))
    order by p.id for no key update;
  return null;
end
$$;
comment on function private.lock_for_privacy_change() is
  'Takes the lock of the member who changes their privacy, before it is known whether anything changes.';
revoke execute on function private.lock_for_privacy_change() from public, anon, authenticated;
create trigger profiles_serialize_own_privacy before update of is_private on public.profiles
  for each statement when (pg_catalog.row_security_active('public.profiles'))
  execute function private.lock_for_privacy_change();
create trigger profiles_serialize_privacy before update of is_private on public.profiles
  for each statement when (not pg_catalog.row_security_active('public.profiles'))
  execute function private.serialize_writes('exclusive');

create function private.apply_privacy() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  new_audience constant text := case when new.is_private then 'followers' else 'public' end;
  requesters uuid[];
begin
  -- In the order in which likes and comments lock posts.
  perform 1 from public.posts where user_id = new.id and audience <> new_audience order by id for no key update;
  update public.posts set audience = new_audience where user_id = new.id and audience <> new_audience;
  update public.stories set audience = new_audience where user_id = new.id and audience <> new_audience;
  if not new.is_private then
    with accepted as (
      delete from public.follow_requests where target_id = new.id returning requester_id
    )
    select array_agg(requester_id) into requesters from accepted;
    perform private.accept_requests(requesters, new.id);
  end if;
  return null;
end
$$;
comment on function private.apply_privacy() is
  'Updates the audience of an account''s posts and stories to its privacy; going public accepts all requests and '
  'notifies the requesters.';
revoke execute on function private.apply_privacy() from public, anon, authenticated;
create trigger profiles_apply_privacy after update of is_private on public.profiles
  for each row when (old.is_private is distinct from new.is_private)
  execute function private.apply_privacy();

-- Former usernames keep old links and mentions working: docs/decisions/0023.

create table private.former_usernames (
  username text primary key,
  member_id uuid not null references public.profiles (id) on delete cascade,
  since timestamptz not null default now()
);
comment on table private.former_usernames is
  'The last member with a username that nobody has now, and since when it is free. Read by renamed_to().';
create index former_usernames_member_idx on private.former_usernames (member_id);
alter table private.former_usernames enable row level security;
revoke all on table private.former_usernames from public, anon, authenticated;
grant all on table private.former_usernames to service_role;

create function private.remember_former_username() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- A username that is in use leads to its member, not to a former one.
  delete from private.former_usernames where username = new.username;
  if tg_op = 'UPDATE' then
    insert into private.former_usernames (username, member_id) values (old.username, new.id)
      on conflict (username) do update set member_id = excluded.member_id, since = excluded.since;
  end if;
  return null;
end
$$;
comment on function private.remember_former_username() is
  'Stores the username that a member gives up, and deletes former uses of the one that is taken.';
revoke execute on function private.remember_former_username() from public, anon, authenticated;
create trigger profiles_claim_username after insert on public.profiles
  for each row execute function private.remember_former_username();
create trigger profiles_rename after update of username on public.profiles
  for each row when (old.username <> new.username)
  execute function private.remember_former_username();

create function private.renamed_to(name text) returns text
  language sql stable security definer set search_path = ''
as $$
  select p.username
  from private.former_usernames f
  join public.profiles p on p.id = f.member_id
  where f.username = lower(name)
    and (select private.is_member())
    and p.id not in (select private.my_hidden_ids())
$$;
comment on function private.renamed_to(text) is
  'The current username of the last member who had this one; null if the name is in use, nobody had it, or the two '
  'members are hidden from each other.';
revoke execute on function private.renamed_to(text) from public, anon, authenticated;
grant execute on function private.renamed_to(text) to authenticated, service_role;

create function public.renamed_to(name text) returns text
  language sql stable security invoker set search_path = ''
as $$
  select private.renamed_to(name)
$$;
comment on function public.renamed_to(text) is
  'The current username of the last member who had this one, if the caller may see them; null if there is no such '
  'member, or the name is in use.';
revoke execute on function public.renamed_to(text) from public, anon, authenticated;
grant execute on function public.renamed_to(text) to authenticated, service_role;

create function private.username_available(name text) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select lower(name) ~ '^(?!\.)[a-z0-9._]{3,30}(?<!\.)$'
    and not exists (select 1 from public.profiles where username = lower(name))
$$;
comment on function private.username_available(text) is 'Whether a username is well formed and free.';
revoke execute on function private.username_available(text) from public, anon, authenticated;
grant execute on function private.username_available(text) to anon, authenticated, service_role;

create function public.username_available(name text) returns boolean
  language sql stable security invoker set search_path = ''
as $$
  select private.username_available(name)
$$;
comment on function public.username_available(text) is
  'Whether a username is well formed and free. Besides setup_status(), the only function that signed-out visitors '
  'may call.';
revoke execute on function public.username_available(text) from public, anon, authenticated;
grant execute on function public.username_available(text) to anon, authenticated, service_role;

-- Restrictive policies apply in addition to the other policies of a table. An account without a profile creates its
-- profile, so profiles require only the session, other tables a profile too. The planner expects a bare boolean to keep
-- half of the rows and then prefers sorting to reading in index order; it expects `is not null` to keep nearly all.
create policy profiles_session on public.profiles as restrictive for all to authenticated
  using (nullif((select private.has_session()), false) is not null)
  with check (nullif((select private.has_session()), false) is not null);
-- The caller's own row comes first: at INSERT … RETURNING, is_member() does not see it yet.
create policy profiles_select on public.profiles for select to authenticated
  using (
    id = (select auth.uid())
    or ((select private.is_member()) and id not in (select private.my_hidden_ids()))
  );
create policy profiles_insert on public.profiles for insert to authenticated
  with check (id = (select auth.uid()));
create policy profiles_update on public.profiles for update to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()));
